import System

/// The certificates that the user trusts, each for one server: a file a server, which only its owner can read.
package struct CertificateStore: Hashable, Sendable {
  /// Longer files are none of ours.
  private static let longest = 1 << 16

  /// The folder; made with the first certificate.
  package let folder: String

  /// - Parameter folder: $XDG_CONFIG_HOME/tpick/certificates.
  package init(in folder: String) { self.folder = folder }

  /// The file of a server's certificate, whether it is there or not.
  func path(of server: ServerEndpoint) -> String { "\(folder)/\(server.fileName)" }

  /// A certificate that is trusted.
  package struct Trusted: Hashable, Sendable {
    package var path: String
    package var fingerprint: CertificateFingerprint
  }

  /// The certificate that is trusted for a server; nil where none is.
  ///
  /// Another server's file never counts.
  /// - Throws: `RcloneError` where there is a file that can't be used: it can't be read, is none, or others could have written it.
  ///   That is not "none": the system's certificates would be believed in its place.
  package func certificate(for server: ServerEndpoint) throws(RcloneError) -> Trusted? {
    let path = path(of: server)
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Self.failure(path)
    }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= Self.longest else {
      throw Self.unusable(path, "it is no file of a certificate")
    }
    try Self.checkOwner(path, facts)
    guard let text = Self.text(of: path) else { throw Self.failure(path) }
    guard let fingerprint = CertificateFingerprint(ofPEM: text) else {
      throw Self.unusable(path, "it has no certificate")
    }
    return Trusted(path: path, fingerprint: fingerprint)
  }

  /// Whether none is trusted.
  /// - Throws: `RcloneError` where that can't be told, or others could have changed it.
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

  /// Nobody else may have written what is believed.
  private static func checkOwner(_ path: String, _ facts: stat) throws(RcloneError) {
    guard [geteuid(), 0].contains(facts.st_uid) else { throw unusable(path, "it belongs to another user") }
    guard facts.st_mode & 0o022 == 0 else {
      throw unusable(path, "others than its owner can write it: chmod go-w takes that away")
    }
  }

  private static func unusable(_ path: String, _ reason: String) -> RcloneError {
    RcloneError(.failed, path, "the certificate that you trust can't be used: \(reason)")
  }

  /// Trusts a certificate for a server, in place of another one.
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

  /// Trusts none for a server any more.
  /// - Returns: whether one was trusted.
  package func forget(_ server: ServerEndpoint) throws(RcloneError) -> Bool {
    if unlink(path(of: server)) == 0 { return true }
    if errno == ENOENT { return false }
    throw Self.failure(path(of: server))
  }

  private func makeFolders() {
    var made = ""
    // If one can't be made, writing the file fails.
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      _ = mkdir(made, 0o700)
    }
  }

  /// nil where it can't be read; errno says why.
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
