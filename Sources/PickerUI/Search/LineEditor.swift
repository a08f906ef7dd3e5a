/// An editable line of text with a cursor.
///
/// The cursor moves by characters (extended grapheme clusters).
struct LineEditor: Hashable, Sendable {
  /// The maximum number of characters, to bound pasted text.
  static let maximumLength = 500

  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0

  init(_ text: String = "") {
    insert(text)
  }

  /// A line with the cursor between two parts.
  init(_ head: String, before tail: String) {
    insert(head)
    let place = cursor
    insert(tail)
    cursor = min(place, characters.count)
  }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// Inserts text at the cursor; line breaks and tabs become spaces, other control characters are dropped.
  mutating func insert(_ text: String) {
    let new = text.compactMap { character -> Character? in
      if character.isNewline || character == "\t" { return " " }
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isControl ? nil : character
    }
    let capacity = max(0, Self.maximumLength - characters.count)
    // A combining mark joins the character before it.
    let head = String(characters[..<cursor]) + String(new.prefix(capacity))
    let tail = characters[cursor...]
    characters = Array(head)
    cursor = characters.count
    characters = Array(String(characters) + String(tail))
    cursor = min(cursor, characters.count)
  }

  /// Handles an editing key.
  /// - Returns: whether the key was handled.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .space: insert(" ")
    case .backspace: if cursor > 0 { remove(cursor - 1..<cursor) }
    case .delete: if cursor < characters.count { remove(cursor..<cursor + 1) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<characters.count)
    case .control("w"): remove(startOfWord..<cursor)
    default: return false
    }
    return true
  }

  private var startOfWord: Int {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = min(range.lowerBound, characters.count)
  }

  /// The part of the line around the cursor that fits into `width` cells, and the caret's column in it.
  func window(width: Int) -> (text: DisplayText, caret: Int) {
    guard width > 1 else { return (DisplayText(""), 0) }
    let before = DisplayText(String(characters[..<cursor]))
    let after = DisplayText(String(characters[cursor...]))
    // One cell is reserved for the caret.
    let shown = before.tail(width - 1)
    let rest = after.head(cells: width - 1 - shown.width)
    return (DisplayText(shown.string + rest.string), shown.width)
  }
}
