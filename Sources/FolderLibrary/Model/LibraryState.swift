import AssetLibrary

/// What is known of a library at one moment, and how it becomes the next.
///
/// A value. Rows live in segments, and an asset exists where `handles` names its row, whatever else the segments
/// hold. `order` follows when `applyChanges` is called.
struct LibraryState: Sendable {
  private(set) var folders = FolderList()
  private(set) var segments = SegmentList()
  private var assets = AssetOrder()
  /// The assets by their identifiers.
  private(set) var handles: [UInt64: FetchHandle] = [:]
  /// First-seen dates of assets that went: what comes back under another name keeps its own.
  private var departed: [UInt64: Int64] = [:]
  /// What could not be read, by the folder that was being looked at; nil = the sources themselves.
  var issues: [Int?: [AssetError]] = [:]
  /// The sources of which the pass under way could read nothing.
  private var failedSources: [AssetError] = []
  /// The same of the last pass that came to its end, so that one that looks again is not taken for a success.
  private(set) var unreadableSources: [AssetError] = []
  /// Whether the last pass could read none of its sources.
  private(set) var isUnreadable = false
  /// Words to the user about the library as a whole.
  private(set) var notes: [String] = []
  /// Why nothing can be made of the sources.
  var unavailabilityReason: AssetError?
  /// The order of the sources.
  var given = GivenOrder()
  var isComplete = false
  /// Whether the first look was stopped before it had seen everything.
  var isStopped = false

  var assetCount: Int { handles.count }
  var allIssues: [AssetError] { issues.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.flatMap(\.value) }

  /// The handles of all assets, the newest first; ties by the path's bytes.
  var order: [FetchHandle] { assets.handles }

  /// Adds a word to the user, once.
  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  // MARK: Sources

  /// Notes that nothing of a source can be read.
  mutating func addFailedSource(_ issue: AssetError) {
    issues[nil, default: []].append(issue)
    failedSources.append(issue)
  }

  /// Forgets which sources could not be read, because they are read again.
  /// - Parameter isMeant: whether a subject is that of one of them.
  mutating func forgetFailedSources(where isMeant: (String) -> Bool) {
    issues[nil]?.removeAll { isMeant($0.subject) }
    failedSources.removeAll { isMeant($0.subject) }
  }

  /// Says which sources could not be read, now that all were looked at.
  /// - Parameter count: how many there are; nil where more may come.
  mutating func publishFailedSources(of count: Int?) {
    unreadableSources = failedSources
    isUnreadable = count.map { $0 > 0 && failedSources.count >= $0 } ?? false
  }

  // MARK: Folders

  /// Adds a folder, or answers the index of the one that is known.
  mutating func add(_ folder: LibraryFolder) -> Int {
    if let known = folders.index(of: folder.key) {
      if folders[known].path == folder.path {
        // The index may have known it without the folder around it.
        folders.update(known) { known in
          known.identity = folder.identity
          known.parent = folder.parent
          known.depth = folder.depth
        }
        return known
      }
      // The link that led to it is gone, another does now.
      removeFolders([known])
    }
    return folders.append(folder)
  }

  /// Removes folders with all that is in them.
  mutating func removeFolders(_ indexes: Set<Int>) {
    for index in indexes where !folders[index].isGone {
      replaceContents(of: index, with: nil)
      issues[index] = nil
      folders.remove(index)
    }
  }

  /// Says of a folder that was read whether what lies in it is hidden.
  /// - Returns: whether that is new.
  mutating func setHidden(_ isHidden: Bool, folder: Int) -> Bool {
    folders.update(folder) { folder in
      defer { folder.isHidden = isHidden }
      return folder.isHidden != isHidden
    }
  }

  /// Says of a folder that another is now where it was.
  mutating func setIdentity(_ identity: FileIdentity, folder: Int) {
    folders.update(folder) { $0.identity = identity }
  }

  /// Says of a folder that it was looked at.
  mutating func setRead(folder: Int) { folders.update(folder) { $0.wasRead = true } }

  /// Says of a folder whether its pictures and videos may still have to be paired by their contents.
  mutating func setNeedsPairing(_ needsPairing: Bool, folder: Int) {
    folders.update(folder) { $0.needsPairing = needsPairing }
  }

  // MARK: Assets

  /// The assets of a folder.
  func contents(of folder: Int) -> [FetchHandle] {
    folders[folder].segments.flatMap { number -> [FetchHandle] in
      guard let segment = segments[Int(number)] else { return [] }
      return segment.assets.indices.compactMap { row in
        let handle = FetchHandle(segment: Int(number), row: row)
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
    let number = segments.append(segment)
    folders.update(segment.folder) { $0.segments.append(UInt32(number)) }
    for row in segment.assets.indices {
      let handle = FetchHandle(segment: number, row: row)
      let identifier = segment.assets[row].identifier
      if let known = handles[identifier] {
        let other = segments.segment(of: known)
        let files = (segment.files(of: segment.assets[row]), other.files(of: other.assets[known.row]))
        if files.0.first?.inode != files.1.first?.inode { refused.append(row) }
      } else {
        handles[identifier] = handle
        assets.insert(handle)
      }
    }
    return refused
  }

  /// Puts `segment` in the place of all that is known of a folder.
  /// - Returns: what `add` returns.
  @discardableResult
  mutating func replaceContents(of folder: Int, with segment: Segment?) -> [Int] {
    for handle in contents(of: folder) { remove(handle) }
    segments.retire(folders[folder].segments)
    folders.update(folder) { $0.segments = [] }
    return segment.map { add($0) } ?? []
  }

  /// Puts `segment` in the place of some assets of its folder.
  /// - Returns: what `add` returns.
  @discardableResult
  mutating func replace(_ old: [FetchHandle], with segment: Segment) -> [Int] {
    for handle in old { remove(handle) }
    return add(segment)
  }

  /// Takes an asset out; nothing happens when it went before.
  mutating func remove(_ handle: FetchHandle) {
    guard let segment = segments[handle.segment] else { return }
    let row = segment.assets[handle.row]
    guard handles[row.identifier] == handle else { return }
    handles[row.identifier] = nil
    assets.remove(handle)
    departed[row.identifier] = row.added
  }

  /// When an asset was first seen, if it is or was in the library during this run.
  func firstSeen(_ identifier: UInt64) -> Int64? {
    handles[identifier].map { row(of: $0).added } ?? departed[identifier]
  }

  func segment(of handle: FetchHandle) -> Segment { segments.segment(of: handle) }

  func row(of handle: FetchHandle) -> AssetRow { segments.row(of: handle) }

  // MARK: Order

  /// Brings what was added and removed into `order`, and gives back the memory of what is gone.
  mutating func applyChanges() {
    if assets.applyChanges(segments, folders) { segments.removeRetired() }
  }

  /// Whether the path of `a` stands before that of `b` by its bytes.
  func pathPrecedes(_ a: FetchHandle, _ b: FetchHandle) -> Bool {
    AssetOrder.pathPrecedes(a, b, segments, folders)
  }
}
