import CCurl
import CMD5
import FoundationEssentials

/// Decides which certificates a remote's servers may present: only the one that the user trusts for the
/// server, if there is one; otherwise those that the system trusts.
package struct CertificateTrust: Sendable {
  private let store: CertificateStore

  package init(_ store: CertificateStore) { self.store = store }

  /// Returns settings for a remote, with the certificate that is trusted for its server, if there is one.
  ///
  /// If the user trusts any certificate, all servers behind the remote must be known. Otherwise one of them
  /// could be the server whose certificate is trusted, and rclone would accept another certificate from it.
  ///
  /// Blocks if rclone must be asked for a remote's server.
  /// - Throws: `RcloneError`, also if the certificates to accept can't be determined.
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
      // Query the servers again: the configuration may have changed since.
      guard error.kind == .certificate else { return error }
      guard let servers = try? RcloneConfiguration(settings).servers(of: remote), !servers.endpoints.isEmpty
      else { return error }
      guard let server = servers.single else {
        var error = error
        let all = servers.endpoints.map { "tpick remote trust \($0)" }.joined(separator: ", ")
        error.reason += "; view the certificates of its servers with: \(all)"
        return error
      }
      return Self.explained(error, server, store)
    }
    return result
  }

  /// Returns the file of the certificate that a remote's servers must present; nil if the system's
  /// certificates apply.
  ///
  /// rclone accepts one file for all connections of a remote.
  private func certificate(for servers: RemoteServers, of remote: String) throws(RcloneError) -> String? {
    let name = RemoteSpecification(remote)?.publicName ?? remote
    if let reason = servers.unknown {
      throw RcloneError(
        .certificate, name,
        "\(reason), so tpick can't determine its servers, which it must while you trust certificates "
          + "of servers (list them with tpick remote list, remove one with tpick remote forget)")
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
        "it uses several servers (\(all)\(servers.hasOthers ? " and others" : "")) without one trusted "
          + "certificate for all of them; use a separate remote for each server")
    }
    return first.path
  }

  /// Adds to a certificate error what the user can do about it.
  static func explained(
    _ error: RcloneError, _ server: ServerEndpoint, _ store: CertificateStore
  ) -> RcloneError {
    var error = error
    guard let trusted = (try? store.certificate(for: server)).flatMap({ $0 })?.fingerprint else {
      error.reason += "; view it with: tpick remote trust \(server)"
      return error
    }
    guard let shown = try? ServerCertificate(of: server) else { return error }
    if shown.fingerprint == trusted {
      error.reason +=
        "; it is the one that you trust for \(server), but it is not valid: "
        + "it is issued for \(shown.names.isEmpty ? "no name" : shown.names), valid until \(shown.validUntil)"
    } else {
      error.reason =
        "\(server) presents a different certificate from the one that you trust; tpick does not connect. Trusted: "
        + "\(trusted), presented: \(shown.fingerprint). If the server's certificate was replaced: tpick remote trust \(server)"
    }
    return error
  }
}

/// A certificate presented by a server.
package struct ServerCertificate: Hashable, Sendable {
  package var subject: String
  package var issuer: String
  /// The names it is issued for, in OpenSSL's format: "DNS:example.org, IP Address:192.0.2.1"; "" if it has
  /// none.
  package var names: String
  package var validFrom: String
  package var validUntil: String
  /// The certificate in PEM (RFC 7468).
  package var text: String
  package var fingerprint: CertificateFingerprint

  /// Connects to a server and reads its certificate.
  ///
  /// Sends no request.
  /// - Throws: `RcloneError` if the server is unreachable or does not use TLS.
  package init(of server: ServerEndpoint, timeout: Duration = .seconds(10)) throws(RcloneError) {
    final class Lines { var all: [String] = [] }
    let lines = Lines()
    var reason = [CChar](repeating: 0, count: Int(HTTP_REASON))
    let ending = server_certificate_get(
      server.url, max(1, Int(timeout.components.seconds)),
      { context, text in
        guard let context, let text else { return }
        Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().all.append(String(cString: text))
      }, Unmanaged.passUnretained(lines).toOpaque(), &reason)
    guard ending == HTTP_ANSWERED else {
      let said = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let kind: RcloneError.Kind =
        ending == HTTP_UNREACHABLE ? .unreachable : ending == HTTP_TIMED_OUT ? .timedOut : .failed
      throw RcloneError(kind, server.description, RcloneMessage.cleaned(said))
    }
    let values = Dictionary(
      lines.all.compactMap { line in
        line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }, uniquingKeysWith: { first, _ in first })
    guard let text = values["Cert"], let fingerprint = CertificateFingerprint(ofPEM: text) else {
      throw RcloneError(.failed, server.description, "its certificate can't be read")
    }
    func value(_ name: String) -> String { RcloneMessage.cleaned(values[name] ?? "") }
    (subject, issuer) = (value("Subject"), value("Issuer"))
    names = value("X509v3 Subject Alternative Name")
    (validFrom, validUntil) = (value("Start date"), value("Expire date"))
    self.text = text.hasSuffix("\n") ? text : text + "\n"
    self.fingerprint = fingerprint
  }
}

/// The SHA-256 fingerprint of a DER-encoded certificate, which users compare.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  private var bytes: [UInt8]

  /// - Parameter text: hexadecimal digits, with or without colons, with or without the prefix "SHA256:".
  /// - Returns: nil if the text is not a fingerprint.
  package init?(_ text: String) {
    var digits = Substring(text)
    for prefix in ["SHA256:", "sha256:", "SHA-256:"] where digits.hasPrefix(prefix) {
      digits = digits.dropFirst(prefix.count)
      break
    }
    let values = digits.filter { $0 != ":" && $0 != " " }.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard values.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    self.bytes = bytes
  }

  /// Computes the fingerprint of the first certificate in a PEM text (RFC 7468); nil if there is none.
  init?(ofPEM text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let begin = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
      let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----"),
      let certificate = Data(base64Encoded: lines[(begin + 1)..<end].joined()), !certificate.isEmpty
    else { return nil }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    var context = SHA2_CTX()
    SHA256Init(&context)
    let der = Array(certificate)
    SHA256Update(&context, der, der.count)
    SHA256Final(&digest, &context)
    bytes = digest
  }

  /// The format of openssl(1): "AB:CD:…".
  package var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
