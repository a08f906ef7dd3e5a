/// A file or a folder in a listing.
package struct RcloneEntry: Hashable, Sendable {
  package var name: String
  /// In bytes; -1 where the server does not know before it is read, and of folders.
  package var size: Int64
  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  package var modified: Int64
  package var isFolder: Bool
  /// The server's own identifier; nil where it has none.
  package var id: String?
  /// Digests of the contents by their names (md5, sha1, sha256), as hexadecimal digits in lower case.
  package var hashes: [String: String]

  package init(
    name: String, size: Int64, modified: Int64, isFolder: Bool, id: String? = nil,
    hashes: [String: String] = [:]
  ) {
    self.name = name
    self.size = size
    self.modified = modified
    self.isFolder = isFolder
    self.id = id
    self.hashes = hashes
  }
}
