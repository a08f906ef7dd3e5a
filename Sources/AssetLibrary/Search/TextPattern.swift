// The standard library decomposes text for its own comparisons and offers that only as SPI. The public
// alternative is all of Foundation, which takes longer to load than a small library takes to scan. If the SPI
// is removed, the build fails.
@_spi(_Unicode) import Swift

/// A word or a phrase to find in texts.
///
/// A text matches if it contains the pattern, ignoring case and accents. A word of at least four characters,
/// one of which is a letter, also matches fuzzily: its characters occur in order with others in between, from
/// the start of a word in the text and within twice the length of the pattern. So "lisbn" finds "Lisbon", as
/// do "lsibon" with transposed letters and "lissbon" with a doubled letter. Consecutive digits are not
/// separated: "img142" finds "IMG_0142", not "IMG_1042".
public struct TextPattern: Hashable, Sendable {
  /// The pattern without case and accents, as UTF-8.
  public let folded: [UInt8]
  /// Whether the pattern also matches fuzzily.
  public let isFuzzy: Bool
  /// The units of a fuzzy search, as ranges of `folded`: characters, and whole numbers.
  private let units: [Range<Int>]
  /// The number of characters.
  private let length: Int

  /// Creates a pattern.
  /// - Parameters:
  ///   - text: the word or phrase.
  ///   - allowsFuzzy: false for phrases and other text that must match exactly.
  public init(_ text: String, allowsFuzzy: Bool = true) {
    folded = Self.fold(text)
    length = folded.count { !$0.continuesCharacter }
    units = Self.units(of: folded)
    isFuzzy = allowsFuzzy && length >= 4 && !folded.allSatisfy(\.isDigit)
  }

  /// Returns the text as it is compared: without case and accents, as UTF-8.
  public static func fold(_ text: String) -> [UInt8] { TextFolding.fold(text) }

  /// Returns the folded text of UTF-8 bytes; invalid UTF-8 is replaced.
  public static func fold(utf8 bytes: some Collection<UInt8>) -> [UInt8] { TextFolding.fold(utf8: bytes) }

  /// Returns whether a folded text matches the pattern.
  public func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool {
    folded.withUnsafeBufferPointer { pattern in
      Self.firstPlace(of: pattern, in: text) != nil || (isFuzzy && fuzzyMatch(text, pattern) != nil)
    }
  }

  /// Returns whether a folded text matches the pattern.
  public func matches(folded text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { matches(folded: $0) }
  }

  /// Returns the offsets of the bytes of a folded text that the first match consists of, in order; empty if
  /// the text does not match.
  public func matchedOffsets(folded text: [UInt8]) -> [Int] {
    text.withUnsafeBufferPointer { text in
      folded.withUnsafeBufferPointer { pattern in
        if let start = Self.firstPlace(of: pattern, in: text) {
          return Array(start..<start + pattern.count)
        }
        switch isFuzzy ? fuzzyMatch(text, pattern) : nil {
        case .slipped(let range)?: return Array(range)
        case .scattered(let start)?:
          var position = start
          return units.flatMap { unit in
            while !Self.stands(pattern[unit], at: position, in: text) { position += 1 }
            defer { position += unit.count }
            return position..<position + unit.count
          }
        case nil: return []
        }
      }
    }
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

  private static func firstPlace(
    of pattern: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let first = pattern.first else { return 0 }
    var start = 0
    while start + pattern.count <= text.count {
      if text[start] == first, stands(pattern, at: start, in: text) { return start }
      start += 1
    }
    return nil
  }

  /// Whether `text` contains `part` at `start`.
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

  /// Where a text matches fuzzily.
  private enum FuzzyMatch {
    /// The characters occur in order from an offset, with others in between.
    case scattered(from: Int)
    /// The bytes that were meant by a pattern with a typing error.
    case slipped(Range<Int>)
  }

  private func fuzzyMatch(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> FuzzyMatch? {
    guard let first = pattern.first else { return .scattered(from: 0) }
    let second = units.count > 1 ? pattern[units[1].lowerBound] : first
    for start in text.indices
    where (text[start] == first || text[start] == second) && (start == 0 || text[start - 1].separatesWords) {
      if text[start] == first, holdsFuzzily(text, from: start, pattern) { return .scattered(from: start) }
      if let end = slippedEnd(text, from: start, pattern) { return .slipped(start..<end) }
    }
    return nil
  }

  /// The end of a match from `start` with one typing error, two transposed characters or a doubled one; nil
  /// if there is none.
  private func slippedEnd(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    var (position, index) = (start, 0)
    while index < units.count, Self.stands(pattern[units[index]], at: position, in: text) {
      position += units[index].count
      index += 1
    }
    guard index < units.count else { return position }
    let unit = units[index]
    if index > 0, pattern[unit].elementsEqual(pattern[units[index - 1]]),
      Self.stands(pattern[unit.upperBound...], at: position, in: text)
    {
      return position + pattern.count - unit.upperBound
    }
    guard index + 1 < units.count else { return nil }
    let next = units[index + 1]
    // Numbers are not transposed.
    guard
      !pattern[unit.lowerBound].isDigit && !pattern[next.lowerBound].isDigit
        && Self.stands(pattern[next], at: position, in: text)
        && Self.stands(pattern[unit], at: position + next.count, in: text)
        && Self.stands(pattern[next.upperBound...], at: position + unit.count + next.count, in: text)
    else { return nil }
    return position + pattern.count - unit.lowerBound
  }

  /// Matches each unit at its first occurrence: no other choice ends earlier.
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

  /// Whether the byte is a continuation byte of UTF-8 (RFC 3629).
  fileprivate var continuesCharacter: Bool { self & 0xC0 == 0x80 }

  /// Whether the byte is an ASCII character other than a letter or digit: a word begins after it.
  var separatesWords: Bool {
    self < 0x80 && !isDigit && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}

/// A text term of a search query, and the fields in which it is searched.
public struct TextTerm: Hashable, Sendable {
  /// The word or phrase.
  public var pattern: TextPattern
  /// The fields, at least one of which must contain the pattern.
  public var fields: SearchFields
  /// Whether the term is negated: none of the fields may contain the pattern.
  public var isExcluded: Bool
  /// A second meaning of the term, such as a date or a kind: assets that meet it match regardless of their
  /// texts.
  public var condition: AssetPredicate?

  /// Creates a term.
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

/// Normalizes text for searches.
///
/// Case, accents and character width are removed: "Zürich", "ZURICH" and "zu\u{308}rich" are equal, and "ß"
/// equals "ss". Letters are decomposed canonically (Unicode Standard Annex 15, form D); combining marks of
/// the Latin, Greek, Cyrillic, Hebrew and Arabic scripts are dropped; case is folded by mapping to uppercase
/// and back (Unicode Standard, section 3.13). Marks that distinguish letters, as in "が" and in Indic scripts,
/// are kept.
enum TextFolding {
  /// Returns the folded text as UTF-8.
  static func fold(_ text: String) -> [UInt8] {
    if let plain = text.utf8.withContiguousStorageIfAvailable(plain) ?? nil { return plain }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text._nfd where !isDropped(scalar) { append(scalar, to: &folded) }
    return folded
  }

  /// Returns the folded text of UTF-8 bytes; invalid UTF-8 is replaced.
  static func fold(utf8 bytes: some Collection<UInt8>) -> [UInt8] {
    (bytes.withContiguousStorageIfAvailable(plain) ?? nil) ?? fold(String(decoding: bytes, as: UTF8.self))
  }

  /// Folds ASCII text; nil for other text.
  ///
  /// Most names are ASCII, which is folded byte by byte.
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
    // Fullwidth forms of ASCII characters.
    if (0xFF01...0xFF5E).contains(scalar.value) {
      folded.append(lowercase(UInt8(scalar.value - 0xFEE0)))
      return
    }
    // Map to lowercase first, because the uppercase mapping of "ẞ" is itself.
    let capitals = scalar.properties.lowercaseMapping.unicodeScalars.flatMap(
      \.properties.uppercaseMapping.unicodeScalars)
    for capital in capitals {
      for small in capital.properties.lowercaseMapping.unicodeScalars where !isDropped(small) {
        folded.append(contentsOf: plainLetters[small]?.utf8.map { $0 } ?? Array(String(small).utf8))
      }
    }
  }

  /// Letters that Unicode does not decompose, but that look like a letter with a mark.
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
