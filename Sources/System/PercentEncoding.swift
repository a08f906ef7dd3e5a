/// Percent-encoding of bytes in URIs (RFC 3986, section 2.1): "%20".
package enum PercentEncoding {
  /// Escapes all bytes except ASCII letters, digits and those in `plain`.
  package static func encoded(_ bytes: some Sequence<UInt8>, keeping plain: String.UTF8View) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.append(byte)
      case _ where plain.contains(byte): text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes escapes strictly; nil if a percent sign is not followed by two hexadecimal digits.
  package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? { decode(text, isStrict: true) }

  /// Decodes escapes leniently: a percent sign that does not begin an escape is kept.
  package static func decodedText(_ text: some StringProtocol) -> String {
    String(decoding: decode(text.utf8, isStrict: false) ?? [], as: UTF8.self)
  }

  private static func decode(_ text: some Sequence<UInt8>, isStrict: Bool) -> [UInt8]? {
    var (rest, bytes) = (Array(text)[...], [UInt8]())
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else if digits.count == 2, let high = value(ofDigit: digits[digits.startIndex]),
        let low = value(ofDigit: digits[digits.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else if isStrict {
        return nil
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
  }
}
