/// The folders of a library, each under an index that it keeps as long as the library is open.
struct FolderList: Sendable {
  /// All that were ever there, those that are gone among them.
  private(set) var all: [LibraryFolder] = []
  private var indexes: [[UInt8]: Int] = [:]
  /// The folders of which files were named one by one, by their resolved paths.
  private var partial: [[UInt8]: [Int]] = [:]

  subscript(index: Int) -> LibraryFolder { all[index] }

  /// The index of the folder with a key, if it is there.
  func index(of key: [UInt8]) -> Int? { indexes[key] }

  /// The folders of a resolved path of which files were named one by one, one for each spelling.
  func partial(at path: [UInt8]) -> [Int] { partial[path] ?? [] }

  /// The folder at an index; nil when it is gone.
  func present(_ index: Int) -> LibraryFolder? { all[index].isGone ? nil : all[index] }

  /// The indexes of the folders that are there.
  var present: [Int] { all.indices.filter { !all[$0].isGone } }

  /// Folders, and all that lie below them.
  func withDescendants(_ indexes: [Int]) -> Set<Int> {
    var found = Set(indexes)
    let present = present
    // A folder is nearly always later in the list than the one around it: two rounds find it out.
    var count = 0
    while count != found.count {
      count = found.count
      for index in present where all[index].parent.map(found.contains) ?? false { found.insert(index) }
    }
    return found
  }

  /// - Returns: the index of the folder.
  mutating func append(_ folder: LibraryFolder) -> Int {
    all.append(folder)
    indexes[folder.key] = all.count - 1
    if folder.isPartial { partial[folder.canonicalPath, default: []].append(all.count - 1) }
    return all.count - 1
  }

  mutating func update<Result>(_ index: Int, _ change: (inout LibraryFolder) -> Result) -> Result {
    change(&all[index])
  }

  /// Marks a folder as gone: another of its key gets an index of its own.
  mutating func remove(_ index: Int) {
    indexes[all[index].key] = nil
    partial[all[index].canonicalPath]?.removeAll { $0 == index }
    all[index].isGone = true
  }
}
