import AssetLibrary
import SystemPackage

/// The sorted list of a library's assets, with pending insertions, removals and moves.
///
/// Sorted by date, the newest first, then by the bytes of the paths. Changes are collected, because applying
/// them takes time linear in the size of the library.
struct AssetOrder: Sendable {
  private(set) var handles: [FetchHandle] = []
  private var added: [FetchHandle] = []
  private var removed: Set<FetchHandle> = []
  /// Assets whose dates the user corrected.
  private var moved: Set<FetchHandle> = []

  mutating func insert(_ handle: FetchHandle) { added.append(handle) }

  mutating func remove(_ handle: FetchHandle) { removed.insert(handle) }

  /// Sorts an asset again, whose date is another one than before.
  mutating func move(_ handle: FetchHandle) { moved.insert(handle) }

  /// Applies the pending changes: linear in the library, n log n in the new assets.
  /// - Parameters:
  ///   - segments: the rows of the library.
  ///   - folders: the folders of the library.
  ///   - corrections: the user's corrections, which count instead of the dates in the rows.
  /// - Returns: whether there were any changes.
  mutating func applyChanges(
    _ segments: SegmentList, _ folders: FolderList, _ corrections: [UInt64: AssetCorrection]
  ) -> Bool {
    guard !added.isEmpty || !removed.isEmpty || !moved.isEmpty else { return false }
    func precedes(_ a: FetchHandle, _ aDate: DateKey, _ b: FetchHandle, _ bDate: DateKey) -> Bool {
      aDate == bDate ? Self.pathPrecedes(a, b, segments, folders) : aDate > bDate
    }
    func dateKey(_ handle: FetchHandle) -> DateKey {
      let row = segments.row(of: handle)
      if !corrections.isEmpty, let date = corrections[row.identifier]?.date {
        return (date.wallSeconds, date.nanoseconds)
      }
      return (row.dateSeconds, row.dateNanoseconds)
    }
    // An asset that is still to be added, or removed already, need not be moved.
    moved.subtract(added)
    moved.subtract(removed)
    let new = (added.filter { removed.remove($0) == nil } + moved).map { ($0, dateKey($0)) }
      .sorted { precedes($0.0, $0.1, $1.0, $1.1) }
    removed.formUnion(moved)
    if !removed.isEmpty { handles.removeAll { removed.contains($0) } }
    var merged: [FetchHandle] = []
    merged.reserveCapacity(handles.count + new.count)
    var next = 0
    for (handle, key) in new {
      // Binary search for the first old asset that follows the new one.
      var (low, high) = (next, handles.count)
      while low < high {
        let middle = (low + high) / 2
        let old = handles[middle]
        if precedes(handle, key, old, dateKey(old)) { high = middle } else { low = middle + 1 }
      }
      merged.append(contentsOf: handles[next..<low])
      merged.append(handle)
      next = low
    }
    merged.append(contentsOf: handles[next...])
    handles = merged
    added = []
    removed = []
    moved = []
    return true
  }

  private typealias DateKey = (seconds: Int64, nanoseconds: Int32)

  /// Whether the path of `a` precedes that of `b` in byte order.
  static func pathPrecedes(
    _ a: FetchHandle, _ b: FetchHandle, _ segments: SegmentList, _ folders: FolderList
  ) -> Bool {
    let (first, second) = (segments.segment(of: a), segments.segment(of: b))
    let names = (first.name(of: first.assets[a.row]), second.name(of: second.assets[b.row]))
    if first.folder == second.folder { return names.0.lexicographicallyPrecedes(names.1) }
    return folders[first.folder].pathBytes(of: names.0).lexicographicallyPrecedes(
      folders[second.folder].pathBytes(of: names.1))
  }
}

/// The positions of the sources in the order in which they were named.
struct GivenOrder: Sendable {
  /// The offset of sources named after a stream, so that they follow everything the stream may deliver.
  private static let afterStream = 1 << 40

  private var places: [PathDigest: Int] = [:]

  /// - Parameter stream: the number of sources named before the stream; nil without a stream.
  init(_ sources: [FilePath] = [], stream: Int? = nil) {
    for (place, source) in sources.enumerated() {
      add(source.bytes, place: place < stream ?? .max ? place : place + Self.afterStream)
    }
  }

  /// Adds a source; an earlier position of the same path is kept.
  mutating func add(_ path: [UInt8], place: Int) {
    let digest = PathDigest(path: path)
    if places[digest] ?? .max > place { places[digest] = place }
  }

  /// Returns the position of a source by its path; nil if the path is not a source.
  func place(of path: [UInt8]) -> Int? { places[PathDigest(path: path)] }
}
