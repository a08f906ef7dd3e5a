import System

/// The certificates that the user trusts, each for one server.
///
/// Each is stored in a file that only its owner can read.
package struct CertificateStore: Hashable, Sendable {
  /// The maximum size of a file in bytes.
  private static let longest = 1 << 16

  /// The folder, created with the first certificate.
  package let folder: String

  /// - Parameter folder: $XDG_CONFIG_HOME/tpick/certificates.
  package init(in folder: String) { self.folder = folder }

  /// The path of a server's certificate file, whether or not it exists.
  func path(of server: ServerEndpoint) -> String { "\(folder)/\(server.fileName)" }

  /// A trusted certificate.
  package struct Trusted: Hashable, Sendable {
    package var path: String
    package var fingerprint: CertificateFingerprint
  }

  /// Returns the certificate that is trusted for a server; nil if there is none.
  ///
  /// Files of other servers are ignored.
  /// - Throws: `RcloneError` if the file exists but can't be used: it is unreadable, not a certificate, or
  ///   writable by other users. Nil would be wrong then: the system's certificates would apply.
  package func certificate(for server: ServerEndpoint) throws(RcloneError) -> Trusted? {
    let path = path(of: server)
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Self.failure(path)
    }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longest else {
      throw Self.unusable(path, "it is not a certificate file")
    }
    try Self.checkOwner(path, facts)
    guard let text = Self.text(of: path) else { throw Self.failure(path) }
    guard let fingerprint = CertificateFingerprint(ofPEM: text) else {
      throw Self.unusable(path, "it contains no certificate")
    }
    return Trusted(path: path, fingerprint: fingerprint)
  }

  /// Whether no certificate is trusted.
  /// - Throws: `RcloneError` if the folder can't be read or other users can write to it.
  package func isEmpty() throws(RcloneError) -> Bool {
    guard let stream = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return true }
      throw Self.failure(folder)
    }
    defer { closedir(stream) }
    var facts = stat()
    guard fstat(dirfd(stream), &facts) == 0 else { throw Self.failure(folder) }
    try Self.checkOwner(folder, facts)
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".pem") { return false }
    }
    return true
  }

  /// Checks that no other user could have written a file or folder.
  private static func checkOwner(_ path: String, _ facts: stat) throws(RcloneError) {
    guard [geteuid(), 0].contains(facts.st_uid) else { throw unusable(path, "it belongs to another user") }
    guard facts.st_mode & 0o022 == 0 else {
      throw unusable(path, "other users can change it; use chmod go-w")
    }
  }

  private static func unusable(_ path: String, _ reason: String) -> RcloneError {
    RcloneError(.failed, path, "the trusted certificate can't be used: \(reason)")
  }

  /// Trusts a certificate for a server and replaces the previous one.
  package func trust(_ certificate: ServerCertificate, for server: ServerEndpoint) throws(RcloneError) {
    makeFolders()
    let path = path(of: server)
    let draft = "\(folder)/.\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    var bytes = Array(certificate.text.utf8)[...]
    var isWritten = true
    while isWritten, !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else { isWritten = count < 0 && errno == EINTR }
    }
    isWritten = isWritten && fsync(file) == 0
    isWritten = close(file) == 0 && isWritten
    guard isWritten, rename(draft, path) == 0 else {
      let failure = Self.failure(path)
      unlink(draft)
      throw failure
    }
  }

  /// Removes the trusted certificate of a server.
  /// - Returns: whether there was one.
  package func forget(_ server: ServerEndpoint) throws(RcloneError) -> Bool {
    if unlink(path(of: server)) == 0 { return true }
    if errno == ENOENT { return false }
    throw Self.failure(path(of: server))
  }

  private func makeFolders() {
    var made = ""
    // If a folder can't be created, writing the file reports the error.
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      _ = mkdir(made, 0o700)
    }
  }

  /// Returns the text of a file; nil on failure, with the reason in errno.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: longest)
    let count = read(file, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  private static func failure(_ path: String) -> RcloneError {
    RcloneError(.failed, path, String(cString: strerror(errno)))
  }
}
