/// A place on a server, as a word of a command line names it for rclone.
package struct RemoteAddress: Hashable, Sendable {
  /// The remote as rclone writes it, with its colon, without a path: "nas:", ":sftp,host=example.org:".
  ///
  /// A slash behind the colon belongs to it ("nas:/"): some servers begin elsewhere with it.
  package let remote: String
  /// The path in it, without slashes at its ends; "" = its root.
  ///
  /// One folder has one: "a//./b/../c" is "a/c". A ".." stays at its beginning, where the root is another one to the server.
  package let path: String

  /// - Parameter word: what the user wrote. "rclone:REST" always is a remote; whether a local path of that name goes before is the
  ///   caller's to see.
  /// - Returns: nil where a word is no remote.
  package init?(_ word: String) {
    let scheme = "rclone:"
    if word.hasPrefix(scheme) {
      let rest = String(word.dropFirst(scheme.count))
      if let inner = RemoteSpecification(rest, allowsOptionsOfNames: true) {
        self.init(inner, in: rest)
      } else {
        // A remote of that name.
        self.init(remote: scheme, rawPath: rest)
      }
      return
    }
    guard let specification = RemoteSpecification(word, allowsOptionsOfNames: false) else { return nil }
    self.init(specification, in: word)
    // A URL is no remote that is called like its scheme.
    if specification.backend == nil, word.utf8.dropFirst(specification.length).starts(with: "//".utf8) {
      return nil
    }
  }

  private init(_ specification: RemoteSpecification, in word: String) {
    self.init(
      remote: String(decoding: word.utf8.prefix(specification.length), as: UTF8.self),
      rawPath: String(decoding: word.utf8.dropFirst(specification.length), as: UTF8.self))
  }

  private init(remote: String, rawPath: String) {
    self.remote = rawPath.utf8.first == UInt8(ascii: "/") ? remote + "/" : remote
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

  /// Whether another address is this one, or lies below it.
  package func holds(_ other: RemoteAddress) -> Bool {
    remote == other.remote && (path.isEmpty || path == other.path || other.path.hasPrefix(path + "/"))
  }

  /// The whole address, as rclone takes it.
  package var text: String { remote + path }
}
