import AssetLibrary
import SystemPackage

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
  /// What rclone calls it; nil for a folder of this machine.
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
  var told: String
  /// Where results are printed.
  var printed: String

  init(of folder: some Sequence<UInt8>, in source: any RemoteSource) {
    let folder = Array(folder)
    told = RemoteName.appending(folder, to: source.name)
    printed = RemoteName.appending(folder, to: source.printedName)
  }
}
