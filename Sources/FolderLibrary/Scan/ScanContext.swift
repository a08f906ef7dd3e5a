import AssetLibrary
import CodecProtocol
import Synchronization
import SystemPackage

/// The objects that the parts of a scan share.
struct ScanContext: Sendable {
  let model: LibraryModel
  let identities = IdentityRegistry()
  let storage: LibraryStorage?
  let control = ScanControl()
  let stalls: HelperStalls
  let calls: FolderCalls
  let probes: MountProbes
  /// Reads the metadata in files.
  let reader: MetadataClient

  /// Writes the data of a folder to the index.
  func save(_ folder: Int) {
    guard let storage, !control.isCancelled else { return }
    let page = model.read { state in
      state.folders[folder].isPartial || state.folders[folder].namesOfSource != nil
        ? nil : FolderPage(of: folder, in: state)
    }
    if let page { storage.save(page, pool: model.pool) }
  }

  /// Remembers the files of a page whose identifier is not derived from the file itself, so that they keep it
  /// when they are moved.
  private func rememberIdentities(of page: FolderPage) {
    for asset in page.assets where asset.flags.contains(.inherited) {
      let file = page.files[Int(asset.firstFile)]
      identities.remember(
        inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
    }
  }
}

// Registering folders.
extension ScanContext {
  /// A folder to be registered.
  struct NewFolder {
    var path: FilePath
    var canonicalPath: [UInt8]
    var identity: FileIdentity
    var parent: Int?
    var depth: Int
    var isHidden: Bool
    var isPartial = false
    var remoteName: RemoteFolderName?
    /// The individually named files of a remote folder; nil = all.
    var namesOfSource: Set<[UInt8]>?
  }

  /// Registers a local folder.
  /// - Returns: the index of the folder.
  func register(
    _ folder: OpenFolder, parent: Int?, depth: Int, isHidden: Bool, isPartial: Bool = false
  ) -> Int {
    let canonical = folder.canonicalPath.bytes
    return register(
      NewFolder(
        path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent, depth: depth,
        isHidden: isHidden, isPartial: isPartial))
  }

  /// Registers a folder and, if it is new in this run, loads its data from the index.
  /// - Returns: the index of the folder.
  func register(_ folder: NewFolder) -> Int {
    let (canonical, parent, isPartial) = (folder.canonicalPath, folder.parent, folder.isPartial)
    var new = LibraryFolder(
      path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent,
      depth: folder.depth, isHidden: folder.isHidden, isPartial: isPartial)
    (new.remoteName, new.namesOfSource) = (folder.remoteName, folder.namesOfSource)
    let isKnown = model.read { $0.folders.index(of: new.key) != nil }
    let page = isKnown || isPartial ? nil : storage?.page(of: canonical, pool: model.pool)
    if let page { rememberIdentities(of: page) }
    let wasCompleted = !isKnown && parent == nil && storage?.wasCompleted(canonical) ?? false
    return model.change { state in
      new.isFirstIndexed =
        control.isFirstPass && (parent.map { state.folders[$0].isFirstIndexed } ?? !wasCompleted)
      let index = state.add(new)
      if let page {
        state.setRead(folder: index)
        state.add(page.segment(folder: index, only: folder.namesOfSource))
      }
      return index
    }
  }

  /// Loads the index of the sources before anything is scanned.
  func loadIndex(of sources: LibrarySources) {
    loadIndex(below: sources.folders)
    for source in sources.remotes { loadIndex(of: source) }
    // Notify at once, since the next scheduled notification may take a while.
    model.announce(now: true)
  }

  /// Loads the index of a remote source.
  private func loadIndex(of source: any RemoteSource) {
    guard let names = source.names else {
      return loadIndex(IndexedSource(path: source.path, root: source.canonicalPath, remote: source))
    }
    guard let page = storage?.page(of: source.canonicalPath, pool: model.pool) else { return }
    let segment = page.segment(folder: 0, only: names)
    if segment.assets.isEmpty { return }
    _ = register(
      NewFolder(
        path: source.path, canonicalPath: source.canonicalPath, identity: page.identity, parent: nil,
        depth: 0,
        isHidden: page.isHidden, remoteName: RemoteFolderName(of: [], in: source), namesOfSource: names))
  }

  fileprivate struct IndexedSource {
    var path: FilePath
    /// The key in the index.
    var root: [UInt8]
    /// The source if it is remote.
    var remote: (any RemoteSource)?
  }

  private func loadIndex(_ source: IndexedSource) {
    guard let storage else { return }
    // Another tpick may be running its first scan of the same library and have written a part of the index.
    let isFirst = !storage.wasCompleted(source.root)
    storage.readPages(below: source.root, pool: model.pool) { pages in
      for page in pages { rememberIdentities(of: page) }
      let isFirstResult = model.read { $0.assetCount == 0 }
      model.change { state in
        for page in pages {
          state.add(page, of: source, isFirst: isFirst)
        }
      }
      // The newest assets come first: interactive users need not wait for the others.
      model.announce(now: isFirstResult)
    }
  }

  /// Loads the index of folders and their descendants.
  func loadIndex(below folders: [FilePath]) {
    for source in folders {
      guard probes.answers(source, within: MountProbes.shortPatience), let root = source.resolved?.bytes
      else { continue }
      loadIndex(IndexedSource(path: source, root: root))
    }
    model.announce(now: true)
  }

  /// Removes folders with their contents.
  /// - Parameter keepsIndex: whether the index keeps them for a later scan.
  func remove(_ folders: [Int], keepsIndex: Bool = false) {
    let folders = model.read { state in folders.filter { state.folders.present($0) != nil } }
    guard !folders.isEmpty else { return }
    let paths = model.change { state in
      state.removeFolders(Set(folders))
      return folders.map { state.folders[$0].canonicalPath }
    }
    if !keepsIndex { storage?.remove(paths) }
  }
}

extension LibraryState {
  /// Adds a folder of a source from its page in the index.
  fileprivate mutating func add(
    _ page: FolderPage, of source: ScanContext.IndexedSource, isFirst: Bool
  ) {
    let below = page.canonicalPath.dropFirst(source.root.count).drop { $0 == UInt8(ascii: "/") }
    let slash = page.canonicalPath.lastIndex(of: UInt8(ascii: "/")) ?? 0
    var known = LibraryFolder(
      path: below.isEmpty ? source.path : source.path.appendingName(below), canonicalPath: page.canonicalPath,
      identity: page.identity,
      parent: below.isEmpty ? nil : folders.index(of: Array(page.canonicalPath[..<max(1, slash)])),
      depth: below.isEmpty ? 0 : below.split(separator: UInt8(ascii: "/")).count, isHidden: page.isHidden)
    guard folders.index(of: known.key) == nil else { return }
    known.isFirstIndexed = isFirst
    known.remoteName = source.remote.map { RemoteFolderName(of: below, in: $0) }
    let index = add(known)
    setRead(folder: index)
    if !page.files.isEmpty { add(page.segment(folder: index)) }
  }
}

/// Whether a scan may continue, and whether it is the first one.
///
/// Any thread may call.
final class ScanControl: Sendable {
  private let cancelled = Atomic(false)
  private let firstPass = Atomic(true)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Lets the next scan run after a cancellation.
  func resume() { cancelled.store(false, ordering: .relaxed) }

  /// Whether everything is scanned for the first time in this run.
  var isFirstPass: Bool { firstPass.load(ordering: .relaxed) }

  /// Lets the next scan report progress like the first one, because the user asked for it and is waiting.
  func beginFirstPass() { firstPass.store(true, ordering: .relaxed) }

  func endFirstPass() { firstPass.store(false, ordering: .relaxed) }
}

/// The progress of the first scan of a library.
///
/// Nothing is counted in advance. Each source has a share of the whole; individually named files have one for
/// each of their folders. A folder's share is divided equally between its own files and each subfolder. With
/// folders by year and month this is a good estimate, and the sum is exact at the end.
final class ScanProgress: Sendable {
  private struct State {
    var phase = LibraryProgress.Phase.reading
    var fraction = 0.0
    var began: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  func begin(_ phase: LibraryProgress.Phase) {
    state.withLock { $0 = State(phase: phase, began: .now) }
  }

  /// Records that a share of the whole is done.
  func advance(by share: Double) {
    if share > 0 { state.withLock { $0.fraction += share } }
  }

  func end() {
    state.withLock { $0 = State() }
  }

  /// nil before the start and after the end.
  var value: LibraryProgress? {
    state.withLock { state in
      guard let began = state.began else { return nil }
      let elapsed = began.duration(to: .now).components
      return LibraryProgress(
        phase: state.phase, fraction: min(1, state.fraction),
        elapsed: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
    }
  }
}
