// The standard library decomposes text for its own comparisons and offers that under a name for the
// libraries beside it only; the public way is the whole of Foundation, which costs a start more than the
// scan of a small library does. Should the name go, the build says so.
@_spi(_Unicode) import Swift

/// A word or a phrase that is looked for in text.
///
/// It is found where the text holds it, whatever the capitals and accents. A word of four or more
/// characters that has a letter is found fuzzily too: its characters in their order with others between
/// them, from the beginning of a word of the text on, within twice the length of the word. So "lisbn" finds
/// "Lisbon"; so does "lsibon", where two letters changed places, and "lissbon", where one is doubled. Digits are numbers and stay together: "img142" finds "IMG_0142", not "IMG_1042".
public struct TextPattern: Hashable, Sendable {
  /// The text without capitals and accents, as UTF-8.
  public let folded: [UInt8]
  /// Whether it is found by its characters with others between them too.
  public let isFuzzy: Bool
  /// What is looked for one after the other in a fuzzy search, as ranges of `folded`: characters, and
  /// numbers as a whole.
  private let units: [Range<Int>]
  /// The number of characters.
  private let length: Int

  /// A pattern of a word.
  /// - Parameters:
  ///   - text: the word.
  ///   - allowsFuzzy: false for phrases and for whatever has to be there to the letter.
  public init(_ text: String, allowsFuzzy: Bool = true) {
    folded = Self.fold(text)
    length = folded.count { !$0.continuesCharacter }
    units = Self.units(of: folded)
    isFuzzy = allowsFuzzy && length >= 4 && !folded.allSatisfy(\.isDigit)
  }

  /// Text as it is compared: without capitals and accents, as UTF-8.
  public static func fold(_ text: String) -> [UInt8] { TextFolding.fold(text) }

  /// The same of bytes, of which those that are not UTF-8 are replaced.
  public static func fold(utf8 bytes: some Collection<UInt8>) -> [UInt8] { TextFolding.fold(utf8: bytes) }

  /// Whether `text`, folded before, holds the pattern.
  public func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool {
    folded.withUnsafeBufferPointer { pattern in
      Self.contains(text, pattern) || (isFuzzy && holdsFuzzily(text, pattern))
    }
  }

  /// Whether `text`, folded before, holds the pattern.
  public func matches(folded text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { matches(folded: $0) }
  }

  private static func units(of folded: [UInt8]) -> [Range<Int>] {
    var units: [Range<Int>] = []
    for (index, byte) in folded.enumerated() {
      let goesOn =
        byte.continuesCharacter || (index > 0 && byte.isDigit && folded[index - 1].isDigit)
      if goesOn, let last = units.popLast() {
        units.append(last.lowerBound..<index + 1)
      } else {
        units.append(index..<index + 1)
      }
    }
    return units
  }

  private static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = pattern.first else { return true }
    var start = 0
    while start + pattern.count <= text.count {
      if text[start] == first, stands(pattern, at: start, in: text) { return true }
      start += 1
    }
    return false
  }

  /// Whether all of `part` stands in `text` from `start` on.
  private static func stands(
    _ part: some Collection<UInt8>, at start: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard part.count <= text.count - start else { return false }
    var index = start
    for byte in part {
      if text[index] != byte { return false }
      index += 1
    }
    return true
  }

  private func holdsFuzzily(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = pattern.first else { return true }
    let second = units.count > 1 ? pattern[units[1].lowerBound] : first
    for start in text.indices
    where (text[start] == first || text[start] == second) && (start == 0 || text[start - 1].separatesWords) {
      if text[start] == first, holdsFuzzily(text, from: start, pattern) { return true }
      if holdsSlipped(text, from: start, pattern) { return true }
    }
    return false
  }

  /// Whether the pattern stands at a place but for a slip: two letters that changed places, or a doubled one.
  private func holdsSlipped(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (position, index) = (start, 0)
    while index < units.count, Self.stands(pattern[units[index]], at: position, in: text) {
      position += units[index].count
      index += 1
    }
    guard index < units.count else { return true }
    let unit = units[index]
    if index > 0, pattern[unit].elementsEqual(pattern[units[index - 1]]),
      Self.stands(pattern[unit.upperBound...], at: position, in: text)
    {
      return true
    }
    guard index + 1 < units.count else { return false }
    let next = units[index + 1]
    // Numbers are whole: none changes its place.
    return !pattern[unit.lowerBound].isDigit && !pattern[next.lowerBound].isDigit
      && Self.stands(pattern[next], at: position, in: text)
      && Self.stands(pattern[unit], at: position + next.count, in: text)
      && Self.stands(pattern[next.upperBound...], at: position + unit.count + next.count, in: text)
  }

  /// Takes each unit at the first place that has it: no other choice ends earlier.
  private func holdsFuzzily(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (position, characters) = (start, 0)
    for unit in units {
      let part = pattern[unit]
      while !Self.stands(part, at: position, in: text) {
        if position == start { return false }
        guard position < text.count, characters < 2 * length else { return false }
        characters += 1
        position += 1
        while position < text.count, text[position].continuesCharacter { position += 1 }
      }
      characters += pattern[unit].count { !$0.continuesCharacter }
      position += unit.count
    }
    return characters <= 2 * length
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is not the first of its character in UTF-8 (RFC 3629).
  fileprivate var continuesCharacter: Bool { self & 0xC0 == 0x80 }

  /// Signs of ASCII that are no letters: a word begins after them.
  var separatesWords: Bool {
    self < 0x80 && !isDigit && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}

/// One term of a search that is found in texts, and where it may stand.
public struct TextTerm: Hashable, Sendable {
  public var pattern: TextPattern
  /// One of these has to hold it.
  public var fields: SearchFields
  /// Whether none of them may hold it instead.
  public var isExcluded: Bool
  /// What the term says besides, as a date or a kind: assets that meet it are found whatever their texts hold.
  public var condition: AssetPredicate?

  public init(
    pattern: TextPattern, fields: SearchFields = .all, isExcluded: Bool = false,
    condition: AssetPredicate? = nil
  ) {
    self.pattern = pattern
    self.fields = fields
    self.isExcluded = isExcluded
    self.condition = condition
  }
}

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
