#if canImport(Glibc)
  import Glibc
#endif

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

  /// The file with the certificate that is trusted for a server; nil where none is.
  ///
  /// Another server's file never counts, nor one that others could have written.
  package func file(for server: ServerEndpoint) -> String? {
    let path = path(of: server)
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o022 == 0,
      [geteuid(), 0].contains(facts.st_uid), facts.st_size <= Self.longest
    else { return nil }
    return path
  }

  /// The fingerprint of the certificate that is trusted for a server; nil where none is.
  package func fingerprint(for server: ServerEndpoint) -> CertificateFingerprint? {
    file(for: server).flatMap { CertificateFingerprint(ofPEM: Self.text(of: $0)) }
  }

  /// Whether any is trusted.
  package var isEmpty: Bool {
    guard let stream = opendir(folder) else { return true }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".pem") { return false }
    }
    return true
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

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: longest)
    let count = read(file, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  private static func failure(_ path: String) -> RcloneError {
    RcloneError(.failed, path, String(cString: strerror(errno)))
  }
}
