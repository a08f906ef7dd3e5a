/// The folders of a library as a tree, and by their resolved paths, worked out once.
struct FolderTree: Sendable {
  /// The folders that are there, by the bytes of their resolved paths with a slash at the end.
  private let sorted: [(path: [UInt8], index: Int)]
  private let children: [Int: [Int]]

  init(_ folders: FolderList) {
    let present = folders.present
    sorted = present.map { (Self.prefix(folders[$0].canonicalPath), $0) }
      .sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0) }
    children = Dictionary(grouping: present.filter { folders[$0].parent != nil }) { folders[$0].parent ?? 0 }
  }

  private static func prefix(_ path: [UInt8]) -> [UInt8] {
    path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  /// The folders of a resolved path: the whole one, and what was named of it one by one.
  func indexes(of path: [UInt8]) -> [Int] {
    let prefix = Self.prefix(path)
    return sorted[first(notBefore: prefix)...].prefix { $0.path == prefix }.map(\.index)
  }

  /// The folders of a resolved path and of all paths below it.
  func indexes(below path: [UInt8]) -> [Int] {
    let prefix = Self.prefix(path)
    return sorted[first(notBefore: prefix)...].prefix { $0.path.starts(with: prefix) }.map(\.index)
  }

  /// Folders and all that lie below them in the library: a linked one belongs to where its link is.
  func withDescendants(_ folders: some Sequence<Int>) -> Set<Int> {
    var found = Set(folders)
    var pending = Array(found)
    while let folder = pending.popLast() {
      for child in children[folder] ?? [] where found.insert(child).inserted { pending.append(child) }
    }
    return found
  }

  private func first(notBefore path: [UInt8]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
