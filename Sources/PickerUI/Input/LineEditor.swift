/// One line of text being typed.
///
/// What stands in one place for the user is one step for the cursor, however many code points it has.
struct LineEditor: Hashable, Sendable {
  /// Longer lines are nobody's typing.
  static let longest = 500

  private(set) var characters: [Character] = []
  /// How many characters stand before the cursor.
  private(set) var cursor = 0

  init(_ text: String = "") {
    insert(text)
  }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// Puts text at the cursor; line breaks and tabs become blanks, other control characters go.
  mutating func insert(_ text: String) {
    let new = text.compactMap { character -> Character? in
      if character.isNewline || character == "\t" { return " " }
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isControl ? nil : character
    }
    let room = max(0, Self.longest - characters.count)
    // A mark that combines joins the character before it.
    let head = String(characters[..<cursor]) + String(new.prefix(room))
    let tail = characters[cursor...]
    characters = Array(head)
    cursor = characters.count
    characters = Array(String(characters) + String(tail))
    cursor = min(cursor, characters.count)
  }

  /// Does what a key means to a line.
  /// - Returns: whether it means anything.
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

  /// The part of the line around the cursor that has room in `width` cells, and where the cursor stands in it.
  func window(width: Int) -> (text: DisplayText, caret: Int) {
    guard width > 1 else { return (DisplayText(""), 0) }
    let before = DisplayText(String(characters[..<cursor]))
    let after = DisplayText(String(characters[cursor...]))
    // One cell is kept for the cursor itself.
    let shown = before.tail(width - 1)
    let rest = after.head(cells: width - 1 - shown.width)
    return (DisplayText(shown.string + rest.string), shown.width)
  }
}
