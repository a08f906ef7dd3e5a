/// A server with folders of photos: what a library needs of one, whatever reaches it.
///
/// Calls may come from any thread, several at once, and wait for the network. A server tries again by
/// itself where that helps, keeps its own limits, and is never written to. Paths have no slash at
/// either end; an empty one is the root.
package protocol Server: Sendable {
  /// Returns the entries of one folder, not of those below it.
  /// - Parameter isCancelled: whether the answer is not wanted any more; asked every moment.
  func list(
    _ folder: [UInt8], isCancelled: @escaping @Sendable () -> Bool
  ) throws(ServerError) -> [ServerEntry]

  /// Reads a range of a file.
  /// - Parameters:
  ///   - file: as it was listed.
  ///   - range: which bytes; of a file of unknown length as many of them as there are.
  ///   - take: gets the bytes in their order, as they come; its answer false ends the reading.
  /// - Throws: `ServerError.changed` where the file is not in that state any more.
  func read(
    _ file: ServerFile, _ range: Range<Int64>, isCancelled: @escaping @Sendable () -> Bool,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(ServerError)

  /// Returns what is at a path now; nil where nothing is.
  func entry(at path: [UInt8]) throws(ServerError) -> ServerEntry?

  /// Returns the digests that the server has of a file, as hexadecimal digits; none where it has none.
  func hashes(of path: [UInt8]) throws(ServerError) -> [FileHash: String]

  /// Returns what the server can do; asked once for each folder of it that is a source.
  func features() throws(ServerError) -> ServerFeatures

  /// Whether each connection takes many answers of the server, so that a few of them are made early and shared.
  ///
  /// Does not wait for the network.
  func hasCostlyConnections() -> Bool

  /// Makes another connection, before it is needed.
  func openConnection()

  /// Asks the server again that was given up because it did not answer.
  func revive()
}

extension Server {
  package func features() throws(ServerError) -> ServerFeatures { ServerFeatures() }

  package func hasCostlyConnections() -> Bool { false }

  package func openConnection() {}

  package func revive() {}
}

/// Why something can't be had from a server, by what a library does about it.
///
/// The reasons are words for users, which follow a colon: no secrets are in them.
package enum ServerError: Error, Hashable, Sendable {
  /// The file is not the one that was listed: its folder is listed again.
  case changed
  /// Nothing has that name.
  case notFound(reason: String)
  /// The server, or the network, is away or busy: the same may succeed later.
  case unavailable(reason: String)
  /// The server can't be used as it is set up: it refuses access, can't be trusted, or a program is missing.
  case refused(reason: String)
  /// The request failed for another reason.
  case failed(reason: String)
  /// The caller did not want it any more.
  case cancelled(reason: String)

  package var reason: String {
    switch self {
    case .changed: "it was changed on the server, and is looked at again"
    case .notFound(let reason), .unavailable(let reason), .refused(let reason), .failed(let reason),
      .cancelled(let reason):
      reason
    }
  }

  /// Whether the same may succeed later.
  package var isTransient: Bool {
    if case .unavailable = self { true } else { false }
  }
}

/// A file or folder as a server lists it.
package struct ServerEntry: Hashable, Sendable {
  package var name: [UInt8]
  /// Bytes, as the server tells them; nil where it does not know before the file is read.
  package var size: Int64?
  /// Nanoseconds since 1970, UTC; 0 where none is told.
  package var modified: Int64
  package var isFolder: Bool
  /// The server's own identifier, which survives a new name; nil where it has none.
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
  /// Bytes; nil where its length is not known.
  package var size: Int64?
  /// Nanoseconds since 1970, UTC; nil where it has no time to compare.
  package var modified: Int64?

  package init(path: [UInt8], size: Int64?, modified: Int64?) {
    (self.path, self.size, self.modified) = (path, size, modified)
  }
}

/// What a server can do.
package struct ServerFeatures: Hashable, Sendable {
  /// Whether a folder gets another time when something in it is added, removed or renamed: then what looks unchanged is not
  /// listed again.
  package var hasFolderTimes: Bool
  /// Whether it keeps the times of files, and does not tell that of the question in their place.
  package var keepsTimes: Bool

  package init(hasFolderTimes: Bool = false, keepsTimes: Bool = true) {
    (self.hasFolderTimes, self.keepsTimes) = (hasFolderTimes, keepsTimes)
  }
}

/// A hash by which a server may know its files, the surest first.
package enum FileHash: String, CaseIterable, Sendable {
  case sha256, sha1, md5
}
