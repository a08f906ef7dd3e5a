import AssetLibrary

/// The state of a library at one moment, and the operations that change it.
///
/// A value type. Rows are stored in segments; an asset exists if `handles` refers to its row, whatever else
/// the segments contain. `order` is updated by `applyChanges`.
struct LibraryState: Sendable {
  private(set) var folders = FolderList()
  private(set) var segments = SegmentList()
  private var assets = AssetOrder()
  /// The user's corrections of dates and locations, by asset identifier.
  private var corrections: [UInt64: AssetCorrection] = [:]
  /// The assets by identifier.
  private(set) var handles: [UInt64: FetchHandle] = [:]
  /// The first-seen dates of removed assets, for files that reappear under another name.
  private var departed: [UInt64: Int64] = [:]
  /// The issues by the folder that was being read; nil = the sources themselves.
  var issues: [Int?: [AssetError]] = [:]
  /// The sources of which the current scan could read nothing.
  private var failedSources: [AssetError] = []
  /// The same for the last completed scan, so that a running scan does not count as a success.
  private(set) var unreadableSources: [AssetError] = []
  /// Whether the last scan could read none of its sources.
  private(set) var isUnreadable = false
  /// Messages about the library as a whole.
  private(set) var notes: [String] = []
  /// Why the sources can't be used at all.
  var unavailabilityReason: AssetError?
  /// The order of the sources.
  var given = GivenOrder()
  var isComplete = false
  /// Whether the first scan was stopped before its end.
  var isStopped = false

  var assetCount: Int { handles.count }
  var allIssues: [AssetError] { issues.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.flatMap(\.value) }

  /// The handles of all assets, the newest first, then by the bytes of the paths.
  var order: [FetchHandle] { assets.handles }

  /// Adds a message, once.
  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  // MARK: Sources

  /// Records that nothing of a source can be read.
  mutating func addFailedSource(_ issue: AssetError) {
    issues[nil, default: []].append(issue)
    failedSources.append(issue)
  }

  /// Clears the failures of sources that are about to be read again.
  /// - Parameter isMeant: whether a subject is one of these sources.
  mutating func forgetFailedSources(where isMeant: (String) -> Bool) {
    issues[nil]?.removeAll { isMeant($0.subject) }
    failedSources.removeAll { isMeant($0.subject) }
  }

  /// Publishes which sources could not be read, after all were tried.
  /// - Parameter count: the number of sources; nil if more may arrive.
  mutating func publishFailedSources(of count: Int?) {
    unreadableSources = failedSources
    isUnreadable = count.map { $0 > 0 && failedSources.count >= $0 } ?? false
  }

  // MARK: Folders

  /// Adds a folder, or returns the index of the known one.
  mutating func add(_ folder: LibraryFolder) -> Int {
    if let known = folders.index(of: folder.key) {
      if folders[known].path == folder.path {
        // The index may not have contained its parent.
        folders.update(known) { known in
          known.identity = folder.identity
          known.parent = folder.parent
          known.depth = folder.depth
        }
        return known
      }
      // The link that led to it is gone, and another one leads to it now.
      removeFolders([known])
    }
    return folders.append(folder)
  }

  /// Removes folders with their contents.
  mutating func removeFolders(_ indexes: Set<Int>) {
    for index in indexes where !folders[index].isGone {
      replaceContents(of: index, with: nil)
      issues[index] = nil
      folders.remove(index)
    }
  }

  /// Sets whether the contents of a folder are hidden.
  /// - Returns: whether this is a change.
  mutating func setHidden(_ isHidden: Bool, folder: Int) -> Bool {
    folders.update(folder) { folder in
      defer { folder.isHidden = isHidden }
      return folder.isHidden != isHidden
    }
  }

  /// Records that another folder is now at the same path.
  mutating func setIdentity(_ identity: FileIdentity, folder: Int) {
    folders.update(folder) { $0.identity = identity }
  }

  /// Records that a folder was read.
  mutating func setRead(folder: Int) { folders.update(folder) { $0.wasRead = true } }

  /// Sets whether pictures and videos of a folder may have to be paired by content identifier.
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
  /// Keeps an asset that is already known and drops the new row: a file that is named twice keeps its first
  /// name.
  /// - Returns: the dropped rows whose identifier belongs to a different file.
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

  /// Replaces the contents of a folder.
  /// - Returns: the same as `add`.
  @discardableResult
  mutating func replaceContents(of folder: Int, with segment: Segment?) -> [Int] {
    for handle in contents(of: folder) { remove(handle) }
    segments.retire(folders[folder].segments)
    folders.update(folder) { $0.segments = [] }
    return segment.map { add($0) } ?? []
  }

  /// Replaces some assets of a folder.
  /// - Returns: the same as `add`.
  @discardableResult
  mutating func replace(_ old: [FetchHandle], with segment: Segment) -> [Int] {
    for handle in old { remove(handle) }
    return add(segment)
  }

  /// Removes an asset; does nothing if it was removed before.
  mutating func remove(_ handle: FetchHandle) {
    guard let segment = segments[handle.segment] else { return }
    let row = segment.assets[handle.row]
    guard handles[row.identifier] == handle else { return }
    handles[row.identifier] = nil
    assets.remove(handle)
    departed[row.identifier] = row.added
  }

  /// Returns when an asset was first seen; nil if it was not in the library during this run.
  func firstSeen(_ identifier: UInt64) -> Int64? {
    handles[identifier].map { row(of: $0).added } ?? departed[identifier]
  }

  func segment(of handle: FetchHandle) -> Segment { segments.segment(of: handle) }

  /// Returns the row of an asset as its files describe it, without the user's corrections.
  func row(of handle: FetchHandle) -> AssetRow { segments.row(of: handle) }

  // MARK: Corrections

  /// Returns a row with the user's corrections.
  func corrected(_ row: AssetRow) -> AssetRow {
    // Most libraries have none.
    guard !corrections.isEmpty, let correction = corrections[row.identifier] else { return row }
    var row = row
    row.correct(by: correction)
    return row
  }

  /// Replaces the user's corrections; `order` follows with the next `applyChanges`.
  mutating func setCorrections(_ new: [UInt64: AssetCorrection]) {
    let old = corrections
    // Comparing the same dictionary with itself takes no time.
    if new == old { return }
    corrections = new
    for (asset, correction) in new where correction.date != old[asset]?.date { move(asset) }
    for (asset, correction) in old where correction.date != nil && new[asset] == nil { move(asset) }
  }

  private mutating func move(_ asset: UInt64) {
    if let handle = handles[asset] { assets.move(handle) }
  }

  // MARK: Order

  /// Applies pending changes to `order`, and frees the memory of removed segments.
  mutating func applyChanges() {
    if assets.applyChanges(segments, folders, corrections) { segments.removeRetired() }
  }

  /// Whether the path of `a` precedes that of `b` in byte order.
  func pathPrecedes(_ a: FetchHandle, _ b: FetchHandle) -> Bool {
    AssetOrder.pathPrecedes(a, b, segments, folders)
  }
}
