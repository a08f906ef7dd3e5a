import AssetLibrary
import Fixtures
import FolderLibrary
import SystemPackage
import Testing

@testable import RemoteLibrary

/// When a folder that looks unchanged is requested again.
@Suite struct ServerSourceTests {
  /// A server whose folders have modification times and no files.
  private struct EmptyFolders: Server {
    func features() throws(ServerError) -> ServerFeatures { ServerFeatures(hasFolderTimes: true) }
    func list(
      _ folder: [UInt8], isCancelled: @escaping @Sendable () -> Bool
    ) throws(ServerError) -> [ServerEntry] { [] }
    func entry(at path: [UInt8]) throws(ServerError) -> ServerEntry? { nil }
    func hashes(of path: [UInt8]) throws(ServerError) -> [FileHash: String] { [:] }
    func read(
      _ file: ServerFile, _ range: Range<Int64>, isCancelled: @escaping @Sendable () -> Bool,
      take: (UnsafeRawBufferPointer) -> Bool
    ) throws(ServerError) {}
  }

  /// - Returns: Whether a folder is requested again after a listing that began `delay` seconds after its last change
  ///   was just stored.
  private func isListedAgain(asked delay: Int64) throws -> Bool {
    let cache = try TemporaryFolder()
    let home = FilePath(cache.path)
    let database = RemoteDatabase(at: home.appending("remote.sqlite"))
    let originals = OriginalsCache(home.appending("originals"), limit: 1 << 20, database)
    let address = ServerAddress(scheme: "s", server: "s:", serverName: "s:", volume: "s", path: "")
    let source = ServerSource(
      address, EmptyFolders(), in: originals.folder, database, RemoteThumbnails(database),
      OriginalTransfers(originals), isOffline: false)
    let changed = AssetDate.nowInUTC.wallSeconds - 60
    let (folder, time) = (Array("2024".utf8), changed * 1_000_000_000)
    source.finishedListing(folder, modified: time, asked: changed + delay)
    return try source.list(folder, modified: time, isLeaf: true, isCancelled: { false }) != nil
  }

  @Test func `A folder listed long after its last change is not requested again`() throws {
    #expect(try !isListedAgain(asked: 30))
  }

  @Test func `A folder listed at the moment of its last change is, however late that was stored`() throws {
    #expect(try isListedAgain(asked: 0))
    #expect(try isListedAgain(asked: 1))
  }
}
