import CMD5
import FoundationEssentials

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
