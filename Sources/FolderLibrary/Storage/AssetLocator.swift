package import AssetLibrary
import Synchronization
package import SystemPackage

/// Finds the files of assets by identifier alone, in any library the user had opened.
///
/// The ledger stores in which folder an asset was last, the index of which files it consists. If these are
/// not sufficient (a file has been moved, the index was cleared), the folder is read, and then its parents as
/// far as they were scanned completely before; each only once. The work is linear in the number of
/// identifiers. Any thread may call; calls may block on a disk.
package final class AssetLocator: Sendable {
  private struct State {
    /// The folders in the ledger; nil before it was read.
    var folders: [[UInt8]]?
    /// The folder of each asset, and further folders of assets that are in several.
    var places: [UInt64: Int] = [:]
    var otherPlaces: [UInt64: [Int]] = [:]
    /// Sources that were scanned completely before.
    var sources: Set<[UInt8]> = []
    var index: LibraryIndex?
    /// The index pages of folders looked up so far, with the row of each asset; nil if there is no page.
    var pages: [Int: (page: FolderPage, rows: [UInt64: Int])?] = [:]
    /// Libraries read because the index was not sufficient, and the folders read.
    var stores: [FolderAssetStore] = []
    var read: Set<[UInt8]> = []

    func places(of number: UInt64) -> [Int] {
      places[number].map { [$0] + (otherPlaces[number] ?? []) } ?? []
    }

    mutating func add(folder: [UInt8], of identifiers: [UInt64]) {
      let place = folders?.count ?? 0
      folders?.append(folder)
      for identifier in identifiers {
        if places[identifier] == nil {
          places[identifier] = place
        } else {
          otherPlaces[identifier, default: []].append(place)
        }
      }
    }
  }

  private let locations: LibraryLocations
  private let library: [FilePath]
  private let pool = StringPool()
  private let state = Mutex(State())

  /// - Parameter library: the folders to search for assets that are not in their last folder.
  package init(_ locations: LibraryLocations, library: [FilePath]) {
    self.locations = locations
    self.library = library
  }

  /// Parses an identifier as written by `--format ids`; nil for other bytes.
  package static func identifier(_ bytes: some Collection<UInt8>) -> LocalIdentifier? {
    guard (1...13).contains(bytes.count) else { return nil }
    let identifier = LocalIdentifier(rawValue: String(decoding: bytes, as: UTF8.self))
    return identifier.number.map { LocalIdentifier(number: $0) } == identifier ? identifier : nil
  }

  /// Whether an identifier is longer than most words; only one identifier in five thousand is shorter.
  package static func isPlausible(_ identifier: LocalIdentifier) -> Bool {
    identifier.rawValue.utf8.count > 10
  }

  /// Returns the files of assets, the primary file first; unknown assets are missing from the result.
  ///
  /// For a remote file this is its name in the index, which is not a local path: "rclone:nas:/a.jpg". Files
  /// that only describe others are left out, since they are found along with those.
  package func files(of identifiers: [LocalIdentifier]) -> [LocalIdentifier: [FilePath]] {
    if identifiers.isEmpty { return [:] }
    return state.withLock { state in
      readLedger(&state)
      var found: [LocalIdentifier: [FilePath]] = [:]
      var others: [LocalIdentifier] = []
      for identifier in identifiers where found[identifier] == nil {
        guard let number = identifier.number else { continue }
        let places = state.places(of: number)
        for place in places where found[identifier] == nil {
          found[identifier] = files(of: number, in: place, &state)
        }
        if found[identifier] != nil { continue }
        if !places.isEmpty || Self.isPlausible(identifier) {
          others.append(identifier)
        }
      }
      look(for: others, &found, &state)
      return found
    }
  }

  // MARK: Ledger and index

  private func readLedger(_ state: inout State) {
    guard state.folders == nil else { return }
    state.folders = []
    let path = LibraryLedger.path(locations)
    guard path.fileType != nil else { return }
    LibraryLedger(at: path, notes: StorageNotes()).readIdentifiers { folder, identifiers in
      state.add(folder: folder, of: identifiers)
    } completed: { source in
      state.sources.insert(source)
    }
  }

  /// Returns the files of an asset from the index; nil if the index does not contain it in this folder, or
  /// its file is gone.
  private func files(of number: UInt64, in folder: Int, _ state: inout State) -> [FilePath]? {
    guard let path = state.folders?[folder], let (page, rows) = page(of: folder, &state),
      let row = rows[number]
    else { return nil }
    let segment = page.segment(folder: 0)
    let asset = segment.assets[row]
    let current = Array(segment.name(of: asset))
    // Whether a remote file still exists is checked when its server is asked.
    if path.first != UInt8(ascii: "/") { return [FilePath(bytes: path).appendingName(current)] }
    guard isThere(FilePath(bytes: path).appendingName(current)) else { return nil }
    var names = [current]
    for file in segment.files(of: asset) where !file.isEmbedded {
      let name = Array(segment.name(of: file))
      if !names.contains(name), !FileName(segment.name(of: file)).describesOthers { names.append(name) }
    }
    let files = names.map { FilePath(bytes: path).appendingName($0) }
    return [files[0]] + files.dropFirst().filter(isThere)
  }

  private func page(of folder: Int, _ state: inout State) -> (page: FolderPage, rows: [UInt64: Int])? {
    if let known = state.pages[folder] { return known }
    let index = state.index ?? LibraryIndex(at: LibraryIndex.path(locations), notes: StorageNotes())
    state.index = index
    let found = state.folders.flatMap { index.page(of: $0[folder], pool: pool) }
    let page = found.map { page in
      let rows = page.assets.enumerated().map { ($1.identifier, $0) }
      return (page: page, rows: Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }
    state.pages[folder] = .some(page)
    return page
  }

  /// Whether a file exists.
  ///
  /// A file that does not respond counts as existing; opening it reports the problem.
  private func isThere(_ file: FilePath) -> Bool {
    !MountProbes.shared.answers(file, within: MountProbes.shortPatience) || file.fileType != nil
  }

  // MARK: Reading folders

  /// Searches for assets in the library and their last folders, and then in the folders around those.
  private func look(
    for identifiers: [LocalIdentifier], _ found: inout [LocalIdentifier: [FilePath]], _ state: inout State
  ) {
    var missing = identifiers
    var distance = 0
    while !missing.isEmpty {
      var folders = distance == 0 ? library : []
      var isOutermost = true
      for identifier in missing {
        for place in identifier.number.map({ state.places(of: $0) }) ?? [] {
          let around = state.folders.map { Self.surroundings(of: $0[place], state.sources) } ?? []
          if around.indices.contains(distance) { folders.append(FilePath(bytes: around[distance])) }
          if distance + 1 < around.count { isOutermost = false }
        }
      }
      read(folders, &state)
      for asset in state.stores.flatMap({ $0.assets(withLocalIdentifiers: missing, options: Self.everything) }
      )
      where found[asset.id] == nil {
        found[asset.id] = Self.files(of: asset)
      }
      if isOutermost { return }
      missing.removeAll { found[$0] != nil }
      distance += 1
    }
  }

  private static var everything: FetchOptions {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return options
  }

  /// Returns a folder, and its ancestors that were scanned completely, the nearest first.
  private static func surroundings(of folder: [UInt8], _ sources: Set<[UInt8]>) -> [[UInt8]] {
    let slashes = folder.indices.filter { folder[$0] == UInt8(ascii: "/") }
    let ancestors = slashes.reversed().map { Array(folder[..<max($0, 1)]) }
    return [folder] + ancestors.filter { $0 != folder && sources.contains($0) }
  }

  /// Reads folders with all their descendants, unless that was done before.
  private func read(_ folders: [FilePath], _ state: inout State) {
    let unread = folders.filter {
      !state.read.contains($0.bytes) && MountProbes.shared.answers($0, within: MountProbes.shortPatience)
        && $0.isFolder && state.read.insert($0.bytes).inserted
    }
    if unread.isEmpty { return }
    let store = FolderAssetStore(sources: unread, locations: locations)
    store.start()
    store.waitUntilComplete()
    state.stores.append(store)
  }

  private static func files(of asset: Asset) -> [FilePath]? {
    guard let current = asset.primaryResource?.path else { return nil }
    var files = [current]
    for resource in asset.resources
    where resource.byteRange == nil && !files.contains(resource.path)
      && !FileName(resource.path.nameBytes[...]).describesOthers
    {
      files.append(resource.path)
    }
    return files
  }
}
