package import AssetLibrary
package import SystemPackage

/// One folder of a library: an album if photos lie in it, a list if folders do.
struct LibraryFolder: Sendable {
  /// As the user named the source, and the part below it.
  let path: FilePath
  /// The path's bytes with a slash at the end, for what lies in it.
  let pathPrefix: [UInt8]
  /// The resolved path: under this name the index knows the folder.
  var canonicalPath: [UInt8]
  var identity: FileIdentity
  /// The index of the folder around it; nil for a source.
  var parent: Int?
  /// How deep below its source it lies; 0 for the source.
  var depth: Int
  /// It or a folder around it holds `.nomedia`.
  var isHidden = false
  /// Only files that were named one by one are looked at: the index must not take it for the whole folder.
  var isPartial = false
  /// It is on a server: its files are where its path says once they were brought.
  var isRemote: Bool { remoteName != nil }
  /// What it is called on its server; nil for a folder of this machine.
  var remoteName: RemoteFolderName?
  /// The names in it that were named one by one, of a folder on a server; nil = all of it is looked at.
  ///
  /// The index must not take it for the whole folder.
  var namesOfSource: Set<[UInt8]>?
  /// Its source was never looked at whole before: what lies in it is not new to the user.
  var isFirstIndexed = false
  /// It was looked at, now or by an earlier run: a file that is not known of it is new in it.
  var wasRead = false
  /// It was removed: it keeps its place in the list, and nothing else.
  var isGone = false
  /// Assets were read that may belong together by their content identifiers.
  var needsPairing = false
  /// The numbers of its segments.
  var segments: [UInt32] = []

  init(
    path: FilePath, canonicalPath: [UInt8], identity: FileIdentity, parent: Int?, depth: Int,
    isHidden: Bool = false, isPartial: Bool = false
  ) {
    self.path = path
    self.canonicalPath = canonicalPath
    self.identity = identity
    self.parent = parent
    self.depth = depth
    self.isHidden = isHidden
    self.isPartial = isPartial
    let bytes = path.bytes
    pathPrefix = bytes.isEmpty || bytes.last == UInt8(ascii: "/") ? bytes : bytes + [UInt8(ascii: "/")]
  }

  /// The path of a file in it.
  func pathBytes(of name: ArraySlice<UInt8>) -> [UInt8] { pathPrefix + name }

  var title: String {
    let name =
      [".", ".."].contains(path.lastComponent?.string ?? ".") ? FilePath(bytes: canonicalPath) : path
    return name.lastComponent == nil ? "/" : String(decoding: name.nameBytes, as: UTF8.self)
  }

  /// Bytes that sort a folder directly before what is below it, whatever its neighbours are called.
  var hierarchicalOrder: [UInt8] { path.bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 } }

  /// Under this key the library knows the folder; files that were named one by one are apart from their folder, and
  /// from each other where they were named in different spellings of it.
  var key: [UInt8] { isPartial ? canonicalKey + path.bytes : canonicalPath }

  /// The same for all spellings of a folder of which files were named one by one.
  var canonicalKey: [UInt8] { isPartial ? canonicalPath + [0] : canonicalPath }

  var albumIdentifier: LocalIdentifier { identity.folderIdentifier }
  var listIdentifier: LocalIdentifier { LocalIdentifier("list.\(albumIdentifier)") }
}

/// What a folder on a server is called.
struct RemoteFolderName: Sendable {
  /// In messages.
  let told: String
  /// Where results are printed.
  let printed: String
  /// What URIs of its files begin with: the kind of its server.
  let scheme: String

  init(of folder: some Sequence<UInt8>, in source: any RemoteSource) {
    let folder = Array(folder)
    told = Self.joined(source.name, folder)
    printed = Self.joined(source.printedName, folder)
    scheme = String(decoding: source.canonicalPath.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
  }

  /// What something below a folder is called.
  /// - Parameters:
  ///   - folder: an address, which may end with the colon or slash of its server.
  ///   - below: the path there; empty = the folder itself.
  static func joined(_ folder: String, _ below: some Sequence<UInt8>) -> String {
    let below = String(decoding: Array(below), as: UTF8.self)
    return below.isEmpty
      ? folder : folder.hasSuffix(":") || folder.hasSuffix("/") ? folder + below : "\(folder)/\(below)"
  }
}

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

/// The album that a folder on disk is.
package enum FolderAlbum {
  /// The identifier of the album; nil where the path leads to no folder, or does not answer.
  package static func identifier(at path: FilePath) -> LocalIdentifier? {
    guard MountProbes.shared.answers(path), path.isFolder else { return nil }
    return FileIdentity(of: path)?.folderIdentifier
  }
}
