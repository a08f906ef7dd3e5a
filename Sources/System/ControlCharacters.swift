/// The table of characters that control a terminal or change how text is displayed.
///
/// All code that writes untrusted text, such as file names and captions, to a terminal or into line-based
/// output uses it.
///
/// The C0 and C1 controls and DEL (ECMA-48) move the cursor or start escape sequences. Line and paragraph
/// separators forge line breaks. Bidirectional marks, embeddings, overrides and isolates (UAX 9), annotations
/// and tags make text look like other text.
package enum ControlCharacters {
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x2028, 0x2029: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// Returns the text with control characters escaped: `\x1B`, `\u009B`, `\u202E`, `\U000E0041`.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: contains) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if contains(scalar) { escaped += escape(scalar) } else { escaped.unicodeScalars.append(scalar) }
    }
  }

  /// Returns the escape of one character.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case ..<0x80: escape(byte: UInt8(scalar.value))
    case ..<0x10000: "\\u" + hexadecimal(scalar.value, 4)
    default: "\\U" + hexadecimal(scalar.value, 8)
    }
  }

  /// Returns the escape of a byte that is not part of a valid character.
  package static func escape(byte: UInt8) -> String { "\\x" + hexadecimal(UInt32(byte), 2) }

  /// Returns a UTF-8 JSON document with control characters escaped.
  ///
  /// Parsers read the same values from it. Line feeds, tabs and carriage returns are kept: in valid JSON they
  /// occur only between the tokens, and all other control characters only inside strings (RFC 8259, sections
  /// 2 and 7).
  package static func escaped(json: [UInt8]) -> [UInt8] {
    // Fast path: most documents contain none.
    guard json.contains(where: beginsOne) else { return json }
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: isEscapedInJSON) else { return json }
    let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if isEscapedInJSON(scalar) {
        for unit in String(scalar).utf16 { escaped += "\\u" + hexadecimal(UInt32(unit), 4) }
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }

  /// Whether a byte is DEL or the first UTF-8 byte of another control character.
  private static func beginsOne(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }

  private static func isEscapedInJSON(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\t": false
    default: contains(scalar)
    }
  }

  private static func hexadecimal(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
