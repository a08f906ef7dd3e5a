import System
/// A place on a server, as a word of a command line names it for rclone.
package struct RemoteAddress: Hashable, Sendable {
  /// The remote as rclone writes it, with its colon, without a path: "nas:", ":sftp,host=example.org:".
  ///
  /// A slash behind the colon belongs to it ("nas:/") where the kind of server begins elsewhere with it, or may.
  package let remote: String
  /// The path in it, without slashes at its ends; "" = its root.
  ///
  /// One folder has one: "a//./b/../c" is "a/c". A ".." stays at its beginning, where the root is another one to the server.
  package let path: String

  /// Kinds of remotes that begin elsewhere with a slash, or lead to such a one; to all others "nas:/a" is "nas:a"
  /// (https://rclone.org/docs/#syntax-of-remote-paths).
  private static let kindsWithRoots: Set = [
    "sftp", "ftp", "dropbox", "local", "alias", "crypt", "union", "combine", "chunker", "compress", "hasher",
    "cache",
  ]

  /// - Parameters:
  ///   - word: what the user wrote. "rclone:REST" always is a remote, with the escapes of URIs; whether a local path of that
  ///     name goes before is the caller's to see.
  ///   - kind: the kind of a configured remote, by its name; nil where it can't be told.
  /// - Returns: nil where a word is no remote.
  package init?(_ word: String, kind: (String) -> String? = RemoteOptions.kindInFile) {
    let scheme = "rclone:"
    if word.hasPrefix(scheme) {
      let rest = PercentEncoding.decodedText(word.dropFirst(scheme.count))
      if let inner = RemoteSpecification(rest) {
        self.init(inner, in: rest, kind)
      } else {
        // A remote of that name.
        self.init(remote: scheme, rawPath: rest)
      }
      return
    }
    guard let specification = RemoteSpecification(word, allowsFlagsOfNames: false) else { return nil }
    self.init(specification, in: word, kind)
    // A URL is no remote that is called like its scheme.
    if specification.backend == nil, word.utf8.dropFirst(specification.length).starts(with: "//".utf8) {
      return nil
    }
  }

  private init(_ specification: RemoteSpecification, in word: String, _ kind: (String) -> String?) {
    var path = word.utf8.dropFirst(specification.length)
    if path.first == UInt8(ascii: "/"),
      let kind = specification.backend ?? specification.name.flatMap(kind),
      !Self.kindsWithRoots.contains(kind)
    {
      path = path.dropFirst()
    }
    self.init(
      remote: String(decoding: word.utf8.prefix(specification.length), as: UTF8.self),
      rawPath: String(decoding: path, as: UTF8.self))
  }

  /// - Parameter hasRoot: whether a slash at the beginning of the path belongs to the remote.
  private init(remote: String, rawPath: String, hasRoot: Bool = true) {
    self.remote = hasRoot && rawPath.utf8.first == UInt8(ascii: "/") ? remote + "/" : remote
    var parts: [String.UTF8View.SubSequence] = []
    for part in rawPath.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8), let last = parts.last, !last.elementsEqual("..".utf8) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    path = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  /// Something below this place.
  package func appending(_ name: String) -> RemoteAddress {
    RemoteAddress(remote: remote, rawPath: path.isEmpty ? name : "\(path)/\(name)", hasRoot: false)
  }

  /// What a remote is called in messages: without what is secret in its options.
  /// - Parameter remote: as `remote` has it.
  package static func publicName(of remote: String) -> String {
    guard let specification = RemoteSpecification(remote) else { return remote }
    return specification.publicName
      + String(decoding: remote.utf8.dropFirst(specification.length), as: UTF8.self)
  }

  /// What it is called in messages.
  package var publicText: String { Self.publicName(of: remote) + path }

  /// Whether a remote is one of the user's configuration, without options of its own.
  package static func isConfigured(_ remote: String) -> Bool { RemoteSpecification(remote)?.isPlain ?? true }

  /// The whole address, as rclone takes it, with all options of the remote, secret ones among them.
  package var text: String { remote + path }
}
