import AssetLibrary
import CodecProtocol
import Dispatch
import FolderLibrary
import Imaging
package import Rclone
import Synchronization
import System
package import SystemPackage

/// A folder of a remote of rclone's, as a library needs it.
final class RcloneSource: OriginalSource {
  /// A folder that looks unchanged is listed all the same after so many seconds: a file may have been written anew in it.
  private static let listingAge: Int64 = 86_400
  /// Seconds in which a server may tell two changes of a folder by the same time.
  private static let clockPrecision: Int64 = 2
  /// Whole files are brought for their thumbnail up to so many bytes.
  private static let longestShort: Int64 = 2 << 20
  /// A time that says that an engine keeps none: what it tells is the time of the question.
  private static let noPrecision: Int64 = 86_400_000_000_000
  /// Connections that are made before there is something to ask.
  private static let earlyConnections = 4
  /// The time by which the first folder is asked for before them.
  private static let headStart: Duration = .milliseconds(30)

  let name: String
  let printedName: String
  let canonicalPath: [UInt8]
  let names: Set<[UInt8]>?
  let path: FilePath
  let isOffline: Bool
  let address: RemoteAddress
  /// Under this the database knows all of the remote.
  private let volume: [UInt8]
  private let connection: RemoteConnection
  private let database: RemoteDatabase
  private let thumbnails: RemoteThumbnails
  private let transfers: OriginalTransfers
  private let known = Mutex<RcloneFeatures?>(nil)
  /// Whether each connection takes many answers of the server.
  private let hasCostlyConnections = Atomic(false)
  /// Of who asks what the remote can do; others wait for the answer.
  private let asking = DispatchSemaphore(value: 1)

  /// - Parameters:
  ///   - address: where it is.
  ///   - names: what in it was named one by one; nil = all.
  ///   - connection: the way to it.
  ///   - folder: where originals of all remotes lie.
  ///   - isOffline: whether nothing is asked of the server.
  init(
    _ address: RemoteAddress, names: Set<[UInt8]>? = nil, _ connection: RemoteConnection, in folder: FilePath,
    _ database: RemoteDatabase, _ thumbnails: RemoteThumbnails, _ transfers: OriginalTransfers,
    isOffline: Bool
  ) {
    (self.address, self.connection) = (address, connection)
    (self.database, self.thumbnails, self.transfers) = (database, thumbnails, transfers)
    self.isOffline = isOffline
    let volume = VolumeName(address.remote)
    self.volume = Array("\(RemotePlace.scheme)\(volume.folderName):".utf8)
    self.names = names
    name = volume.text + address.path
    printedName = address.text
    canonicalPath = self.volume + (address.path.isEmpty ? [] : [UInt8(ascii: "/")] + Array(address.path.utf8))
    let root = folder.appendingBytes(Array(volume.folderName.utf8))
    path = address.path.isEmpty ? root : root.appendingBytes(Self.pathHere(address.path))
  }

  /// The path of an address below the folder of its remote, which it does not leave.
  private static func pathHere(_ path: String) -> [UInt8] {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return Array(
      parts.map { $0.elementsEqual("..".utf8) ? [UInt8]("%2E%2E".utf8) : Array($0) }
        .joined(separator: [UInt8(ascii: "/")]))
  }

  var connections: Int { hasCostlyConnections.load(ordering: .relaxed) ? 2 : 8 }

  /// Has the server asked again, if it was given up.
  func revive() { connection.revive() }

  // MARK: Listing

  func list(
    _ folder: [UInt8], modified: Int64?, isLeaf: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> RemoteListing? {
    if folder.isEmpty { try prepare() }
    if isLeaf, try features().hasFolderTimes, let modified,
      let last = database.listing(of: canonicalPath + [0] + folder), last.modified == modified,
      // What is changed in the same moment as it is listed leaves the time of the folder as it was.
      last.listed - modified / 1_000_000_000 > Self.clockPrecision,
      AssetDate.nowInUTC.wallSeconds - last.listed < Self.listingAge
    {
      return nil
    }
    let began = AssetDate.nowInUTC
    let entries: [RcloneEntry]
    do throws(RcloneError) {
      entries = try connection.remote().list(
        remotePath(of: folder), wantsHashes: false, isCancelled: isCancelled)
    } catch {
      if folder.isEmpty, isFile(error) {
        throw AssetError(name, "is a file, and its name is that of no photo or video")
      }
      throw issue(error, folder)
    }
    let features = try features()
    var listing = RemoteListing()
    // Engines without times tell that of the question, for every file.
    let question = began.wallSeconds * 1_000_000_000 + Int64(began.nanoseconds)
    let keepsTimes =
      features.precision < Self.noPrecision || entries.contains { !$0.isFolder && $0.modified < question }
    let keys = Self.keys(of: entries, in: volume + [0] + Array(remotePath(of: folder).utf8))
    for (entry, key) in zip(entries, keys) {
      let isUsable = listing.add(
        RemoteListing.Entry(
          name: Array(entry.name.utf8), key: key, size: entry.size, modified: keepsTimes ? entry.modified : 0),
        isFolder: entry.isFolder)
      if !isUsable {
        let path = folder + (folder.isEmpty ? [] : [UInt8(ascii: "/")]) + Array(entry.name.utf8)
        listing.issues.append(AssetError(subject(path), "its name can't be one on this machine"))
      }
    }
    return listing
  }

  /// A number for each entry of a folder, by the server's own identifier where it has one: that survives a new name.
  ///
  /// Some servers have one file in several folders, or several times in one: each is a photo of its own.
  static func keys(of entries: [RcloneEntry], in folder: [UInt8]) -> [UInt64] {
    var counts: [String: Int] = [:]
    for entry in entries { if let id = entry.id { counts[id, default: 0] += 1 } }
    return entries.map { entry in
      guard let id = entry.id, counts[id] == 1 else {
        return RemoteListing.key(of: folder + [UInt8(ascii: "/")] + Array(entry.name.utf8))
      }
      return RemoteListing.key(of: folder + [0] + Array(id.utf8))
    }
  }

  /// Whether what can't be listed is a file.
  private func isFile(_ error: RcloneError) -> Bool {
    guard !address.path.isEmpty, error.kind == .notFound || error.kind == .failed,
      let entry = try? connection.remote().entry(at: address.path)
    else { return false }
    return !entry.isFolder
  }

  func finishedListing(_ folder: [UInt8], modified: Int64?) {
    if let modified { database.setListing(of: canonicalPath + [0] + folder, modified: modified) }
  }

  /// Asks what the remote can do, and has connections made where that takes long, while the first folder is listed.
  private func prepare() throws(AssetError) {
    guard let remote = try? connection.remote(), remote.hasCostlyConnections() else {
      _ = WorkerThread.start { [self] in _ = try? features() }
      return
    }
    hasCostlyConnections.store(true, ordering: .relaxed)
    // rclone would connect once for each question that comes before it knows the remote, and use one of them from then on.
    _ = try features()
    for _ in 0..<Self.earlyConnections {
      _ = WorkerThread.start {
        // The first folder is asked for first: it takes the connection that is there.
        Waiting.pause(Self.headStart)
        try? remote.openConnection()
      }
    }
  }

  private func features() throws(AssetError) -> RcloneFeatures {
    if let known = known.withLock({ $0 }) { return known }
    asking.wait()
    defer { asking.signal() }
    if let known = known.withLock({ $0 }) { return known }
    do throws(RcloneError) {
      let features = try connection.remote().features()
      known.withLock { $0 = features }
      return features
    } catch {
      throw issue(error, [])
    }
  }

  private func remotePath(of path: [UInt8]) -> String {
    let below = String(decoding: path, as: UTF8.self)
    return address.path.isEmpty || below.isEmpty ? address.path + below : "\(address.path)/\(below)"
  }

  /// What something below the source is called in messages.
  func subject(_ path: [UInt8]) -> String { RemoteName.appending(path, to: name) }

  private func issue(_ error: RcloneError, _ path: [UInt8]) -> AssetError {
    let subject = path.isEmpty ? name : self.subject(path)
    return error.kind == .changed
      ? AssetError(subject, Self.changed) : AssetError(subject, error.reason, isTransient: error.isTransient)
  }

  // MARK: Bytes

  func read(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(AssetError) {
    let (path, start) = (remotePath(of: file.path), Int64(range.lowerBound))
    let end = file.knowsSize ? min(Int64(range.upperBound), file.size) : Int64(range.upperBound)
    guard start < end else { return }
    let modified = file.modified != 0 ? file.modified : nil
    do throws(RcloneError) {
      let remote = try connection.remote()
      if file.knowsSize {
        try remote.read(
          path, range: start..<end, of: file.size, modified: modified, isCancelled: isCancelled, take: take)
      } else {
        try remote.readToEnd(path, start..<end, modified: modified, isCancelled: isCancelled, take: take)
      }
    } catch {
      throw issue(error, file.path)
    }
  }

  /// Whether the reason of an error is that the file is another one by now.
  func isChange(_ error: AssetError) -> Bool { error.reason == Self.changed }

  private static let changed = "it was changed on the server, and is looked at again"

  /// The hashes that the server has of a file, by their names; none where it has none.
  func hashes(of file: RemoteFile) throws(AssetError) -> [String: String] {
    guard try !features().hashes.isEmpty else { return [:] }
    do throws(RcloneError) {
      return try connection.remote().hashes(of: remotePath(of: file.path))
    } catch {
      throw issue(error, file.path)
    }
  }

  func confirm(_ file: RemoteFile) throws(AssetError) {
    do throws(RcloneError) {
      let path = remotePath(of: file.path)
      let entry = try connection.remote().entry(at: path)
      // Without times all that can be told is the size.
      guard let entry, RemoteFile.size(told: entry.size) == file.size,
        file.modified == 0 || entry.modified == file.modified
      else {
        throw RcloneError(.changed, path)
      }
    } catch {
      throw issue(error, file.path)
    }
  }

  func keep(thumbnail: [UInt8], at offset: Int, of file: RemoteFile, isWanted: Bool) {
    thumbnails.keep(.embedded(thumbnail, place: offset), of: file.version, makesRoom: isWanted)
  }

  func keep(picture: DecodedPicture, of file: RemoteFile) -> Bool {
    guard let jpeg = SmallJPEG.bytes(of: picture) else { return false }
    return thumbnails.keep(.made(jpeg), of: file.version, makesRoom: true)
  }

  func bringShort(
    _ file: RemoteFile, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> Bool {
    guard file.knowsSize, file.size <= Self.longestShort else { return false }
    try transfers.bring(file, of: self) { _ in isCancelled() ? .stop : .proceed }
    return true
  }

  // MARK: Files on this machine

  /// The path below the source of a file that has this path here; nil for one of another source.
  func file(at here: FilePath) -> [UInt8]? {
    let root = path.bytes + [UInt8(ascii: "/")]
    let bytes = here.bytes
    return bytes.starts(with: root) ? Array(bytes.dropFirst(root.count)) : nil
  }
}

extension FilePath {
  /// The path of something below this folder, byte for byte.
  func appendingBytes(_ below: [UInt8]) -> FilePath { FilePath(bytes: bytes + [UInt8(ascii: "/")] + below) }
}

/// A file on a server as the index knows it: "rclone:nas:/Photos/a.jpg", with the remote by the name that its folder of
/// originals has.
package struct RemotePlace: Sendable {
  /// Before the names of volumes in the index.
  static let scheme = "rclone:"

  private let folderName: String
  private let path: String

  /// - Returns: nil for a file of this machine.
  package init?(_ place: FilePath?) {
    guard let bytes = place?.bytes, bytes.starts(with: Self.scheme.utf8) else { return nil }
    let rest = bytes.dropFirst(Self.scheme.utf8.count)
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    folderName = String(decoding: rest[..<colon], as: UTF8.self)
    path = String(decoding: rest[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Where it is; nil for a remote that was made of options, which are not kept, unless it is one of those given.
  /// - Parameter remotes: as `RemoteAddress.remote` has them.
  package func address(among remotes: Set<String>) -> RemoteAddress? {
    let remote =
      remotes.first { VolumeName($0).folderName == folderName } ?? VolumeName.remote(ofFolder: folderName)
    return remote.flatMap { RemoteAddress($0) }?.appending(path)
  }
}

/// What a remote is called on this machine: without what may be secret in it.
struct VolumeName {
  /// The name of the folder of its originals.
  let folderName: String
  /// What it is called in messages.
  let text: String

  /// The beginning of the names of remotes that are made of options: only that it is the same is known of them.
  private static let made = "remote-"

  /// - Parameter remote: as rclone writes it, with its colon, and a slash where it begins with that.
  init(_ remote: String) {
    text = RemoteAddress.publicName(of: remote)
    guard RemoteAddress.isConfigured(remote) else {
      folderName = Self.made + String(RemoteListing.key(of: Array(remote.utf8)), radix: 16)
      return
    }
    let slash = remote.hasSuffix("/") ? "%2F" : ""
    let name = FileURI.text(for: remote.utf8.prefix(remote.utf8.count - (slash.isEmpty ? 1 : 2)))
      .dropFirst("file://".count)
    // Names that look as if they were made, or are hidden, are told apart by their first letter.
    let escape = name.hasPrefix(Self.made) ? "%72" : name.hasPrefix(".") ? "%2E" : nil
    folderName = (escape.map { $0 + name.dropFirst() } ?? String(name)) + slash
  }

  /// The remote of a folder's name; nil of one that was made of options, which are not kept.
  static func remote(ofFolder name: String) -> String? {
    guard !name.hasPrefix(made), let bytes = FileURI.path(of: "file:///" + name)?.dropFirst() else {
      return nil
    }
    let remote = String(decoding: bytes, as: UTF8.self)
    return remote.hasSuffix("/") ? remote.dropLast() + ":/" : remote + ":"
  }
}

/// The way to a remote, which is found out when it is asked for the first time: rclone may have to be asked which certificate
/// its server may show.
///
/// Calls may come from any thread; the first one waits.
package final class RemoteConnection: Sendable {
  private let make: @Sendable () throws(RcloneError) -> RcloneRemote
  private let known = Mutex<RcloneRemote?>(nil)

  package init(_ make: @escaping @Sendable () throws(RcloneError) -> RcloneRemote) {
    self.make = make
  }

  /// Has the server asked again, if it was given up.
  func revive() { known.withLock { $0 }?.revive() }

  /// What speaks to the remote.
  func remote() throws(RcloneError) -> RcloneRemote {
    try known.withLock { known throws(RcloneError) in
      if let known { return known }
      let made = try make()
      known = made
      return made
    }
  }
}
