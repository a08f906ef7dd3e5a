/// Which certificates the servers of remotes may show: the one that the user trusts for a server, and then that alone; else those
/// that the system trusts.
package struct CertificateTrust: Sendable {
  private let store: CertificateStore

  package init(_ store: CertificateStore) { self.store = store }

  /// Settings for a remote, with the certificate that is trusted for its own server, if one is.
  ///
  /// As soon as any certificate is trusted, every server has to be known behind a remote: one that is not could be the one whose
  /// certificate is trusted, and be believed with another.
  ///
  /// Where a remote's server has to be looked up, rclone is asked; that waits.
  /// - Throws: `RcloneError` also where it can't be told which certificates are to be believed.
  package func settings(
    for remote: String, _ settings: RcloneSettings = RcloneSettings()
  ) throws(RcloneError) -> RcloneSettings {
    var result = settings
    if try !store.isEmpty() {
      result.caCertificate = try certificate(
        for: try RcloneConfiguration(settings).servers(of: remote), of: remote)
    }
    let store = store
    result.explain = { error in
      // Asked again: it may be another server, or another certificate, by now.
      guard error.kind == .certificate else { return error }
      guard let servers = try? RcloneConfiguration(settings).servers(of: remote), !servers.endpoints.isEmpty
      else { return error }
      guard let server = servers.single else {
        var error = error
        let all = servers.endpoints.map { "tpick remote trust \($0)" }.joined(separator: ", ")
        error.reason += "; look at those of its servers with: \(all)"
        return error
      }
      return Self.explained(error, server, store)
    }
    return result
  }

  /// The file of the certificate that the servers of a remote have to show; nil where it is the system's matter.
  ///
  /// rclone believes one file for all connections of a remote.
  private func certificate(for servers: RemoteServers, of remote: String) throws(RcloneError) -> String? {
    let name = RemoteSpecification(remote)?.publicName ?? remote
    if let reason = servers.unknown {
      throw RcloneError(
        .certificate, name,
        "\(reason), so which servers it leads to can't be told; that is needed while you trust certificates "
          + "of servers (tpick remote list shows them, tpick remote forget takes that back)")
    }
    var trusted: [CertificateStore.Trusted] = []
    for endpoint in servers.endpoints {
      if let certificate = try store.certificate(for: endpoint) { trusted.append(certificate) }
    }
    guard let first = trusted.first else { return nil }
    let isOne =
      trusted.count == servers.endpoints.count && !servers.hasOthers
      && trusted.allSatisfy { $0.fingerprint == first.fingerprint }
    guard isOne else {
      let all = servers.endpoints.map(\.description).joined(separator: ", ")
      throw RcloneError(
        .certificate, name,
        "it leads to several servers (\(all)\(servers.hasOthers ? " and others" : "")), and you trust a "
          + "certificate for one of them alone; name the remote of each server by itself")
    }
    return first.path
  }

  /// An error of a certificate, with what can be done.
  static func explained(
    _ error: RcloneError, _ server: ServerEndpoint, _ store: CertificateStore
  ) -> RcloneError {
    var error = error
    guard let trusted = (try? store.certificate(for: server)).flatMap({ $0 })?.fingerprint else {
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
