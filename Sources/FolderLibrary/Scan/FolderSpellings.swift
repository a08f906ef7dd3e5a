import SystemPackage

/// The spellings of a folder under which its files were named individually.
///
/// The library treats each spelling as a folder of its own, so that every file is printed as it was given.
struct FolderSpellings: Sendable {
  /// The indexes of the library's folders, one for each spelling.
  let folders: [Int]
  private let paths: [FilePath]
  /// The spelling in which each name was first given.
  private var places: [[UInt8]: Int] = [:]

  /// - Parameter folders: the index of the library's folder for each spelling.
  init(_ spellings: [LibrarySources.NamedFiles.Spelling], folders: [Int]) {
    self.folders = folders
    paths = spellings.map(\.folder)
    for (place, spelling) in spellings.enumerated() {
      for name in spelling.names where places[name] == nil { places[name] = place }
    }
  }

  /// Returns the path of a file as given; uses the first spelling for files that were not named.
  func path(of name: ArraySlice<UInt8>) -> FilePath {
    paths[places[Array(name)] ?? 0].appendingName(name)
  }

  /// Splits a segment into one for each spelling, by the spelling in which the assets' files were named.
  ///
  /// The file that is printed decides. Files that belong to no asset stay with the first spelling.
  func split(_ segment: Segment) -> [Segment] {
    guard folders.count > 1 else { return [segment] }
    var builders = folders.map { _ in SegmentBuilder() }
    var isUsed = [Bool](repeating: false, count: segment.files.count)
    for asset in segment.assets {
      for file in Int(asset.firstFile)..<Int(asset.firstFile) + Int(asset.fileCount) { isUsed[file] = true }
      let names = [segment.name(of: asset)] + segment.files(of: asset).map(segment.name(of:))
      let place = names.lazy.compactMap { places[Array($0)] }.first ?? 0
      builders[place].add(asset, from: segment)
    }
    for (index, file) in segment.files.enumerated() where !isUsed[index] {
      builders[0].add(file, named: segment.name(of: file))
    }
    return zip(builders, folders).map { $0.segment(folder: $1) }
  }
}
