import AssetLibrary
import CodecProtocol
import Dispatch
import FolderLibrary
import Imaging
import Synchronization
import System
import SystemPackage

/// A folder on a server as a source of a library: combines the server's responses with data cached on this
/// machine.
final class ServerSource: OriginalSource {
  /// A folder whose time is unchanged is listed again after this many seconds: overwriting a file in it does
  /// not change the folder's time.
  private static let listingAge: Int64 = 86_400
  /// The resolution of a server's folder times in seconds: two changes this close may have the same time.
  private static let clockPrecision: Int64 = 2
  /// The size in bytes up to which a whole file is downloaded to make its thumbnail.
  private static let longestShort: Int64 = 2 << 20
  /// The number of connections opened ahead of use.
  private static let earlyConnections = 4
  /// The delay of these connections, so that the request for the first folder goes first.
  private static let headStart: Duration = .milliseconds(30)

  let name: String
  let printedName: String
  let canonicalPath: [UInt8]
  let names: Set<[UInt8]>?
  let path: FilePath
  let isOffline: Bool
  let address: ServerAddress
  /// The key of the server in the database.
  private let volume: [UInt8]
  private let server: any Server
  private let database: RemoteDatabase
  private let thumbnails: RemoteThumbnails
  private let transfers: OriginalTransfers
  private let known = Mutex<ServerFeatures?>(nil)
  /// Whether setting up a connection takes many round trips.
  private let hasCostlyConnections = Atomic(false)
  /// Held by the thread that queries the features; others wait for the result.
  private let asking = DispatchSemaphore(value: 1)

  /// - Parameters:
  ///   - address: the address of the folder.
  ///   - names: the files of the folder that were named individually; nil = all.
  ///   - server: the client for the address's server.
  ///   - folder: the cache folder for originals of all servers.
  ///   - isOffline: whether no requests are sent to the server.
  init(
    _ address: ServerAddress, names: Set<[UInt8]>? = nil, _ server: any Server, in folder: FilePath,
    _ database: RemoteDatabase, _ thumbnails: RemoteThumbnails, _ transfers: OriginalTransfers,
    isOffline: Bool
  ) {
    (self.address, self.server) = (address, server)
    (self.database, self.thumbnails, self.transfers) = (database, thumbnails, transfers)
    self.isOffline = isOffline
    volume = Array("\(address.scheme):\(address.volume):".utf8)
    self.names = names
    name = address.publicText
    printedName = address.text
    canonicalPath = volume + (address.path.isEmpty ? [] : [UInt8(ascii: "/")] + Array(address.path.utf8))
    let root = folder.appendingBytes(Array(address.volume.utf8))
    path = address.path.isEmpty ? root : root.appendingBytes(Self.pathHere(address.path))
  }

  /// Returns the path of an address below the cache folder of its server.
  ///
  /// Escapes "..", so that the path stays inside.
  private static func pathHere(_ path: String) -> [UInt8] {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    return Array(
      parts.map { $0.elementsEqual("..".utf8) ? [UInt8]("%2E%2E".utf8) : Array($0) }
        .joined(separator: [UInt8(ascii: "/")]))
  }

  var connections: Int { hasCostlyConnections.load(ordering: .relaxed) ? 2 : 8 }

  /// Sends requests again to a server that was considered down.
  func revive() { server.revive() }

  // MARK: Listing

  func list(
    _ folder: [UInt8], modified: Int64?, isLeaf: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> RemoteListing? {
    if folder.isEmpty { try prepare() }
    if isLeaf, try features().hasFolderTimes, let modified,
      let last = database.listing(of: canonicalPath + [0] + folder), last.modified == modified,
      // If the folder changed shortly before the listing, a change right after it may have the same time.
      last.listed - modified / 1_000_000_000 > Self.clockPrecision,
      AssetDate.nowInUTC.wallSeconds - last.listed < Self.listingAge
    {
      return nil
    }
    let began = AssetDate.nowInUTC
    let entries: [ServerEntry]
    do throws(ServerError) {
      entries = try server.list(serverPath(of: folder), isCancelled: isCancelled)
    } catch {
      if folder.isEmpty, isFile(error) {
        throw AssetError(name, "is a file whose name is not that of a photo or video")
      }
      throw issue(error, folder)
    }
    let features = try features()
    var listing = RemoteListing(asked: began.wallSeconds)
    // A server that stores no modification times reports the time of the request as that of each file.
    let question = began.wallSeconds * 1_000_000_000 + Int64(began.nanoseconds)
    let keepsTimes =
      features.keepsTimes || entries.contains { !$0.isFolder && $0.modified < question }
    let keys = Self.keys(of: entries, in: volume + [0] + serverPath(of: folder))
    for (entry, key) in zip(entries, keys) {
      let isUsable = listing.add(
        RemoteListing.Entry(
          name: entry.name, key: key, size: entry.size ?? RemoteFile.unknownSize,
          modified: keepsTimes ? entry.modified : 0),
        isFolder: entry.isFolder)
      if !isUsable {
        let path = folder + (folder.isEmpty ? [] : [UInt8(ascii: "/")]) + entry.name
        listing.issues.append(AssetError(subject(path), "its name can't be used on this machine"))
      }
    }
    return listing
  }

  /// Returns a stable number for each entry of a folder, derived from the server's own identifier if it has
  /// one, so that it survives renames.
  ///
  /// Some servers have one file in several folders, or several times in one; each such entry counts as a
  /// separate photo.
  static func keys(of entries: [ServerEntry], in folder: [UInt8]) -> [UInt64] {
    var counts: [String: Int] = [:]
    for entry in entries { if let id = entry.identifier { counts[id, default: 0] += 1 } }
    return entries.map { entry in
      guard let id = entry.identifier, counts[id] == 1 else {
        return RemoteListing.key(of: folder + [UInt8(ascii: "/")] + entry.name)
      }
      return RemoteListing.key(of: folder + [0] + Array(id.utf8))
    }
  }

  /// Whether the path that can't be listed is a file.
  private func isFile(_ error: ServerError) -> Bool {
    switch error {
    case .notFound, .failed:
      guard !address.path.isEmpty, let entry = try? server.entry(at: serverPath(of: [])) else { return false }
      return !entry.isFolder
    case .changed, .unavailable, .refused, .cancelled: return false
    }
  }

  func finishedListing(_ folder: [UInt8], modified: Int64?, asked: Int64) {
    if let modified {
      database.setListing(of: canonicalPath + [0] + folder, modified: modified, listed: asked)
    }
  }

  /// Queries the server's features, and opens connections ahead of use if they are costly, while the first
  /// folder is listed.
  private func prepare() throws(AssetError) {
    guard server.hasCostlyConnections() else {
      _ = WorkerThread.start { [self] in _ = try? features() }
      return
    }
    hasCostlyConnections.store(true, ordering: .relaxed)
    // Until the features are known, a server may open a connection per request; query them first so that one
    // is reused.
    _ = try features()
    for _ in 0..<Self.earlyConnections {
      _ = WorkerThread.start { [server] in
        // Leave the existing connection to the request for the first folder.
        Waiting.pause(Self.headStart)
        server.openConnection()
      }
    }
  }

  private func features() throws(AssetError) -> ServerFeatures {
    if let known = known.withLock({ $0 }) { return known }
    asking.wait()
    defer { asking.signal() }
    if let known = known.withLock({ $0 }) { return known }
    do throws(ServerError) {
      let features = try server.features()
      known.withLock { $0 = features }
      return features
    } catch {
      throw issue(error, [])
    }
  }

  /// Returns the path on the server of a path relative to the source.
  private func serverPath(of below: [UInt8]) -> [UInt8] {
    let root = Array(address.path.utf8)
    return root.isEmpty || below.isEmpty ? root + below : root + [UInt8(ascii: "/")] + below
  }

  private func issue(_ error: ServerError, _ path: [UInt8]) -> AssetError {
    AssetError(path.isEmpty ? name : subject(path), error.reason, isTransient: error.isTransient)
  }

  // MARK: Bytes

  func read(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(AssetError) {
    do throws(DownloadFailure) {
      try readOriginal(file, range, isCancelled: isCancelled, take: take)
    } catch {
      throw error.error
    }
  }

  func readOriginal(
    _ file: RemoteFile, _ range: Range<Int>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(DownloadFailure) {
    let start = Int64(range.lowerBound)
    let end = file.knowsSize ? min(Int64(range.upperBound), file.size) : Int64(range.upperBound)
    guard start < end else { return }
    let known = ServerFile(
      path: serverPath(of: file.path), size: file.knowsSize ? file.size : nil,
      modified: file.modified != 0 ? file.modified : nil)
    do throws(ServerError) {
      try server.read(known, start..<end, isCancelled: isCancelled, take: take)
    } catch {
      throw failure(error, file)
    }
  }

  private func failure(_ error: ServerError, _ file: RemoteFile) -> DownloadFailure {
    let issue = issue(error, file.path)
    return error == .changed ? .changed(issue) : .failed(issue)
  }

  func hashes(of file: RemoteFile) throws(DownloadFailure) -> [FileHash: String] {
    do throws(ServerError) {
      return try server.hashes(of: serverPath(of: file.path))
    } catch {
      throw failure(error, file)
    }
  }

  func confirm(_ file: RemoteFile) throws(DownloadFailure) {
    do throws(ServerError) {
      let entry = try server.entry(at: serverPath(of: file.path))
      // Without modification times only the size can be compared.
      guard let entry, RemoteFile.size(reported: entry.size ?? RemoteFile.unknownSize) == file.size,
        file.modified == 0 || entry.modified == file.modified
      else { throw ServerError.changed }
    } catch {
      throw failure(error, file)
    }
  }

  func keep(thumbnail: [UInt8], at offset: Int, of file: RemoteFile, isWanted: Bool) {
    thumbnails.keep(.embedded(thumbnail, place: offset), of: file.version, makesRoom: isWanted)
  }

  func keep(picture: DecodedPicture, of file: RemoteFile) -> Bool {
    guard let jpeg = SmallJPEG.bytes(of: picture) else { return false }
    return thumbnails.keep(.made(jpeg), of: file.version, makesRoom: true)
  }

  func downloadShort(
    _ file: RemoteFile, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AssetError) -> Bool {
    guard file.knowsSize, file.size <= Self.longestShort else { return false }
    do throws(DownloadFailure) {
      try transfers.download(file, of: self) { _ in isCancelled() ? .stop : .proceed }
    } catch {
      throw error.error
    }
    return true
  }

  // MARK: Files on this machine

  /// Returns the path relative to the source of a local path; nil if that belongs to another source.
  func file(at here: FilePath) -> [UInt8]? {
    let root = path.bytes + [UInt8(ascii: "/")]
    let bytes = here.bytes
    return bytes.starts(with: root) ? Array(bytes.dropFirst(root.count)) : nil
  }
}

extension FilePath {
  /// Appends a path in bytes.
  func appendingBytes(_ below: [UInt8]) -> FilePath { FilePath(bytes: bytes + [UInt8(ascii: "/")] + below) }
}
