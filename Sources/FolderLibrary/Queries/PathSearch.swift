import AssetLibrary

/// Looks for words in the paths of files: in those of their folders once each.
struct PathSearch {
  private let pattern: TextPattern
  /// Whether each folder's path holds the words.
  private let holds: [Bool]
  /// The end of each folder's path, as far as the words may begin there and go on in a file's name; empty where they
  /// hold no slash, as every path of a folder ends with one.
  private let ends: [[UInt8]]

  init(_ pattern: TextPattern, _ folders: [LibraryFolder]) {
    self.pattern = pattern
    let paths = folders.map { TextPattern.fold(String(decoding: $0.pathPrefix, as: UTF8.self)) }
    holds = paths.map { pattern.matches(folded: $0) }
    let length = pattern.folded.contains(UInt8(ascii: "/")) ? pattern.folded.count - 1 : 0
    ends = paths.map { Array($0.suffix(length)) }
  }

  /// Whether the path of a folder holds the words, and so do those of all its files.
  func isInFolder(_ folder: Int) -> Bool { holds[folder] }

  /// Whether the path of a file holds the words.
  /// - Parameter name: folded.
  func matches(name: [UInt8], in folder: Int) -> Bool {
    if isInFolder(folder) { return true }
    let end = ends[folder]
    return pattern.matches(folded: end.isEmpty ? name : end + name)
  }
}
