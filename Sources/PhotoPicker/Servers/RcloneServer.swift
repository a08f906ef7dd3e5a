import AssetLibrary
import FolderLibrary
package import Rclone
package import RemoteLibrary
import Synchronization

/// The servers that rclone can access: remotes in its configuration, and connection strings.
package struct RcloneServers: ServerKind {
  package let scheme = "rclone"

  package init() {}

  package func address(_ word: String) -> ServerAddress? {
    RemoteAddress(word).map { address in
      ServerAddress(
        scheme: scheme, server: address.remote, serverName: RemoteAddress.publicName(of: address.remote),
        volume: RemoteVolume.name(of: address.remote), path: address.path)
    }
  }

  package func root(ofVolume volume: String) -> ServerAddress? {
    RemoteVolume.remote(of: volume).flatMap(address)
  }

  package func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server {
    var reached = RcloneSettings(recovery: settings.recovery)
    reached.limits.requestsPerSecond = settings.requestsPerSecond
    if let timeout = settings.timeout { reached.setTimeout(timeout) }
    return RcloneServer { [reached] () throws(RcloneError) in
      let store = CertificateStore(in: UserDirectories.configuration.appending("certificates").string)
      let trusted = try CertificateTrust(store).settings(for: address.server, reached)
      return RcloneRemote(address.server, settings: trusted)
    }
  }
}

/// A remote of rclone as a server.
///
/// The remote is created at the first call, which may have to wait: rclone may be asked which certificate to
/// present.
package final class RcloneServer: Server {
  private let make: @Sendable () throws(RcloneError) -> RcloneRemote
  private let known = Mutex<RcloneRemote?>(nil)
  /// A time precision that means that the server stores no times: it reports the current time instead.
  private static let noPrecision: Int64 = 86_400_000_000_000

  package init(_ make: @escaping @Sendable () throws(RcloneError) -> RcloneRemote) { self.make = make }

  private func remote() throws(RcloneError) -> RcloneRemote {
    try known.withLock { known throws(RcloneError) in
      if let known { return known }
      let made = try make()
      known = made
      return made
    }
  }

  private func asking<Answer>(
    _ body: (RcloneRemote) throws(RcloneError) -> Answer
  ) throws(ServerError) -> Answer {
    do throws(RcloneError) {
      return try body(try remote())
    } catch {
      throw ServerError(error)
    }
  }

  package func list(
    _ folder: [UInt8], isCancelled: @escaping @Sendable () -> Bool
  ) throws(ServerError) -> [ServerEntry] {
    try asking { remote throws(RcloneError) in
      try remote.list(Self.text(folder), wantsHashes: false, isCancelled: isCancelled).map(ServerEntry.init)
    }
  }

  package func read(
    _ file: ServerFile, _ range: Range<Int64>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ServerError) {
    let path = Self.text(file.path)
    try asking { remote throws(RcloneError) in
      if let size = file.size {
        try remote.read(
          path, range: range, of: size, modified: file.modified, isCancelled: isCancelled, take: take)
      } else {
        try remote.readToEnd(path, range, modified: file.modified, isCancelled: isCancelled, take: take)
      }
    }
  }

  package func entry(at path: [UInt8]) throws(ServerError) -> ServerEntry? {
    try asking { remote throws(RcloneError) in try remote.entry(at: Self.text(path)).map(ServerEntry.init) }
  }

  package func hashes(of path: [UInt8]) throws(ServerError) -> [FileHash: String] {
    let known = try asking { remote throws(RcloneError) in try remote.hashes(of: Self.text(path)) }
    return known.reduce(into: [:]) { hashes, hash in
      if let kind = FileHash(rawValue: hash.key) { hashes[kind] = hash.value }
    }
  }

  package func features() throws(ServerError) -> ServerFeatures {
    let features = try asking { remote throws(RcloneError) in try remote.features() }
    return ServerFeatures(
      hasFolderTimes: features.hasFolderTimes, keepsTimes: features.precision < Self.noPrecision)
  }

  package func hasCostlyConnections() -> Bool { (try? remote())?.hasCostlyConnections() ?? false }

  package func openConnection() { try? remote().openConnection() }

  package func revive() { known.withLock { $0 }?.revive() }

  /// Converts a path to text, because rclone receives names in JSON.
  private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

extension ServerEntry {
  fileprivate init(_ entry: RcloneEntry) {
    self.init(
      name: Array(entry.name.utf8), size: entry.size, modified: entry.modified, isFolder: entry.isFolder,
      identifier: entry.id)
  }
}

extension ServerError {
  fileprivate init(_ error: RcloneError) {
    self =
      switch error.kind {
      case .changed: .changed
      case .notFound: .notFound(reason: error.reason)
      case .unreachable, .timedOut, .tooManyRequests: .unavailable(reason: error.reason)
      case .programMissing, .programTooOld, .noSuchRemote, .accessDenied, .rangeIgnored, .certificate:
        .refused(reason: error.reason)
      case .failed: .failed(reason: error.reason)
      case .cancelled: .cancelled(reason: error.reason)
      }
  }
}

/// Names of remotes on this machine, which are valid folder names and contain no secrets.
enum RemoteVolume {
  /// The prefix of names for connection strings.
  ///
  /// Only a hash of the string follows, which identifies it without revealing it.
  private static let made = "remote-"

  /// Returns the name of a remote.
  /// - Parameter remote: as in rclone, with its colon, and with a slash if its paths begin with one.
  static func name(of remote: String) -> String {
    guard RemoteAddress.isConfigured(remote) else {
      return made + String(RemoteListing.key(of: Array(remote.utf8)), radix: 16)
    }
    let slash = remote.hasSuffix("/") ? "%2F" : ""
    let name = FileURI.text(for: remote.utf8.prefix(remote.utf8.count - (slash.isEmpty ? 1 : 2)))
      .dropFirst("file://".count)
    // Escape the first letter of names that begin like a generated one, or with a dot, which would hide the
    // folder.
    let escape = name.hasPrefix(made) ? "%72" : name.hasPrefix(".") ? "%2E" : nil
    return (escape.map { $0 + name.dropFirst() } ?? String(name)) + slash
  }

  /// Returns the remote with a name; nil for a connection string, which is not stored.
  static func remote(of name: String) -> String? {
    guard !name.hasPrefix(made), let bytes = FileURI.path(of: "file:///" + name)?.dropFirst() else {
      return nil
    }
    let remote = String(decoding: bytes, as: UTF8.self)
    return remote.hasSuffix("/") ? remote.dropLast() + ":/" : remote + ":"
  }
}
