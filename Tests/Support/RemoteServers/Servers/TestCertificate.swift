import Fixtures

/// A self-signed certificate and its key, as files in a temporary folder that is removed with the last reference.
///
/// Each one is new: a second one simulates a server with a changed certificate.
package final class TestCertificate: Sendable {
  private let folder: TemporaryFolder

  /// The certificate file, PEM.
  package var certificatePath: String { "\(folder.path)/certificate.pem" }
  /// The private key file, PEM, without a password.
  package var keyPath: String { "\(folder.path)/key.pem" }
  /// SHA-256 of the certificate's DER form: 64 lowercase hexadecimal digits.
  package let fingerprint: String

  /// Creates a certificate with openssl(1).
  /// - Parameters:
  ///   - names: The hosts that it is valid for: addresses and names.
  ///   - days: Its validity in days from now.
  package init(for names: [String] = ["127.0.0.1", "localhost"], days: Int = 30) throws {
    folder = try TemporaryFolder()
    let alternatives = names.map { name in
      name.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" } ? "IP:\(name)" : "DNS:\(name)"
    }
    try ServerProcess.output(
      of: [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc",
        "-days", "\(days)", "-subj", "/O=tpick tests/CN=\(names.first ?? "localhost")",
        "-addext", "subjectAltName=\(alternatives.joined(separator: ","))",
        "-keyout", "\(folder.path)/key.pem", "-out", "\(folder.path)/certificate.pem",
      ], home: folder)
    let answer = try ServerProcess.output(
      of: [
        "openssl", "x509", "-in", "\(folder.path)/certificate.pem", "-noout", "-fingerprint", "-sha256",
      ], home: folder)
    fingerprint = answer.split(separator: "=").last.map { $0.filter(\.isHexDigit).lowercased() } ?? ""
  }
}
