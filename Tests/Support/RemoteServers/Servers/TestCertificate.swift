import Fixtures

/// A self-signed certificate and its key, as files in a temporary folder that goes with the last reference.
///
/// Each one is new: a second one is what a server shows whose certificate was changed.
package final class TestCertificate: Sendable {
  private let folder: TemporaryFolder

  /// The file with the certificate, PEM.
  package var certificatePath: String { "\(folder.path)/certificate.pem" }
  /// The file with the private key, PEM, without a password.
  package var keyPath: String { "\(folder.path)/key.pem" }
  /// SHA-256 of the certificate's DER form: 64 lower-case hexadecimal digits.
  package let fingerprint: String

  /// Makes a certificate with openssl(1).
  /// - Parameters:
  ///   - names: the hosts that it is for: addresses and names.
  ///   - days: how long it is valid from now.
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
