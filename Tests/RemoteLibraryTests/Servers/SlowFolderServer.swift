import Fixtures
import Foundation
import RemoteLibrary
import Synchronization

/// A local folder as a slow server: this file has everything that another kind of server needs.
struct SlowFolders: ServerKind {
  let scheme = "slow"
  let server: SlowFolderServer

  func address(_ word: String) -> ServerAddress? {
    guard word.hasPrefix("slow:") else { return nil }
    let path = word.dropFirst("slow:".count).split(separator: "/").joined(separator: "/")
    return ServerAddress(scheme: scheme, server: "slow:", serverName: "slow:", volume: "disk", path: path)
  }

  func root(ofVolume volume: String) -> ServerAddress? { volume == "disk" ? address("slow:") : nil }

  func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server { server }
}

/// Each answer takes a few milliseconds; changed files and an unreachable network are reported as every server must.
final class SlowFolderServer: Server {
  /// The time until it answers.
  private static let delay = 0.003
  /// Bytes of files arrive in pieces of this size.
  private static let piece = 8192

  private let root: URL
  private let gone = Atomic(false)
  private let read = Mutex<[String: Int64]>([:])

  init(serving folder: TemporaryFolder) { root = URL(filePath: folder.path, directoryHint: .isDirectory) }

  /// Whether it is unreachable.
  var isGone: Bool {
    get { gone.load(ordering: .relaxed) }
    set { gone.store(newValue, ordering: .relaxed) }
  }

  /// The number of bytes read from each file, by path.
  var bytesRead: [String: Int64] { read.withLock { $0 } }

  private func answer(_ path: [UInt8]) throws(ServerError) -> URL {
    Thread.sleep(forTimeInterval: Self.delay)
    if isGone { throw .unavailable(reason: "the folder can't be reached") }
    return path.isEmpty ? root : root.appending(path: String(decoding: path, as: UTF8.self))
  }

  func list(
    _ folder: [UInt8], isCancelled: @escaping @Sendable () -> Bool
  ) throws(ServerError) -> [ServerEntry] {
    let place = try answer(folder)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
      throw .notFound(reason: "there is no such folder")
    }
    return names.compactMap { Self.entry(at: place.appending(path: $0)) }
  }

  func entry(at path: [UInt8]) throws(ServerError) -> ServerEntry? { Self.entry(at: try answer(path)) }

  private static func entry(at place: URL) -> ServerEntry? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: place.path),
      let changed = facts[.modificationDate] as? Date
    else { return nil }
    return ServerEntry(
      name: Array(place.lastPathComponent.utf8), size: (facts[.size] as? NSNumber)?.int64Value,
      modified: Int64(changed.timeIntervalSince1970) * 1_000_000_000,
      isFolder: facts[.type] as? FileAttributeType == .typeDirectory)
  }

  func read(
    _ file: ServerFile, _ range: Range<Int64>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ServerError) {
    let place = try answer(file.path)
    guard let now = Self.entry(at: place) else { throw .notFound(reason: "there is no such file") }
    guard now.size == file.size, now.modified == file.modified else { throw .changed }
    guard let bytes = try? Data(contentsOf: place) else { throw .refused(reason: "it can't be read") }
    var left = Int(range.lowerBound)..<Int(min(range.upperBound, Int64(bytes.count)))
    while !left.isEmpty {
      if isCancelled() { throw .cancelled(reason: "cancelled") }
      let part = bytes[left.prefix(Self.piece)]
      left = left.dropFirst(Self.piece)
      read.withLock { $0[String(decoding: file.path, as: UTF8.self), default: 0] += Int64(part.count) }
      guard part.withUnsafeBytes(take) else { return }
    }
  }

  /// It provides no hashes.
  func hashes(of path: [UInt8]) throws(ServerError) -> [FileHash: String] { [:] }
}
