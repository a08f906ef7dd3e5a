import CCurl
import CMD5
import FoundationEssentials

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
