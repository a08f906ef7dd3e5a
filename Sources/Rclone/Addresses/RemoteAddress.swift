import System
/// The address of a file or folder on a server, in rclone's syntax.
package struct RemoteAddress: Hashable, Sendable {
  /// The remote in rclone's syntax, with its colon, without a path: "nas:", ":sftp,host=example.org:".
  ///
  /// Includes a slash after the colon ("nas:/") if paths of this backend may differ with and without it.
  package let remote: String
  /// The path in the remote, without leading and trailing slashes; "" = the root.
  ///
  /// Normalized: "a//./b/../c" becomes "a/c". A leading ".." is kept, because only the server knows the
  /// parent of the root.
  package let path: String

  /// Backends for which "nas:/a" is not the same as "nas:a", or that may wrap such a backend
  /// (https://rclone.org/docs/#syntax-of-remote-paths).
  private static let kindsWithRoots: Set = [
    "sftp", "ftp", "dropbox", "local", "alias", "crypt", "union", "combine", "chunker", "compress", "hasher",
    "cache",
  ]

  /// Parses an address.
  ///
  /// - Parameters:
  ///   - word: what the user wrote. "rclone:REST" always is a remote; REST may contain the percent-encoding
  ///     of URIs. Whether a local path with that name takes precedence is up to the caller.
  ///   - kind: returns the backend type of a configured remote by its name; nil if it is unknown.
  /// - Returns: nil if the word is not a remote.
  package init?(_ word: String, kind: (String) -> String? = RemoteOptions.configuredBackend) {
    let scheme = "rclone:"
    if word.hasPrefix(scheme) {
      let rest = PercentEncoding.decodedText(word.dropFirst(scheme.count))
      if let inner = RemoteSpecification(rest) {
        self.init(inner, in: rest, kind)
      } else {
        // A remote that is itself named "rclone".
        self.init(remote: scheme, rawPath: rest)
      }
      return
    }
    guard let specification = RemoteSpecification(word, allowsFlagsOfNames: false) else { return nil }
    self.init(specification, in: word, kind)
    // A URL is not a remote that has the name of its scheme.
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

  /// - Parameter hasRoot: whether a leading slash of the path belongs to the remote.
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

  /// Returns the address of an entry below this one.
  package func appending(_ name: String) -> RemoteAddress {
    RemoteAddress(remote: remote, rawPath: path.isEmpty ? name : "\(path)/\(name)", hasRoot: false)
  }

  /// Returns a remote for use in messages, without the secrets in its options.
  /// - Parameter remote: in the form of `remote`.
  package static func publicName(of remote: String) -> String {
    guard let specification = RemoteSpecification(remote) else { return remote }
    return specification.publicName
      + String(decoding: remote.utf8.dropFirst(specification.length), as: UTF8.self)
  }

  /// The address for use in messages, without secrets.
  package var publicText: String { Self.publicName(of: remote) + path }

  /// Whether a remote is defined in the user's configuration, without options added in the address.
  package static func isConfigured(_ remote: String) -> Bool { RemoteSpecification(remote)?.isPlain ?? true }

  /// The whole address as passed to rclone.
  ///
  /// Contains all options of the remote, including secrets.
  package var text: String { remote + path }
}
