import AssetLibrary
package import SystemPackage

/// A folder on a server, or a file there, as the user named it.
///
/// Its `ServerKind` makes it of words; a library takes it as it is.
package struct ServerAddress: Hashable, Sendable {
  /// Which kind of server it is: `ServerKind.scheme`.
  package let scheme: String
  /// The server as its kind takes it, with all that may be secret: "nas:".
  package let server: String
  /// The same for messages, without what is secret.
  package let serverName: String
  /// What the server is called in the index and where its originals are kept: the same in every run, for one server alone,
  /// without slashes, colons and secrets.
  package let volume: String
  /// The path there, without slashes at its ends; "" = the root.
  package let path: String

  package init(scheme: String, server: String, serverName: String, volume: String, path: String) {
    (self.scheme, self.server, self.serverName) = (scheme, server, serverName)
    (self.volume, self.path) = (volume, path)
  }

  /// The whole address, as its kind takes it, with what may be secret.
  package var text: String { server + path }

  /// What it is called in messages.
  package var publicText: String { serverName + path }

  /// Another place on the same server.
  package func at(_ path: String) -> ServerAddress {
    ServerAddress(scheme: scheme, server: server, serverName: serverName, volume: volume, path: path)
  }

  /// The folder around it, and its name there; nil for the root of a server.
  package var place: (folder: ServerAddress, name: String)? {
    guard !path.isEmpty else { return nil }
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = String(decoding: bytes[..<(slash ?? 0)], as: UTF8.self)
    let name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    return (at(folder), name)
  }

  /// Addresses without those that lie in another of them, and are seen with that.
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

/// A kind of server: how its addresses are written, and what speaks to it.
package protocol ServerKind: Sendable {
  /// Begins the names of its files in the index, and the URIs of results: "rclone". Letters alone.
  var scheme: String { get }

  /// Returns the address that a word is; nil where it is none of this kind.
  ///
  /// A word that begins with the scheme and a colon is the rest of it with the escapes of URIs, and always of this kind.
  func address(_ word: String) -> ServerAddress?

  /// Returns the root of the server that has a name in the index; nil where the name does not tell which that is.
  func root(ofVolume volume: String) -> ServerAddress?

  /// Returns what speaks to the server of an address; nothing is asked of it yet.
  func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server
}

/// How a server is asked.
package struct ServerSettings: Sendable {
  /// How many requests a second are made of it at most.
  package var requestsPerSecond: Double = 50
  /// How long it may let wait, in whole seconds; nil = as long as usual.
  package var timeout: Duration?
  /// After how long one that was given up is asked again, the first time; nil = never.
  package var recovery: Duration?

  package init() {}
}

/// The kinds of servers that a program knows.
package struct ServerKinds: Sendable {
  private let kinds: [any ServerKind]

  /// - Parameter kinds: asked in this order whether a word is an address of theirs.
  package init(_ kinds: [any ServerKind]) { self.kinds = kinds }

  /// Returns the address that a word is; nil where it is none.
  package func address(_ word: String) -> ServerAddress? {
    for kind in kinds {
      if let address = kind.address(word) { return address }
    }
    return nil
  }

  /// Whether a word says by its scheme that it is an address, and can't be a path of this machine.
  package func isMarked(_ word: some Sequence<UInt8>) -> Bool {
    let bytes = Array(word.prefix(64))
    return kinds.contains { bytes.starts(with: "\($0.scheme):".utf8) }
  }

  /// Returns what a file's name in the index says of its place on a server; nil for a file of this machine.
  package func place(_ name: FilePath?) -> RemotePlace? {
    guard let bytes = name?.bytes,
      let kind = kinds.first(where: { bytes.starts(with: "\($0.scheme):".utf8) })
    else { return nil }
    return RemotePlace(bytes.dropFirst(kind.scheme.utf8.count + 1), kind)
  }

  /// - Parameter address: one that a kind made.
  func connect(to address: ServerAddress, _ settings: ServerSettings) -> any Server {
    guard let kind = kinds.first(where: { $0.scheme == address.scheme }) else {
      preconditionFailure("no kind of server made this address")
    }
    return kind.connect(to: address, settings)
  }
}

/// A file on a server as the index knows it: "rclone:nas:/Photos/a.jpg", the server by the name of its volume.
package struct RemotePlace: Sendable {
  private let kind: any ServerKind
  private let volume: String
  private let path: String

  /// - Parameter name: what stands behind the scheme.
  fileprivate init?(_ name: ArraySlice<UInt8>, _ kind: any ServerKind) {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    self.kind = kind
    volume = String(decoding: name[..<colon], as: UTF8.self)
    path = String(decoding: name[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Where it is; nil for a server that its name in the index does not tell, unless it is one of those given.
  package func address(among known: [ServerAddress]) -> ServerAddress? {
    let root =
      known.first { $0.scheme == kind.scheme && $0.volume == volume } ?? kind.root(ofVolume: volume)
    return root?.at(path)
  }
}
