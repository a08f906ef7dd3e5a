import CCurl
import CMD5
import FoundationEssentials

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

/// A server's certificate, as it was shown.
package struct ServerCertificate: Hashable, Sendable {
  package var subject: String
  package var issuer: String
  /// The names it is for, as OpenSSL writes them: "DNS:example.org, IP Address:192.0.2.1"; "" where it has none.
  package var names: String
  package var validFrom: String
  package var validUntil: String
  /// Itself, in PEM (RFC 7468).
  package var text: String
  package var fingerprint: CertificateFingerprint

  /// Connects to a server and has it show its certificate; nothing is asked of it.
  /// - Throws: `RcloneError` where nobody answers, or not by TLS.
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
      throw RcloneError(kind, server.description, EngineText.cleaned(said))
    }
    let values = Dictionary(
      lines.all.compactMap { line in
        line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }, uniquingKeysWith: { first, _ in first })
    guard let text = values["Cert"], let fingerprint = CertificateFingerprint(ofPEM: text) else {
      throw RcloneError(.failed, server.description, "its certificate can't be read")
    }
    func value(_ name: String) -> String { EngineText.cleaned(values[name] ?? "") }
    (subject, issuer) = (value("Subject"), value("Issuer"))
    names = value("X509v3 Subject Alternative Name")
    (validFrom, validUntil) = (value("Start date"), value("Expire date"))
    self.text = text.hasSuffix("\n") ? text : text + "\n"
    self.fingerprint = fingerprint
  }
}

/// The SHA-256 of a certificate in DER, by which people compare certificates.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  private var bytes: [UInt8]

  /// - Parameter text: hexadecimal digits, with colons or without, "SHA256:" before them or not.
  /// - Returns: nil where it is none.
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

  /// Of the first certificate in a text of PEM (RFC 7468); nil where there is none.
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

  /// As openssl(1) prints it: "AB:CD:…".
  package var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
