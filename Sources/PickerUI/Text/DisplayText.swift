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
    // Behind U+2764 and others kitty, Ghostty and foot make two cells of one for it, and one of two; ncurses and most
    // terminals don't, and all that follows would be a cell off.
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

  /// The text wrapped into lines of at most `limit` cells, at spaces if possible, else behind slashes.
  /// - Parameter isPath: whether slashes come before spaces, as in a path.
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
