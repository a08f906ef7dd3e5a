/// Which certificates the servers of remotes may show: the one that the user trusts for a server, and then that alone; else those
/// that the system trusts.
package struct CertificateTrust: Sendable {
  private let store: CertificateStore

  package init(_ store: CertificateStore) { self.store = store }

  /// Settings for a remote, with the certificate that is trusted for its own server, if one is.
  ///
  /// Where a remote's server has to be looked up, rclone is asked; that waits.
  package func settings(
    for remote: String, _ settings: RcloneSettings = RcloneSettings()
  ) throws(RcloneError) -> RcloneSettings {
    var result = settings
    if !store.isEmpty {
      let configuration = RcloneConfiguration(settings)
      result.caCertificate = try configuration.server(of: remote).flatMap { self.store.file(for: $0) }
    }
    let store = store
    result.explain = { error in
      // Asked again: it may be another server, or another certificate, by now.
      guard error.kind == .certificate else { return error }
      let configuration = RcloneConfiguration(settings)
      guard let server = (try? configuration.server(of: remote)).flatMap({ $0 }) else { return error }
      return Self.explained(error, server, store)
    }
    return result
  }

  /// An error of a certificate, with what can be done.
  static func explained(
    _ error: RcloneError, _ server: ServerEndpoint, _ store: CertificateStore
  ) -> RcloneError {
    var error = error
    guard let trusted = store.fingerprint(for: server) else {
      error.reason += "; look at it with: tpick remote trust \(server)"
      return error
    }
    guard let shown = try? ServerCertificate(of: server) else { return error }
    if shown.fingerprint == trusted {
      error.reason +=
        "; it is the one that you trust for \(server), but it is not valid: "
        + "it is for \(shown.names.isEmpty ? "no name" : shown.names), until \(shown.validUntil)"
    } else {
      error.reason =
        "\(server) shows another certificate than the one that you trust, and gets no access; trusted: "
        + "\(trusted), shown: \(shown.fingerprint). If the server has a new one: tpick remote trust \(server)"
    }
    return error
  }
}
