import AssetLibrary
import SystemPackage

/// The assets of a library in its own order, and the changes that are still to be brought into it.
///
/// The newest come first, those of one moment in the order of the bytes of their paths. Additions and removals
/// are collected, because each change of the order is linear in the library.
struct AssetOrder: Sendable {
  private(set) var handles: [FetchHandle] = []
  private var added: [FetchHandle] = []
  private var removed: Set<FetchHandle> = []

  mutating func insert(_ handle: FetchHandle) { added.append(handle) }

  mutating func remove(_ handle: FetchHandle) { removed.insert(handle) }

  /// Brings what was added and removed into the order: linear in the library, n log n in what is new.
  /// - Returns: whether anything was to be done.
  mutating func applyChanges(_ segments: SegmentList, _ folders: FolderList) -> Bool {
    guard !added.isEmpty || !removed.isEmpty else { return false }
    func precedes(_ a: FetchHandle, _ aDate: DateKey, _ b: FetchHandle, _ bDate: DateKey) -> Bool {
      aDate == bDate ? Self.pathPrecedes(a, b, segments, folders) : aDate > bDate
    }
    func dateKey(_ handle: FetchHandle) -> DateKey {
      let row = segments.row(of: handle)
      return (row.dateSeconds, row.dateNanoseconds)
    }
    let new = added.filter { removed.remove($0) == nil }.map { ($0, dateKey($0)) }
      .sorted { precedes($0.0, $0.1, $1.0, $1.1) }
    if !removed.isEmpty { handles.removeAll { removed.contains($0) } }
    var merged: [FetchHandle] = []
    merged.reserveCapacity(handles.count + new.count)
    var next = 0
    for (handle, key) in new {
      // The first of the old ones that stands behind the new one, by halving.
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
    return true
  }

  private typealias DateKey = (seconds: Int64, nanoseconds: Int32)

  /// Whether the path of `a` stands before that of `b` by its bytes.
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

/// The places of a library's sources in the order in which they were named.
struct GivenOrder: Sendable {
  /// What was named after a stream of sources comes after all that the stream may bring.
  private static let afterStream = 1 << 40

  private var places: [PathDigest: Int] = [:]

  /// - Parameter stream: how many sources were named before those that come one by one; nil where none do.
  init(_ sources: [FilePath] = [], stream: Int? = nil) {
    for (place, source) in sources.enumerated() {
      add(source.bytes, place: place < stream ?? .max ? place : place + Self.afterStream)
    }
  }

  /// Adds a source, unless it was named before.
  mutating func add(_ path: [UInt8], place: Int) {
    let digest = PathDigest(path: path)
    if places[digest] ?? .max > place { places[digest] = place }
  }

  /// The place of a source by its path; nil for what is none.
  func place(of path: [UInt8]) -> Int? { places[PathDigest(path: path)] }
}
