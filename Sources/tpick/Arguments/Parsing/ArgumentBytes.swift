import CPlatform

/// Converts argument bytes to text and back without loss.
///
/// Paths need not be UTF-8, but the parser takes `String`s, and `CommandLine` replaces each invalid byte with
/// U+FFFD.
///
/// Here, each byte that is not part of valid UTF-8 becomes a character in a range for private use. If the
/// bytes contain a character of that range, its bytes are converted in the same way. So the conversion is
/// reversible for all bytes (like PEP 383, but injective).
enum ArgumentBytes {
  /// U+10FE00 + byte, at the end of plane 16's private use area.
  private static let base: UInt32 = 0x10FE00

  private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
    (base..<base + 256).contains(scalar.value)
  }

  /// The byte that a character of the range represents; nil for other characters.
  static func strayByte(_ scalar: Unicode.Scalar) -> UInt8? {
    isReserved(scalar) ? UInt8(scalar.value - base) : nil
  }

  /// The character that represents a byte.
  static func standIn(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The text that represents `bytes`.
  static func text(_ bytes: [UInt8]) -> String {
    if let whole = String(validating: bytes, as: UTF8.self), !whole.unicodeScalars.contains(where: isReserved)
    {
      return whole
    }
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      if let decoded = String(validating: rest.prefix(length), as: UTF8.self),
        let scalar = decoded.unicodeScalars.first, !isReserved(scalar)
      {
        text.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        text.append(standIn(first))
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The bytes that `text` represents.
  static func bytes(_ text: String) -> [UInt8] {
    guard text.unicodeScalars.contains(where: isReserved) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar -> [UInt8] in
      strayByte(scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// The arguments of this process without the program name.
  static var ofProcess: [[UInt8]] {
    (1..<max(1, process_argument_count())).compactMap { index in
      process_argument(index).map { start in
        Array(UnsafeBufferPointer(start: start, count: length(start)).map(UInt8.init(bitPattern:)))
      }
    }
  }

  private static func length(_ start: UnsafePointer<CChar>) -> Int {
    var length = 0
    while start[length] != 0 { length += 1 }
    return length
  }
}
