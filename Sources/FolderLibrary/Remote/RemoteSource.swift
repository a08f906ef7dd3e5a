package import AssetLibrary
import CPlatform
package import CodecProtocol
package import SystemPackage

/// A folder on a server with everything below it, or some of its files, as a source of a library: lists
/// folders and reads bytes of files.
///
/// Any thread may call, several at once; calls block on the network. Implementations retry themselves where
/// that makes sense.
package protocol RemoteSource: Sendable {
  /// The name for messages: "nas:Photos".
  ///
  /// Contains no secrets.
  var name: String { get }

  /// The address for results, which other programs and later runs accept: "nas:Photos", including all
  /// secrets.
  var printedName: String { get }

  /// The key of the source's folder in the index and the ledger: the kind of server, its name and the path,
  /// such as "rclone:nas:/Photos".
  ///
  /// It is stable across runs. A source that contains this folder uses the same key for it.
  var canonicalPath: [UInt8] { get }

  /// The individually named files and folders in it; nil = everything.
  var names: Set<[UInt8]>? { get }

  /// The local folder into which originals are downloaded, each under its own path.
  var path: FilePath { get }

  /// Whether no requests are sent to the server; only known data is shown.
  var isOffline: Bool { get }

  /// The best number of files to read at once within a batch; several batches may run at the same time.
  ///
  /// Does not block.
  var connections: Int { get }

  /// Lists a folder.
  /// - Parameters:
  ///   - folder: the path relative to the source; empty = the source itself.
  ///   - modified: the folder's modification time as listed in its parent; nil = unknown.
  ///   - isLeaf: whether the folder has no known subfolders.
  /// - Returns: nil if nothing has changed in it since the last listing.
  func list(
    _ folder: [UInt8], modified: Int64?, isLeaf: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> RemoteListing?

  /// Confirms that the result of `list` has been stored in the library.
  /// - Parameters:
  ///   - modified: as passed to `list`.
  ///   - asked: the start of the listing, in seconds since 1970.
  func finishedListing(_ folder: [UInt8], modified: Int64?, asked: Int64)

  /// Reads bytes of a file.
  /// - Parameters:
  ///   - range: cut off at the file's end; for a file of unknown length, at the end of the response.
  ///   - take: receives the bytes in order as they arrive; false stops reading.
  func read(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(AssetError)

  /// Stores the embedded thumbnail of a file.
  /// - Parameters:
  ///   - offset: the thumbnail's offset in the file.
  ///   - isWanted: whether the file is visible; only then other thumbnails are removed to make room.
  func keep(thumbnail: [UInt8], at offset: Int, of file: RemoteFile, isWanted: Bool)

  /// Stores a picture made from a file without an embedded thumbnail.
  /// - Returns: whether it was stored.
  func keep(picture: DecodedPicture, of file: RemoteFile) -> Bool

  /// Downloads a whole file if it is short; for files from which no thumbnail could be made otherwise.
  ///
  /// Blocks.
  /// - Returns: whether the file is on this machine now.
  /// - Throws: `AssetError` if the download fails.
  func downloadShort(
    _ file: RemoteFile, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> Bool
}

/// A remote file in one state.
package struct RemoteFile: Hashable, Sendable {
  /// The path relative to its source.
  package var path: [UInt8]
  /// A number that identifies the file whatever its contents are, stable across runs.
  package var key: UInt64
  /// Size in bytes; `unknownSize` if the server does not report it.
  package var size: Int64
  /// Nanoseconds since 1970, UTC.
  package var modified: Int64

  /// The size of a file whose length is unknown before it has been read.
  package static let unknownSize: Int64 = -1

  /// Validates a size reported by a server; impossible sizes become `unknownSize`.
  ///
  /// All sizes from servers pass through here, so that later arithmetic can't overflow.
  package static func size(reported: Int64) -> Int64 {
    (0...Int64(ReportRequest.longestFile)).contains(reported) ? reported : unknownSize
  }

  /// Whether the size is known before the file is read.
  package var knowsSize: Bool { size >= 0 }

  package init(path: [UInt8], key: UInt64, size: Int64, modified: Int64) {
    (self.path, self.key, self.size, self.modified) = (path, key, size, modified)
  }

  /// A number that identifies the file in this state.
  package var version: UInt64 { Self.version(key: key, size: size, modified: modified) }

  /// Returns the version number for given values.
  static func version(key: UInt64, size: Int64, modified: Int64) -> UInt64 {
    IdentityRegistry.mix(
      IdentityRegistry.mix(key, UInt64(bitPattern: size)), UInt64(bitPattern: modified))
  }
}

/// The contents of a folder as reported by a server.
package struct RemoteListing: Sendable {
  package struct Entry: Sendable {
    package let name: [UInt8]
    /// A number that identifies the file whatever its contents are, stable across runs.
    package let key: UInt64
    /// Size in bytes; `RemoteFile.unknownSize` if the server reports none or an impossible one.
    package let size: Int64
    package let modified: Int64

    /// Times beyond the years 1684 and 2255 are mistakes of the server.
    private static let latest: Int64 = 9_000_000_000_000_000_000

    /// - Parameters:
    ///   - size: as reported by the server.
    ///   - modified: nanoseconds since 1970, as reported by the server.
    package init(name: [UInt8], key: UInt64, size: Int64, modified: Int64) {
      (self.name, self.key) = (name, key)
      self.size = RemoteFile.size(reported: size)
      self.modified = min(max(modified, -Self.latest), Self.latest)
    }
  }

  package var files: [Entry] = []
  package var folders: [Entry] = []
  /// Entries that can't be files on this machine, as messages.
  package var issues: [AssetError] = []
  /// The start of the listing, in seconds since 1970.
  ///
  /// Later changes may be missing, however late the listing is stored.
  package let asked: Int64

  package init(asked: Int64 = AssetDate.nowInUTC.wallSeconds) { self.asked = asked }

  /// Whether a name has the extension of a photo or video.
  package static func hasMediaExtension(_ name: String) -> Bool {
    FileName.hasMediaExtension(FileName(Array(name.utf8)).suffix)
  }

  /// Returns a stable number for a file name or another stable identifier.
  package static func key(of name: some Sequence<UInt8>) -> UInt64 { StableHash.hash(name) }

  /// Adds an entry; leaves out those that are also left out of local folders.
  /// - Returns: whether the name is valid on this machine.
  @discardableResult
  package mutating func add(_ entry: Entry, isFolder: Bool) -> Bool {
    let name = entry.name
    guard !name.isEmpty, name.count <= 255, !name.contains(0), !name.contains(UInt8(ascii: "/")),
      name != [UInt8(ascii: ".")], name != Array("..".utf8)
    else { return false }
    // As in `OpenFolder`: skip programs' own folders and leftovers beside files.
    if isFolder {
      if name[0] != UInt8(ascii: ".") { folders.append(entry) }
    } else if !name.withUnsafeBufferPointer(FileName.isLeftover) {
      files.append(entry)
    }
    return true
  }

  /// A fingerprint of the folder's contents: names, sizes and times of its files, and names of its
  /// subfolders.
  ///
  /// Times of subfolders are excluded, since some servers report the time of the request.
  ///
  /// nil without files: nested folders of the same name alone do not make a loop.
  var contents: UInt64? {
    guard !files.isEmpty else { return nil }
    // A sum, since servers list files in any order.
    let files = files.reduce(0 as UInt64) { sum, file in
      sum &+ RemoteFile.version(key: StableHash.hash(file.name), size: file.size, modified: file.modified)
    }
    return folders.reduce(files) { $0 &+ IdentityRegistry.mix(StableHash.hash($1.name), 1) }
  }

  /// Whether the folder contains `.nomedia`, the request to leave it out of libraries.
  var asksToBeHidden: Bool { files.contains { $0.name.elementsEqual(".nomedia".utf8) } }
}

/// Which remote files have copies on this machine, by version number.
package struct RemoteCopies: Hashable, Sendable {
  /// Files whose originals are cached.
  package var originals: Set<UInt64> = []
  /// Files without an embedded thumbnail for which one was made and stored.
  package var madeThumbnails: Set<UInt64> = []
  /// Files whose embedded thumbnail was removed to make room for others.
  package var lostThumbnails: Set<UInt64> = []

  package init() {}

  /// Whether a thumbnail is stored, as far as it is known without a disk access.
  /// - Parameter hasOwn: whether the file has an embedded thumbnail.
  func hasThumbnail(of version: UInt64, hasOwn: Bool) -> Bool {
    hasOwn && !lostThumbnails.contains(version) || madeThumbnails.contains(version)
  }
}

/// A remote folder as listed, or the known part of it.
final class RemoteFolder: FolderContents {
  let path: FilePath
  private let name: String
  /// The names of its files, sorted by bytes.
  let names: NameTable
  private let statuses: [[UInt8]: file_status]

  /// - Parameters:
  ///   - name: the name for messages.
  ///   - files: the files of the folder.
  init(_ path: FilePath, called name: String, identity: FileIdentity, _ files: [RemoteListing.Entry]) {
    (self.path, self.name) = (path, name)
    var names = NameTable()
    var statuses: [[UInt8]: file_status] = [:]
    statuses.reserveCapacity(files.count)
    for file in files {
      var status = file_status()
      status.device = identity.device
      status.inode = file.key
      status.link_count = 1
      status.size = file.size
      status.modified = file.modified
      // Some servers allow several files with one name: keep the first.
      guard statuses.updateValue(status, forKey: file.name) == nil else { continue }
      names.append(file.name)
    }
    names.sort()
    self.names = names
    self.statuses = statuses
  }

  func status(of name: UnsafePointer<CChar>) -> file_status? {
    var bytes: [UInt8] = []
    var next = name
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    return statuses[bytes]
  }

  func subject(of name: ArraySlice<UInt8>) -> String { RemoteFolderName.joined(self.name, name) }

  var onDisk: OpenFolder? { nil }
}

extension RemoteSource {
  /// Returns the name of something below the source for messages.
  /// - Parameter path: empty = the source itself.
  package func subject(_ path: some Sequence<UInt8>) -> String { RemoteFolderName.joined(name, path) }

  /// A pseudo device number of the server, the same for all its folders that are sources.
  private var device: UInt64 {
    let server = canonicalPath.prefix { $0 != UInt8(ascii: "/") }
    // Real device numbers are never this high.
    return StableHash.hash(server) | 1 << 63
  }

  /// Returns the identity of a folder.
  /// - Parameter folder: the path relative to the source.
  func identity(of folder: [UInt8]) -> FileIdentity {
    FileIdentity(device: device, inode: StableHash.hash(canonicalPath(of: folder)))
  }

  /// Returns the key of a folder in the index.
  func canonicalPath(of folder: [UInt8]) -> [UInt8] {
    folder.isEmpty ? canonicalPath : canonicalPath + [UInt8(ascii: "/")] + folder
  }

  /// Returns the local path of a folder's originals.
  func path(of folder: [UInt8]) -> FilePath { folder.isEmpty ? path : path.appendingName(folder) }

  /// Whether a folder below the source is included.
  func includes(_ folder: [UInt8]) -> Bool {
    guard let names, !folder.isEmpty else { return true }
    return names.contains(Array(folder.prefix { $0 != UInt8(ascii: "/") }))
  }

  /// Returns the path relative to the source of a known folder; nil if it belongs to another source.
  func folder(at canonical: [UInt8]) -> [UInt8]? {
    if canonical == canonicalPath { return [] }
    let root = canonicalPath + [UInt8(ascii: "/")]
    return canonical.starts(with: root) ? Array(canonical.dropFirst(root.count)) : nil
  }
}
