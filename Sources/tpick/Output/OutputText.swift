/// Escapes untrusted text for a terminal.
enum OutputText {
  /// The text with control characters escaped, such as `\x1B`.
  static func escaped(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
          isControl(scalar) ? hex(UInt8(truncatingIfNeeded: scalar.value)) : [scalar]
        }))
  }

  /// The bytes with control characters and invalid UTF-8 escaped, such as `\x1B`.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    let text = ArgumentBytes.text(bytes).unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      let raw = ArgumentBytes.bytes(String(scalar))
      let isStray = raw.count == 1 && raw[0] >= 0x80
      return isStray || isControl(scalar)
        ? hex(raw.count == 1 ? raw[0] : UInt8(scalar.value & 0xFF)) : [scalar]
    }
    return Array(String(String.UnicodeScalarView(text)).utf8)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  private static func hex(_ byte: UInt8) -> [Unicode.Scalar] {
    let digits = String(byte, radix: 16, uppercase: true)
    return Array("\\x\(digits.count == 1 ? "0" : "")\(digits)".unicodeScalars)
  }
}
