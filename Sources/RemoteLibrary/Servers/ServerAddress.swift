import AssetLibrary
package import SystemPackage

/// The address of a folder or file on a server.
///
/// Parsed by its `ServerKind` and opaque to the library.
package struct ServerAddress: Hashable, Sendable {
  /// The kind of server: `ServerKind.scheme`.
  package let scheme: String
  /// The server in its kind's syntax, including secrets: "nas:".
  package let server: String
  /// The same for messages, without secrets.
  package let serverName: String
  /// The server's name in the index and in the cache's paths.
  ///
  /// Stable across runs, unique to the server, without slashes, colons and secrets.
  package let volume: String
  /// The path on the server, without leading and trailing slashes; "" = the root.
  package let path: String

  package init(scheme: String, server: String, serverName: String, volume: String, path: String) {
    (self.scheme, self.server, self.serverName) = (scheme, server, serverName)
    (self.volume, self.path) = (volume, path)
  }

  /// The whole address in its kind's syntax, including secrets.
  package var text: String { server + path }

  /// The address for messages, without secrets.
  package var publicText: String { serverName + path }

  /// Returns the address of another path on the same server.
  package func at(_ path: String) -> ServerAddress {
    ServerAddress(scheme: scheme, server: server, serverName: serverName, volume: volume, path: path)
  }

  /// The parent folder, and the name in it; nil for the root of a server.
  package var place: (folder: ServerAddress, name: String)? {
    guard !path.isEmpty else { return nil }
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = String(decoding: bytes[..<(slash ?? 0)], as: UTF8.self)
    let name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    return (at(folder), name)
  }

  /// Removes duplicates, and addresses that are inside others of the list.
  package static func outermost(_ addresses: [ServerAddress]) -> [ServerAddress] {
    let all = Set(addresses)
    var seen: Set<ServerAddress> = []
    return addresses.filter { address in
      guard seen.insert(address).inserted else { return false }
      var around = address.place?.folder
      while let folder = around {
        if all.contains(folder) { return false }
        around = folder.place?.folder
      }
      return true
    }
  }
}

/// A kind of server: parses its addresses and connects to its servers.
package protocol ServerKind: Sendable {
  /// The prefix of its files' names in the index, and the URI scheme in results: "rclone".
  ///
  /// Letters only.
  var scheme: String { get }

  /// Parses an address; nil if the word is not one of this kind.
  ///
  /// A word that starts with the scheme and a colon always is an address of this kind; the rest is
  /// percent-encoded.
  func address(_ word: String) -> ServerAddress?

  /// Returns the root of the server with a name in the index; nil if the name does not identify the server.
  func root(ofVolume volume: String) -> ServerAddress?

  /// Returns a client for the server of an address.
  ///
  /// Sends no request yet.
  func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server
}

/// Settings for requests to a server.
package struct ServerSettings: Sendable {
  /// The maximum number of requests per second.
  package var requestsPerSecond: Double = 50
  /// The timeout in whole seconds; nil = the default.
  package var timeout: Duration?
  /// The first pause before a server that is down is tried again; nil = never.
  package var recovery: Duration?

  package init() {}
}

/// The kinds of servers that a program supports.
package struct ServerKinds: Sendable {
  private let kinds: [any ServerKind]

  /// - Parameter kinds: tried in this order when a word is parsed.
  package init(_ kinds: [any ServerKind]) { self.kinds = kinds }

  /// Parses an address; nil if the word is not one.
  package func address(_ word: String) -> ServerAddress? {
    for kind in kinds {
      if let address = kind.address(word) { return address }
    }
    return nil
  }

  /// Whether a word starts with a kind's scheme, and so must be an address, not a local path.
  package func isMarked(_ word: some Sequence<UInt8>) -> Bool {
    let bytes = Array(word.prefix(64))
    return kinds.contains { bytes.starts(with: "\($0.scheme):".utf8) }
  }

  /// Parses a file's name in the index; nil for a local file.
  package func place(_ name: FilePath?) -> RemotePlace? {
    guard let bytes = name?.bytes,
      let kind = kinds.first(where: { bytes.starts(with: "\($0.scheme):".utf8) })
    else { return nil }
    return RemotePlace(bytes.dropFirst(kind.scheme.utf8.count + 1), kind)
  }

  /// - Parameter address: an address parsed by one of the kinds.
  func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server {
    guard let kind = kinds.first(where: { $0.scheme == address.scheme }) else {
      preconditionFailure("no kind of server made this address")
    }
    return kind.connect(to: address, settings)
  }
}

/// The location of a remote file as stored in the index: "rclone:nas:/Photos/a.jpg", with the server's volume
/// name.
package struct RemotePlace: Sendable {
  private let kind: any ServerKind
  private let volume: String
  private let path: String

  /// - Parameter name: the part after the scheme.
  fileprivate init?(_ name: ArraySlice<UInt8>, _ kind: any ServerKind) {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    self.kind = kind
    volume = String(decoding: name[..<colon], as: UTF8.self)
    path = String(decoding: name[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Returns the address of the file.
  ///
  /// The volume name of a server does not always suffice to reach it: options and secrets are not part of it.
  /// - Parameter known: addresses whose servers are searched first.
  /// - Returns: nil if none of the servers has this volume name, and the name alone does not identify a
  ///   server.
  package func address(among known: [ServerAddress]) -> ServerAddress? {
    let root =
      known.first { $0.scheme == kind.scheme && $0.volume == volume } ?? kind.root(ofVolume: volume)
    return root?.at(path)
  }
}
