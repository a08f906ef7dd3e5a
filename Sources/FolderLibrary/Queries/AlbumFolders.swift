/// Which of a library's folders are one album, and which lie in which, however they came into the library.
///
/// A folder and the files that were named of it one by one are one. A source lies in another that is around it on disk.
struct AlbumFolders: Sendable {
  /// The folder by which each is known: the one that was walked, where there is one.
  private let representatives: [Int]
  /// The folder around each, as far as the library has one.
  private let outer: [Int?]

  init(_ folders: FolderList) {
    var places: [FileIdentity: Int] = [:]
    var paths: [[UInt8]: Int] = [:]
    for index in folders.present {
      let folder = folders[index]
      if let other = places[folder.identity], folder.isPartial || !folders[other].isPartial { continue }
      places[folder.identity] = index
      paths[folder.canonicalPath] = index
    }
    var representatives = Array(folders.all.indices)
    var outer = [Int?](repeating: nil, count: folders.all.count)
    for index in folders.present {
      let folder = folders[index]
      representatives[index] = places[folder.identity] ?? index
      outer[index] = folder.parent ?? Self.nearest(to: folder.canonicalPath, in: paths)
    }
    self.representatives = representatives
    self.outer = outer
  }

  /// The folder whose path is the longest that another lies in.
  private static func nearest(to path: [UInt8], in paths: [[UInt8]: Int]) -> Int? {
    var rest = path[...]
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")), rest.count > 1 {
      rest = rest[..<max(1, slash)]
      if let found = paths[Array(rest)] { return found }
    }
    return nil
  }

  /// A folder, by the index by which its album is known, and all around it, the nearest first.
  func chain(from folder: Int) -> some Sequence<Int> {
    sequence(first: representatives[folder]) { [self] in outer[$0].map { representatives[$0] } }
  }

  /// For each folder whether it is one of `found` or lies in one.
  func withDescendants(_ isFound: (Int) -> Bool) -> [Bool] {
    var known = [Bool?](repeating: nil, count: outer.count)
    func lies(_ folder: Int) -> Bool {
      if let answer = known[folder] { return answer }
      var answer = isFound(folder)
      for next in chain(from: folder) where !answer {
        answer = known[next] ?? isFound(next)
      }
      known[folder] = answer
      return answer
    }
    return outer.indices.map(lies)
  }
}
