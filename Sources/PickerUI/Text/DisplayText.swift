import System

/// Text that is safe to put on a terminal: all widths are known, and control characters are replaced.
struct DisplayText: Hashable, Sendable {
  /// A visible character with its combining marks.
  struct Piece: Hashable, Sendable {
    package var text: String
    /// 1 or 2 cells.
    package var width: Int
  }

  private(set) var pieces: [Piece] = []
  /// The width in cells.
  private(set) var width = 0

  /// The separator between facts in one line.
  static let separator = " · "

  /// The most combining marks kept on a character, which is what a terminal cell holds.
  private static let maximumMarks = 4

  /// Text or emoji, variation selectors 15 and 16 (UAX 51).
  private static let presentationSelectors: ClosedRange<Unicode.Scalar> = "\u{FE0E}"..."\u{FE0F}"

  init(_ text: String) {
    for scalar in text.unicodeScalars { append(scalar) }
  }

  /// Decodes a file name; bytes that are not UTF-8 become U+FFFD.
  init(bytes: [UInt8]) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  private init(pieces: [Piece]) {
    self.pieces = pieces
    width = pieces.reduce(0) { $0 + $1.width }
  }

  var string: String { pieces.map(\.text).joined() }

  private mutating func append(_ scalar: Unicode.Scalar) {
    // After U+2764 and others, kitty, Ghostty and foot change the width from one cell to two, or from two to one;
    // ncurses and most terminals do not, and all following text would be off by a cell.
    if Self.presentationSelectors.contains(scalar) { return }
    let visible = Self.visible(scalar)
    let cells = CharacterWidth.cells(of: visible)
    if cells > 0 {
      append(Piece(text: String(visible), width: cells))
    } else if let last = pieces.indices.last {
      if pieces[last].text.unicodeScalars.count <= Self.maximumMarks {
        pieces[last].text.unicodeScalars.append(visible)
      }
    } else {
      append(Piece(text: "◌" + String(visible), width: 1))
    }
  }

  private mutating func append(_ piece: Piece) {
    pieces.append(piece)
    width += piece.width
  }

  /// Replaces characters that would move the cursor, start an escape sequence or change the text direction.
  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: ControlCharacters.contains(scalar) ? "\u{FFFD}" : scalar
    }
  }

  /// The text truncated to `limit` cells with an ellipsis at the end.
  func truncated(to limit: Int) -> DisplayText {
    guard width > limit else { return self }
    guard limit > 0 else { return DisplayText(pieces: []) }
    return DisplayText(pieces: head(limit - 1) + [Piece(text: "…", width: 1)])
  }

  /// Joins as many parts as fit into `limit` cells, dropping the last ones; the first part is truncated if necessary.
  static func joining(_ parts: [String], to limit: Int) -> DisplayText {
    let lines = parts.indices.map { DisplayText(parts[...$0].joined(separator: separator)) }
    return lines.last { $0.width <= limit } ?? DisplayText(parts.first ?? "").truncated(to: limit)
  }

  /// The text truncated to `limit` cells with an ellipsis in the middle, for names that differ at their ends.
  func middleTruncated(to limit: Int) -> DisplayText {
    guard width > limit else { return self }
    guard limit > 4 else { return truncated(to: limit) }
    let tail = (limit - 1) / 2
    var end: [Piece] = []
    var used = 0
    for piece in pieces.reversed() {
      guard used + piece.width <= tail else { break }
      end.insert(piece, at: 0)
      used += piece.width
    }
    return DisplayText(pieces: head(limit - 1 - used) + [Piece(text: "…", width: 1)] + end)
  }

  /// The longest prefix that fits into `limit` cells.
  func head(cells limit: Int) -> DisplayText { DisplayText(pieces: head(limit)) }

  /// The longest suffix that fits into `limit` cells.
  func tail(_ limit: Int) -> DisplayText {
    var used = 0
    let end = pieces.reversed().prefix { piece in
      used += piece.width
      return used <= limit
    }
    return DisplayText(pieces: end.reversed())
  }

  private func head(_ limit: Int) -> [Piece] {
    var used = 0
    return Array(
      pieces.prefix { piece in
        used += piece.width
        return used <= limit
      })
  }

  /// The text wrapped into lines of at most `limit` cells, at spaces if possible, else after slashes.
  /// - Parameter isPath: whether slashes have priority over spaces, as in a path.
  func wrapped(to limit: Int, isPath: Bool = false) -> [DisplayText] {
    guard limit > 0 else { return [] }
    var lines: [DisplayText] = []
    var rest = pieces[...]
    while !rest.isEmpty {
      var used = 0
      var end = rest.startIndex
      var blank: Int?
      var slash: Int?
      while end < rest.endIndex, used + rest[end].width <= limit {
        if rest[end].text == " " { blank = end }
        used += rest[end].width
        end += 1
        if rest[end - 1].text == "/", end - 1 > rest.startIndex { slash = end }
      }
      if end == rest.startIndex { end += 1 }  // a wide character in a single column
      if end < rest.endIndex, rest[end].text != " " {
        let space = blank.flatMap { $0 > rest.startIndex ? $0 : nil }
        end = (isPath ? slash ?? space : space ?? slash) ?? end
      }
      lines.append(DisplayText(pieces: Array(rest[rest.startIndex..<end])))
      rest = rest[end...].drop { $0.text == " " }
    }
    return lines
  }
}

/// The width of characters in terminal cells.
///
/// Two cells: East_Asian_Width W and F of Unicode 14.0.0 (EastAsianWidth.txt), to agree with the C library's
/// `wcwidth` and thus ncurses. Zero: marks and format characters, by general category.
private enum CharacterWidth {
  /// 0, 1 or 2.
  static func cells(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if (0x1160...0x11FF).contains(value) { return 0 }  // vowels and finals of composed Hangul
    return isWide(value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB,
    0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
    0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
    0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
    0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A,
    0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x3FFFD,
  ]
}
