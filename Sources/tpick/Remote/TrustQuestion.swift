import Rclone
import System

/// Asks on the terminal whether a certificate is to be trusted.
struct TrustQuestion {
  private let description: String
  private let question: String
  private let command: String

  /// - Parameter former: the certificate that is trusted now; nil where none is.
  init(_ certificate: ServerCertificate, of server: ServerEndpoint, insteadOf former: CertificateFingerprint?)
  {
    let facts = [
      ("Subject", certificate.subject), ("Issuer", certificate.issuer), ("Names", certificate.names),
      ("Valid from", certificate.validFrom), ("Valid until", certificate.validUntil),
      ("SHA-256", certificate.fingerprint.description),
    ]
    var lines = "\(server) shows this certificate:\n"
    for (name, value) in facts where !value.isEmpty {
      lines += "  \(name)\(String(repeating: " ", count: 12 - name.count))\(OutputText.escaped(value))\n"
    }
    if let former {
      lines +=
        former == certificate.fingerprint
        ? "You trust it already.\n" : "You trust another one for this server now:\n  SHA-256     \(former)\n"
    }
    description = lines + "Compare the fingerprint with the one that the server's owner tells you.\n"
    question = "Trust this certificate for \(server)? [y/N] "
    command = "tpick remote trust \(server) --yes --fingerprint \(certificate.fingerprint)"
  }

  /// Says on standard error what would be asked, and the command that trusts this certificate without a question.
  func tellCommand() {
    StandardStream.error.write(Array("\(description)To trust it without a terminal:\n  \(command)\n".utf8))
  }

  /// - Returns: whether the user said yes; nil where there is no terminal.
  func ask() -> Bool? {
    // Not standard input: what a script feeds there answers nothing.
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    StandardStream(descriptor: terminal).write(Array((description + question).utf8))
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0x0A, answer.count < 64 else { break }
      answer.append(byte)
    }
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }
}
