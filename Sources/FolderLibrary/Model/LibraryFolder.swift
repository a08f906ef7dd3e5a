package import AssetLibrary
package import SystemPackage

/// A folder of a library: an album if it contains photos, a list if it contains folders.
struct LibraryFolder: Sendable {
  /// The source's path as the user wrote it, and the part below the source.
  let path: FilePath
  /// The path's bytes with a trailing slash.
  let pathPrefix: [UInt8]
  /// The resolved path, which is the folder's key in the index.
  var canonicalPath: [UInt8]
  var identity: FileIdentity
  /// The index of the parent folder; nil for a source.
  var parent: Int?
  /// The depth below its source; 0 for the source.
  var depth: Int
  /// Whether the folder or one of its parents contains `.nomedia`.
  var isHidden = false
  /// Whether only individually named files are included, so that the index must not treat it as the whole
  /// folder.
  var isPartial = false
  /// Whether the folder is on a server.
  ///
  /// Its files are at its path once they have been downloaded.
  var isRemote: Bool { remoteName != nil }
  /// The folder's name on its server; nil for a local folder.
  var remoteName: RemoteFolderName?
  /// The individually named files of a remote folder; nil = the whole folder is included.
  ///
  /// If set, the index must not treat it as the whole folder.
  var namesOfSource: Set<[UInt8]>?
  /// Whether its source was never scanned completely before, so that its photos are not new to the user.
  var isFirstIndexed = false
  /// Whether it was read, now or by an earlier run; only then is an unknown file new.
  var wasRead = false
  /// Whether it was removed.
  ///
  /// A removed folder keeps its index, but nothing else.
  var isGone = false
  /// Whether assets were read that may have to be paired by their content identifiers.
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

  /// Returns the path of a file in the folder.
  func pathBytes(of name: ArraySlice<UInt8>) -> [UInt8] { pathPrefix + name }

  var title: String {
    let name =
      [".", ".."].contains(path.lastComponent?.string ?? ".") ? FilePath(bytes: canonicalPath) : path
    return name.lastComponent == nil ? "/" : String(decoding: name.nameBytes, as: UTF8.self)
  }

  /// A sort key that places a folder directly before its descendants, whatever the names of its siblings.
  var hierarchicalOrder: [UInt8] { path.bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 } }

  /// The key of the folder in the library.
  ///
  /// Individually named files are separate from their folder, and from each other if the folder was spelled
  /// differently.
  var key: [UInt8] { isPartial ? canonicalKey + path.bytes : canonicalPath }

  /// The same key for all spellings of a folder with individually named files.
  var canonicalKey: [UInt8] { isPartial ? canonicalPath + [0] : canonicalPath }

  var albumIdentifier: LocalIdentifier { identity.folderIdentifier }
  var listIdentifier: LocalIdentifier { LocalIdentifier("list.\(albumIdentifier)") }
}

/// The names of a folder on a server.
struct RemoteFolderName: Sendable {
  /// For messages.
  let displayName: String
  /// For results.
  let printed: String
  /// The URI scheme of its files: the kind of its server.
  let scheme: String

  init(of folder: some Sequence<UInt8>, in source: any RemoteSource) {
    let folder = Array(folder)
    displayName = Self.joined(source.name, folder)
    printed = Self.joined(source.printedName, folder)
    scheme = String(decoding: source.canonicalPath.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
  }

  /// Returns the name of something below a folder.
  /// - Parameters:
  ///   - folder: an address, which may end with its server's colon or slash.
  ///   - below: the path below the folder; empty = the folder itself.
  static func joined(_ folder: String, _ below: some Sequence<UInt8>) -> String {
    let below = String(decoding: Array(below), as: UTF8.self)
    return below.isEmpty
      ? folder : folder.hasSuffix(":") || folder.hasSuffix("/") ? folder + below : "\(folder)/\(below)"
  }
}

/// The folders of a library.
///
/// Each keeps its index as long as the library is open.
struct FolderList: Sendable {
  /// All folders that ever existed, including removed ones.
  private(set) var all: [LibraryFolder] = []
  private var indexes: [[UInt8]: Int] = [:]
  /// The folders with individually named files, by resolved path.
  private var partial: [[UInt8]: [Int]] = [:]

  subscript(index: Int) -> LibraryFolder { all[index] }

  /// Returns the index of the folder with a key; nil if there is none.
  func index(of key: [UInt8]) -> Int? { indexes[key] }

  /// Returns the folders of a resolved path with individually named files, one for each spelling.
  func partial(at path: [UInt8]) -> [Int] { partial[path] ?? [] }

  /// Returns the folder at an index; nil if it was removed.
  func present(_ index: Int) -> LibraryFolder? { all[index].isGone ? nil : all[index] }

  /// The indexes of all folders that were not removed.
  var present: [Int] { all.indices.filter { !all[$0].isGone } }

  /// Adds all descendants to the given folders.
  func withDescendants(_ indexes: [Int]) -> Set<Int> {
    var found = Set(indexes)
    let present = present
    // Parents nearly always precede their children in the list, so two rounds usually suffice.
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

  /// Marks a folder as removed.
  ///
  /// A new folder with the same key gets another index.
  mutating func remove(_ index: Int) {
    indexes[all[index].key] = nil
    partial[all[index].canonicalPath]?.removeAll { $0 == index }
    all[index].isGone = true
  }
}

/// The album of a folder on disk.
package enum FolderAlbum {
  /// Returns the identifier of the album; nil if the path is not a folder or does not respond.
  package static func identifier(at path: FilePath) -> LocalIdentifier? {
    guard MountProbes.shared.answers(path), path.isFolder else { return nil }
    return FileIdentity(of: path)?.folderIdentifier
  }
}
