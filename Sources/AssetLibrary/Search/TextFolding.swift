// The standard library decomposes text for its own comparisons and offers that under a name for the
// libraries beside it only; the public way is the whole of Foundation, which costs a start more than the
// scan of a small library does. Should the name go, the build says so.
@_spi(_Unicode) import Swift

/// Text without what a search does not look at.
///
/// Capitals, accents and the width of letters go: "Zürich", "ZURICH" and "zu\u{308}rich" are one, "ß" is
/// "ss". The letters are taken apart canonically (Unicode Standard Annex 15, form D), combining marks of
/// Latin, Greek, Cyrillic, Hebrew and Arabic writing are dropped, case is folded by capitals and back
/// (Unicode Standard, section 3.13). Marks that make another letter, as in "が" and in Indic writing, stay.
enum TextFolding {
  /// The folded text as UTF-8.
  static func fold(_ text: String) -> [UInt8] {
    if let plain = text.utf8.withContiguousStorageIfAvailable(plain) ?? nil { return plain }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text._nfd where !isDropped(scalar) { append(scalar, to: &folded) }
    return folded
  }

  /// The same of bytes, of which those that are not UTF-8 are replaced.
  static func fold(utf8 bytes: some Collection<UInt8>) -> [UInt8] {
    (bytes.withContiguousStorageIfAvailable(plain) ?? nil) ?? fold(String(decoding: bytes, as: UTF8.self))
  }

  /// ASCII folded; nil for other text.
  ///
  /// Most names are ASCII: folding them is a matter of bits.
  private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    bytes.allSatisfy { $0 < 0x80 } ? bytes.map(lowercase) : nil
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    if scalar.isASCII {
      folded.append(lowercase(UInt8(scalar.value)))
      return
    }
    // Letters and signs in the width of Chinese ones.
    if (0xFF01...0xFF5E).contains(scalar.value) {
      folded.append(lowercase(UInt8(scalar.value - 0xFEE0)))
      return
    }
    // By way of the small letter, as the capital "ẞ" is its own capital.
    let capitals = scalar.properties.lowercaseMapping.unicodeScalars.flatMap(
      \.properties.uppercaseMapping.unicodeScalars)
    for capital in capitals {
      for small in capital.properties.lowercaseMapping.unicodeScalars where !isDropped(small) {
        folded.append(contentsOf: plainLetters[small]?.utf8.map { $0 } ?? Array(String(small).utf8))
      }
    }
  }

  /// Letters that are no letter and a mark to Unicode but one to the eye.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "’": "'",
  ]

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    case 0xFE20...0xFE2F: true
    case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
    case 0x0610...0x061A, 0x064B...0x065F, 0x0670: true
    default: false
    }
  }
}
