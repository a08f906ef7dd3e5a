import AssetLibrary

/// Compares files by the bytes of their paths, fast enough for a hundred thousand ties.
///
/// Folders are ranked once. Files of the same folder are compared by the first sixteen bytes of their names;
/// files of different folders by the ranks, unless one folder is inside the other. Only otherwise whole paths
/// are compared.
struct PathOrder {
  /// The part of a file's path that is compared first.
  struct Key: BitwiseCopyable {
    var folder: UInt32
    var nameHead: UInt64
    var nameTail: UInt64
  }

  private let state: LibraryState
  private var ranks: [Int]
  /// For each folder, the rank after the last folder inside it.
  private var ends: [Int]

  init(_ state: LibraryState) {
    self.state = state
    let prefixes = state.folders.all.map(\.pathPrefix)
    let order = prefixes.indices.sorted { prefixes[$0].lexicographicallyPrecedes(prefixes[$1]) }
    ranks = [Int](repeating: 0, count: prefixes.count)
    ends = ranks
    // All paths with a common prefix are adjacent after it.
    var open: [Int] = []
    for (rank, folder) in order.enumerated() {
      ranks[folder] = rank
      while let last = open.last, !prefixes[folder].starts(with: prefixes[last]) {
        ends[last] = rank
        open.removeLast()
      }
      open.append(folder)
    }
    for folder in open { ends[folder] = order.count }
  }

  func key(of handle: FetchHandle) -> Key {
    let segment = state.segment(of: handle)
    let name = segment.name(of: segment.assets[handle.row])
    return Key(
      folder: UInt32(segment.folder), nameHead: Self.number(of: name.prefix(8)),
      nameTail: Self.number(of: name.dropFirst(8).prefix(8)))
  }

  /// Returns up to eight bytes as a number with the same order.
  static func number(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    return number << UInt64(8 * (8 - bytes.count))
  }

  /// Whether the path of `a`, with the key `first`, precedes that of `b`.
  func precedes(_ a: FetchHandle, _ first: Key, _ b: FetchHandle, _ second: Key) -> Bool {
    if first.folder == second.folder {
      if first.nameHead != second.nameHead { return first.nameHead < second.nameHead }
      if first.nameTail != second.nameTail { return first.nameTail < second.nameTail }
      return state.pathPrecedes(a, b)
    }
    let (one, other) = (ranks[Int(first.folder)], ranks[Int(second.folder)])
    let isNested = one < other ? other < ends[Int(first.folder)] : one < ends[Int(second.folder)]
    return isNested ? state.pathPrecedes(a, b) : one < other
  }
}
