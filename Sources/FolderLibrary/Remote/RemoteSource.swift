package import AssetLibrary
import CPlatform
package import CodecProtocol
package import SystemPackage

/// A folder on a server with all below it, or some files of it, as a library needs them: what is in it, and bytes of its files.
///
/// Calls may come from any thread, several at once, and wait for the network; they try again by themselves where that makes
/// sense.
package protocol RemoteSource: Sendable {
  /// What the user calls it, for messages: "nas:Photos". Nothing secret is in it.
  var name: String { get }

  /// What it is printed as, which other programs and other runs take: "nas:Photos", with all that is secret in it.
  var printedName: String { get }

  /// Under this name the index and the ledger know it, the same in every run and for every source that it lies in: the kind of
  /// server, its name, and the path there, as "rclone:nas:/Photos".
  var canonicalPath: [UInt8] { get }

  /// The names of the files and folders in it that were named one by one; nil = all that is in it.
  var names: Set<[UInt8]>? { get }

  /// The folder on this machine in which its originals are put, each under its own path.
  var path: FilePath { get }

  /// Whether nothing is asked of the server: what is known is shown.
  var isOffline: Bool { get }

  /// How many files are best read at once for one batch of them; there are several batches at a time. Asking does not wait.
  var connections: Int { get }

  /// What is in a folder.
  /// - Parameters:
  ///   - folder: its path below the source; empty = the source itself.
  ///   - modified: the time of the folder as the folder around it told it; nil = none is known.
  ///   - isLeaf: whether no folders are known in it.
  /// - Returns: nil where nothing has changed in it since it was listed last.
  func list(
    _ folder: [UInt8], modified: Int64?, isLeaf: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> RemoteListing?

  /// What `list` told of a folder is known and kept from now on.
  /// - Parameters:
  ///   - modified: as `list` got it.
  ///   - asked: when the listing began, in seconds since 1970.
  func finishedListing(_ folder: [UInt8], modified: Int64?, asked: Int64)

  /// Reads bytes of a file.
  /// - Parameters:
  ///   - range: cut off at the file's end; of a file of unknown length at the end of what the server sends.
  ///   - take: gets them as they come, in order; its answer false ends the reading.
  func read(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(AssetError)

  /// Keeps the embedded thumbnail of a file.
  /// - Parameters:
  ///   - offset: where in the file it lies.
  ///   - isWanted: whether somebody looks at it: only then others make room for it.
  func keep(thumbnail: [UInt8], at offset: Int, of file: RemoteFile, isWanted: Bool)

  /// Keeps a picture that was made of a file which has no thumbnail of its own.
  /// - Returns: whether it can be kept.
  func keep(picture: DecodedPicture, of file: RemoteFile) -> Bool

  /// Brings a whole file where no thumbnail of it could be made otherwise, and it is short. Waits for it.
  /// - Returns: whether it is here.
  /// - Throws: `AssetError` where it can't be brought.
  func bringShort(_ file: RemoteFile, isCancelled: @escaping @Sendable () -> Bool) throws(AssetError) -> Bool
}

/// A file on a server, in one state.
package struct RemoteFile: Hashable, Sendable {
  /// Below its source.
  package var path: [UInt8]
  /// A number for the file whatever it holds, the same in every run.
  package var key: UInt64
  /// Bytes; `unknownSize` where the server does not tell.
  package var size: Int64
  /// Nanoseconds since 1970, UTC.
  package var modified: Int64

  /// The length of a file that ends where its bytes end.
  package static let unknownSize: Int64 = -1

  /// A length as a server tells it; one that no file has is unknown.
  ///
  /// Whatever comes from a server passes here: what is known of a file can be added to and subtracted from.
  package static func size(told: Int64) -> Int64 {
    (0...Int64(ReportRequest.longestFile)).contains(told) ? told : unknownSize
  }

  /// Whether its length is known before it was read to its end.
  package var knowsSize: Bool { size >= 0 }

  package init(path: [UInt8], key: UInt64, size: Int64, modified: Int64) {
    (self.path, self.key, self.size, self.modified) = (path, key, size, modified)
  }

  /// A number for the file in this state.
  package var version: UInt64 { Self.version(key: key, size: size, modified: modified) }

  /// The same for what it is made of.
  static func version(key: UInt64, size: Int64, modified: Int64) -> UInt64 {
    IdentityRegistry.mix(
      IdentityRegistry.mix(key, UInt64(bitPattern: size)), UInt64(bitPattern: modified))
  }
}

/// What a server says is in a folder.
package struct RemoteListing: Sendable {
  package struct Entry: Sendable {
    package let name: [UInt8]
    /// A number for the file whatever it holds, the same in every run.
    package let key: UInt64
    /// Bytes; `RemoteFile.unknownSize` where the server tells none that a file can have.
    package let size: Int64
    package let modified: Int64

    /// Beyond 1684 and 2255 a time is the server's mistake.
    private static let latest: Int64 = 9_000_000_000_000_000_000

    /// - Parameters:
    ///   - size: as the server tells it.
    ///   - modified: nanoseconds since 1970, as the server tells it.
    package init(name: [UInt8], key: UInt64, size: Int64, modified: Int64) {
      (self.name, self.key) = (name, key)
      self.size = RemoteFile.size(told: size)
      self.modified = min(max(modified, -Self.latest), Self.latest)
    }
  }

  package var files: [Entry] = []
  package var folders: [Entry] = []
  /// What can't be a file here, as words for the user.
  package var issues: [AssetError] = []
  /// When it was asked for, in seconds since 1970.
  ///
  /// What was changed later may not be in it, however late it is kept.
  package let asked: Int64

  package init(asked: Int64 = AssetDate.nowInUTC.wallSeconds) { self.asked = asked }

  /// Whether a name is that of a photo or video.
  package static func promisesMedium(_ name: String) -> Bool {
    FileName.promisesMedium(FileName(Array(name.utf8)).suffix)
  }

  /// A number for a file, or whatever else has a name that stays.
  package static func key(of name: some Sequence<UInt8>) -> UInt64 { StableHash.hash(name) }

  /// Puts what has a name of its own where it belongs; what a library of folders leaves out is left out.
  /// - Returns: whether the name can be one here.
  @discardableResult
  package mutating func add(_ entry: Entry, isFolder: Bool) -> Bool {
    let name = entry.name
    guard !name.isEmpty, name.count <= 255, !name.contains(0), !name.contains(UInt8(ascii: "/")),
      name != [UInt8(ascii: ".")], name != Array("..".utf8)
    else { return false }
    // As `OpenFolder` does it: programs' own stores, and what programs leave beside files.
    if isFolder {
      if name[0] != UInt8(ascii: ".") { folders.append(entry) }
    } else if !name.withUnsafeBufferPointer(FileName.isLeftover) {
      files.append(entry)
    }
    return true
  }

  /// A number for what is in the folder: the names, sizes and times of its files, and the names of its folders, whose times
  /// some servers tell as those of the question.
  ///
  /// nil where no file is in it: folders of one name in one another are no loop by that alone.
  var contents: UInt64? {
    guard !files.isEmpty else { return nil }
    // A sum: servers tell files in any order.
    let files = files.reduce(0 as UInt64) { sum, file in
      sum &+ RemoteFile.version(key: StableHash.hash(file.name), size: file.size, modified: file.modified)
    }
    return folders.reduce(files) { $0 &+ IdentityRegistry.mix(StableHash.hash($1.name), 1) }
  }

  /// Whether the folder asks to be left out of every library.
  var asksToBeHidden: Bool { files.contains { $0.name.elementsEqual(".nomedia".utf8) } }
}

/// What is on this machine of files on servers, by the numbers of their versions.
package struct RemoteCopies: Hashable, Sendable {
  /// Files that are here as a whole.
  package var originals: Set<UInt64> = []
  /// Files of which a thumbnail was made, because they carry none, that is kept here.
  package var madeThumbnails: Set<UInt64> = []
  /// Files whose own thumbnail was kept here and had to make room for others.
  package var lostThumbnails: Set<UInt64> = []

  package init() {}

  /// Whether a thumbnail of a file is here, as far as it is known without a look at the disk.
  /// - Parameter hasOwn: whether the file carries one.
  func hasThumbnail(of version: UInt64, hasOwn: Bool) -> Bool {
    hasOwn && !lostThumbnails.contains(version) || madeThumbnails.contains(version)
  }
}

/// A folder of a server as it was listed, or a part of it as the library knows it.
final class RemoteFolder: FolderContents {
  let path: FilePath
  private let name: String
  /// The names of its files, in the order of their bytes.
  let names: NameTable
  private let statuses: [[UInt8]: file_status]

  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - files: what is known of each, by its name.
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
      // Some servers let two files have one name: the first one counts.
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
  /// What something below the source is called in messages.
  /// - Parameter path: empty = the source itself.
  package func subject(_ path: some Sequence<UInt8>) -> String { RemoteFolderName.joined(name, path) }

  /// The number that stands for the server in place of a device: the same for each folder of it that is a source.
  private var device: UInt64 {
    let server = canonicalPath.prefix { $0 != UInt8(ascii: "/") }
    // No device of a system has so high a number.
    return StableHash.hash(server) | 1 << 63
  }

  /// Which folder of the source it is.
  /// - Parameter folder: its path below the source.
  func identity(of folder: [UInt8]) -> FileIdentity {
    FileIdentity(device: device, inode: StableHash.hash(canonicalPath(of: folder)))
  }

  /// Under this name the index knows a folder.
  func canonicalPath(of folder: [UInt8]) -> [UInt8] {
    folder.isEmpty ? canonicalPath : canonicalPath + [UInt8(ascii: "/")] + folder
  }

  /// Where the files of a folder are once they were brought.
  func path(of folder: [UInt8]) -> FilePath { folder.isEmpty ? path : path.appendingName(folder) }

  /// Whether a folder below the source is looked at.
  func includes(_ folder: [UInt8]) -> Bool {
    guard let names, !folder.isEmpty else { return true }
    return names.contains(Array(folder.prefix { $0 != UInt8(ascii: "/") }))
  }

  /// The path below the source of a folder that the library knows; nil for one of another source.
  func folder(at canonical: [UInt8]) -> [UInt8]? {
    if canonical == canonicalPath { return [] }
    let root = canonicalPath + [UInt8(ascii: "/")]
    return canonical.starts(with: root) ? Array(canonical.dropFirst(root.count)) : nil
  }
}
