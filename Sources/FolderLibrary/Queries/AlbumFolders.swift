/// Determines which of a library's folders form one album, and how albums are nested, however the folders
/// entered the library.
///
/// A folder and its individually named files form one album. A source is nested in another source that
/// contains it on disk.
struct AlbumFolders: Sendable {
  /// For each folder, the folder that represents its album: the walked one, if there is one.
  private let representatives: [Int]
  /// The parent of each folder, if it is in the library.
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

  /// Returns the nearest ancestor of a path.
  private static func nearest(to path: [UInt8], in paths: [[UInt8]: Int]) -> Int? {
    var rest = path[...]
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")), rest.count > 1 {
      rest = rest[..<max(1, slash)]
      if let found = paths[Array(rest)] { return found }
    }
    return nil
  }

  /// Returns the representative of a folder, followed by its ancestors from the nearest on.
  func chain(from folder: Int) -> some Sequence<Int> {
    sequence(first: representatives[folder]) { [self] in outer[$0].map { representatives[$0] } }
  }

  /// For each folder, whether it or one of its ancestors satisfies `isFound`.
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
