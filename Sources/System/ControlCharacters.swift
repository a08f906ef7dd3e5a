/// The characters that act on whatever shows text in place of being shown: one table for everything that writes text
/// of others, such as file names and captions, where a terminal or a reader of lines may get it.
///
/// Those of C0 and C1 and DEL (ECMA-48) move the cursor or start sequences, line and paragraph separators forge lines,
/// and marks, embeddings, overrides and isolates of the direction (UAX 9), annotations and tags make text look like
/// another one.
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

  /// The text with such characters escaped: `\x1B`, `\u009B`, `\u202E`, `\U000E0041`.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: contains) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if contains(scalar) { escaped += escape(scalar) } else { escaped.unicodeScalars.append(scalar) }
    }
  }

  /// A character as an escape.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case ..<0x80: escape(byte: UInt8(scalar.value))
    case ..<0x10000: "\\u" + hexadecimal(scalar.value, 4)
    default: "\\U" + hexadecimal(scalar.value, 8)
    }
  }

  /// A byte that belongs to no character as an escape.
  package static func escape(byte: UInt8) -> String { "\\x" + hexadecimal(UInt32(byte), 2) }

  /// A JSON document in UTF-8 in which such characters are escaped: the same document to whoever reads it.
  ///
  /// They can only stand within strings: between them JSON has line feeds, tabs and carriage returns at most, which
  /// stay, and within strings these are escaped already (RFC 8259, 7).
  package static func escaped(json: [UInt8]) -> [UInt8] {
    // Most documents have none.
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

  /// Whether a byte is DEL or the first one of another such character, in UTF-8.
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
