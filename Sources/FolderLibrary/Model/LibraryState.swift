import AssetLibrary

/// A file as the library knows it.
struct KnownFile {
  let segment: Segment
  let file: FileRow
  /// The asset that it is part of.
  let asset: UInt64?

  var name: ArraySlice<UInt8> { segment.name(of: file) }
}

/// What is known of a library at one moment, and how it becomes the next.
///
/// A value. Assets live in segments; a handle (the segment's number above, the row's below) names one. What is
/// in `order` exists, whatever else the segments hold.
struct LibraryState: Sendable {
  private(set) var folders: [LibraryFolder] = []
  private var foldersByPath: [[UInt8]: Int] = [:]
  private(set) var segments: [Segment?] = []
  /// The handles of all assets, the newest first; ties by the path's bytes.
  private(set) var order: [UInt64] = []
  private(set) var handles: [UInt64: UInt64] = [:]
  private var added: [UInt64] = []
  private var removed: Set<UInt64> = []
  /// First-seen dates of assets that went: what comes back under another name keeps its own.
  private var departed: [UInt64: Int64] = [:]
  /// What could not be read, by the folder that was being looked at; nil = the sources themselves.
  var issues: [Int?: [AssetError]] = [:]
  /// Words to the user about the library as a whole.
  var notes: [String] = []
  var isComplete = false
  /// Whether the first look was stopped before it had seen everything.
  var isStopped = false

  var assetCount: Int { handles.count }
  var allIssues: [AssetError] { issues.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.flatMap(\.value) }

  // MARK: Folders

  /// The index of a folder by its key.
  func folder(_ key: [UInt8]) -> Int? { foldersByPath[key] }

  /// Adds a word to the user, once.
  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// A folder that is there.
  func living(_ index: Int) -> LibraryFolder? {
    folders[index].isGone ? nil : folders[index]
  }

  /// Adds a folder, or answers the index of the one that is known.
  mutating func add(_ folder: LibraryFolder) -> Int {
    if let known = foldersByPath[folder.key], folders[known].path != folder.path {
      // The link that led to it is gone, another does now.
      removeFolders([known])
    } else if let known = foldersByPath[folder.key] {
      // The index may have known it without the folder around it.
      folders[known].identity = folder.identity
      folders[known].parent = folder.parent
      folders[known].depth = folder.depth
      return known
    }
    folders.append(folder)
    foldersByPath[folder.key] = folders.count - 1
    return folders.count - 1
  }

  /// Removes folders with all that is in them.
  mutating func removeFolders(_ indexes: Set<Int>) {
    for index in indexes where !folders[index].isGone {
      replaceContents(of: index, with: nil)
      issues[index] = nil
      foldersByPath[folders[index].key] = nil
      folders[index].isGone = true
    }
  }

  /// The folders that are there, without those that were removed.
  var livingFolders: [Int] {
    folders.indices.filter { !folders[$0].isGone }
  }

  /// Folders and all that lie below them.
  func withAllBelow(_ indexes: [Int]) -> Set<Int> {
    var all = Set(indexes)
    let living = livingFolders
    // A folder is nearly always later in the list than the one around it: two rounds find it out.
    var count = 0
    while count != all.count {
      count = all.count
      for index in living where folders[index].parent.map(all.contains) ?? false { all.insert(index) }
    }
    return all
  }

  // MARK: Assets

  /// The assets of a folder that exist, as handles.
  func contents(of folder: Int) -> [UInt64] {
    folders[folder].segments.flatMap { number -> [UInt64] in
      guard let segment = segments[Int(number)] else { return [] }
      return segment.assets.indices.compactMap { row in
        let handle = UInt64(number) << 32 | UInt64(row)
        return handles[segment.assets[row].identifier] == handle ? handle : nil
      }
    }
  }

  /// Adds assets.
  ///
  /// One that is known already is left as it is, and the new one dropped: a file that is named twice keeps its
  /// first name.
  /// - Returns: the rows that were dropped although they are other files than those that bear their identifiers.
  @discardableResult
  mutating func add(_ segment: Segment) -> [Int] {
    if segment.files.isEmpty { return [] }
    var refused: [Int] = []
    let number = UInt64(segments.count)
    segments.append(segment)
    folders[segment.folder].segments.append(UInt32(number))
    for row in segment.assets.indices {
      let handle = number << 32 | UInt64(row)
      let identifier = segment.assets[row].identifier
      if let known = handles[identifier] {
        let other = self.segment(of: known)
        let files = (segment.files(of: segment.assets[row]), other.files(of: self.row(of: known)))
        if files.0.first?.inode != files.1.first?.inode { refused.append(row) }
      } else {
        handles[identifier] = handle
        added.append(handle)
      }
    }
    return refused
  }

  /// Puts `segment` in the place of all that is known of a folder.
  @discardableResult
  mutating func replaceContents(of folder: Int, with segment: Segment?) -> [Int] {
    for handle in contents(of: folder) { remove(handle) }
    for number in folders[folder].segments { retired.append(number) }
    folders[folder].segments = []
    return segment.map { add($0) } ?? []
  }

  /// Puts `segment` in the place of some assets of its folder.
  @discardableResult
  mutating func replace(_ old: [UInt64], with segment: Segment) -> [Int] {
    for handle in old { remove(handle) }
    return add(segment)
  }

  /// Takes an asset out; nothing happens when it went before.
  mutating func remove(_ handle: UInt64) {
    guard let segment = segments[Int(handle >> 32)] else { return }
    let row = segment.assets[Self.row(of: handle)]
    guard handles[row.identifier] == handle else { return }
    handles[row.identifier] = nil
    removed.insert(handle)
    departed[row.identifier] = row.added
  }

  /// When an asset was first seen, if it is or was in the library during this run.
  func firstSeen(_ identifier: UInt64) -> Int64? {
    handles[identifier].map { row(of: $0).added } ?? departed[identifier]
  }

  /// Says of a folder that was read whether what lies in it is hidden.
  /// - Returns: whether that is new.
  mutating func setHidden(_ isHidden: Bool, folder: Int) -> Bool {
    defer { folders[folder].isHidden = isHidden }
    return folders[folder].isHidden != isHidden
  }

  /// Says of a folder that another is now where it was.
  mutating func setIdentity(_ identity: FileIdentity, folder: Int) { folders[folder].identity = identity }

  /// Says of a folder that it was looked at.
  mutating func setRead(folder: Int) { folders[folder].wasRead = true }

  /// Says of a folder whether its pictures and videos may still have to be paired by their contents.
  mutating func setNeedsPairing(_ needsPairing: Bool, folder: Int) {
    folders[folder].needsPairing = needsPairing
  }

  /// All files that are known of a folder by their names: the assets' and the others.
  func knownFiles(in folder: Int) -> [KnownFile] {
    var files: [KnownFile] = []
    for number in folders[folder].segments {
      guard let segment = segments[Int(number)] else { continue }
      var isAssets = [Bool](repeating: false, count: segment.files.count)
      for (row, asset) in segment.assets.enumerated() {
        let handle = UInt64(number) << 32 | UInt64(row)
        for place in Int(asset.firstFile)..<Int(asset.firstFile) + Int(asset.fileCount) {
          isAssets[place] = true
          guard handles[asset.identifier] == handle, !segment.files[place].isEmbedded else { continue }
          files.append(KnownFile(segment: segment, file: segment.files[place], asset: handle))
        }
      }
      for (place, file) in segment.files.enumerated() where !isAssets[place] {
        files.append(KnownFile(segment: segment, file: file, asset: nil))
      }
    }
    // A file that became part of an asset later may still be known as part of none.
    return files.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      .reduce(into: []) { result, file in
        guard let last = result.last, last.name.elementsEqual(file.name) else { return result.append(file) }
        if last.asset == nil { result[result.count - 1] = file }
      }
  }

  /// Segments whose memory can go once the order holds nothing of them.
  private var retired: [UInt32] = []

  // MARK: Order

  /// Brings what was added and removed into the order: linear in the library, n log n in what is new.
  mutating func settle() {
    guard !added.isEmpty || !removed.isEmpty else { return }
    let new = added.filter { removed.remove($0) == nil }.map { ($0, dateKey(of: $0)) }
      .sorted { precedes($0.0, $0.1, $1.0, $1.1) }
    if !removed.isEmpty { order.removeAll { removed.contains($0) } }
    var merged: [UInt64] = []
    merged.reserveCapacity(order.count + new.count)
    var next = 0
    for (handle, key) in new {
      // The first of the old ones that stands behind the new one, by halving.
      var (low, high) = (next, order.count)
      while low < high {
        let middle = (low + high) / 2
        let old = order[middle]
        if precedes(handle, key, old, dateKey(of: old)) { high = middle } else { low = middle + 1 }
      }
      merged.append(contentsOf: order[next..<low])
      merged.append(handle)
      next = low
    }
    merged.append(contentsOf: order[next...])
    order = merged
    added = []
    removed = []
    for number in retired { segments[Int(number)] = nil }
    retired = []
  }

  private func dateKey(of handle: UInt64) -> (Int64, Int32) {
    let row = row(of: handle)
    return (row.dateSeconds, row.dateNanoseconds)
  }

  private func precedes(
    _ a: UInt64, _ aDate: (Int64, Int32), _ b: UInt64, _ bDate: (Int64, Int32)
  ) -> Bool {
    aDate == bDate ? pathPrecedes(a, b) : aDate > bDate
  }

  /// Whether the path of `a` stands before that of `b` by its bytes.
  func pathPrecedes(_ a: UInt64, _ b: UInt64) -> Bool {
    let (first, second) = (segment(of: a), segment(of: b))
    let names = (first.name(of: row(of: a)), second.name(of: row(of: b)))
    if first.folder == second.folder { return names.0.lexicographicallyPrecedes(names.1) }
    return folders[first.folder].pathBytes(of: names.0).lexicographicallyPrecedes(
      folders[second.folder].pathBytes(of: names.1))
  }

  func segment(of handle: UInt64) -> Segment {
    guard let segment = segments[Int(handle >> 32)] else {
      preconditionFailure("the segment of a living asset is gone")
    }
    return segment
  }

  func row(of handle: UInt64) -> AssetRow { segment(of: handle).assets[Self.row(of: handle)] }

  static func row(of handle: UInt64) -> Int { Int(handle & 0xFFFF_FFFF) }
}
