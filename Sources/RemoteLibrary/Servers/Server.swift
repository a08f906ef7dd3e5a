/// A server with folders of photos: the interface between the library and a transport.
///
/// Any thread may call, several at once; calls block on the network. An implementation retries and limits
/// requests itself, and never writes to the server. Paths have no leading or trailing slash; the empty path
/// is the root.
package protocol Server: Sendable {
  /// Returns the entries directly in a folder.
  /// - Parameter isCancelled: called often; true cancels the request.
  func list(
    _ folder: [UInt8], isCancelled: @escaping @Sendable () -> Bool
  ) throws(ServerError) -> [ServerEntry]

  /// Reads a range of a file.
  /// - Parameters:
  ///   - file: the file as it was listed.
  ///   - range: the bytes to read; of a file of unknown size, as many of them as exist.
  ///   - take: receives the bytes in order as they arrive; false stops reading.
  /// - Throws: `ServerError.changed` if the file is no longer in the listed state.
  func read(
    _ file: ServerFile, _ range: Range<Int64>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ServerError)

  /// Returns the current entry at a path; nil if there is none.
  func entry(at path: [UInt8]) throws(ServerError) -> ServerEntry?

  /// Returns the server's digests of a file as hexadecimal digits; empty if it has none.
  func hashes(of path: [UInt8]) throws(ServerError) -> [FileHash: String]

  /// Returns the features of the server.
  ///
  /// Called once for each folder that is a source.
  func features() throws(ServerError) -> ServerFeatures

  /// Whether setting up a connection takes many round trips, so that a few are opened early and shared.
  ///
  /// Does not block on the network.
  func hasCostlyConnections() -> Bool

  /// Opens an additional connection ahead of use.
  func openConnection()

  /// Sends requests again to a server that was considered down.
  func revive()
}

extension Server {
  package func features() throws(ServerError) -> ServerFeatures { ServerFeatures() }

  package func hasCostlyConnections() -> Bool { false }

  package func openConnection() {}

  package func revive() {}
}

/// Why a request to a server failed, grouped by how a library reacts.
///
/// Reasons are shown to users after a colon and contain no secrets.
package enum ServerError: Error, Hashable, Sendable {
  /// The file is not the one that was listed; its folder must be listed again.
  case changed
  /// There is no such file or folder.
  case notFound(reason: String)
  /// The server or the network is unavailable or busy; the request may succeed later.
  case unavailable(reason: String)
  /// The server can't be used as configured: it denies access, is not trusted, or a program is missing.
  case refused(reason: String)
  /// The request failed for another reason.
  case failed(reason: String)
  /// The caller cancelled the request.
  case cancelled(reason: String)

  package var reason: String {
    switch self {
    case .changed: "it has changed on the server; its folder is listed again"
    case .notFound(let reason), .unavailable(let reason), .refused(let reason), .failed(let reason),
      .cancelled(let reason):
      reason
    }
  }

  /// Whether the same request may succeed later.
  package var isTransient: Bool {
    if case .unavailable = self { true } else { false }
  }
}

/// A file or folder in a server's listing.
package struct ServerEntry: Hashable, Sendable {
  package var name: [UInt8]
  /// Size in bytes as reported by the server; nil if it is unknown before the file is read.
  package var size: Int64?
  /// Nanoseconds since 1970, UTC; 0 if unknown.
  package var modified: Int64
  package var isFolder: Bool
  /// The server's own identifier, which is stable across renames; nil if it has none.
  package var identifier: String?

  package init(
    name: [UInt8], size: Int64?, modified: Int64, isFolder: Bool = false, identifier: String? = nil
  ) {
    (self.name, self.size, self.modified) = (name, size, modified)
    (self.isFolder, self.identifier) = (isFolder, identifier)
  }
}

/// A file in the state in which it was listed.
package struct ServerFile: Hashable, Sendable {
  package var path: [UInt8]
  /// Size in bytes; nil if unknown.
  package var size: Int64?
  /// Nanoseconds since 1970, UTC; nil if there is no time to compare.
  package var modified: Int64?

  package init(path: [UInt8], size: Int64?, modified: Int64?) {
    (self.path, self.size, self.modified) = (path, size, modified)
  }
}

/// The features of a server.
package struct ServerFeatures: Hashable, Sendable {
  /// Whether a folder's modification time changes when an entry is added, removed or renamed.
  ///
  /// If so, folders with an unchanged time are not listed again.
  package var hasFolderTimes: Bool
  /// Whether the server stores modification times of files; others report the time of the request.
  package var keepsTimes: Bool

  package init(hasFolderTimes: Bool = false, keepsTimes: Bool = true) {
    (self.hasFolderTimes, self.keepsTimes) = (hasFolderTimes, keepsTimes)
  }
}

/// A hash that a server may provide for its files, the strongest first.
package enum FileHash: String, CaseIterable, Sendable {
  case sha256, sha1, md5
}
