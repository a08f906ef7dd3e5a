extension Key {
  /// The keys that have a word, in the order in which they are listed.
  private static let words: [(word: String, key: Key)] = [
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("page-up", .pageUp),
    ("page-down", .pageDown), ("home", .home), ("end", .end), ("enter", .enter), ("escape", .escape),
    ("tab", .tab), ("shift-tab", .backTab), ("space", .space), ("backspace", .backspace),
    ("delete", .delete),
  ]

  /// What terminals send for other keys: Backspace, Tab and Enter.
  private static let ambiguousLetters: Set<Character> = ["h", "i", "j", "m"]

  /// Reads what a configuration calls a key: a character, a word such as `page-up`, or `ctrl-` and a letter.
  ///
  /// Words in any capitals. nil for anything else, among it `ctrl-i` and the like, which terminals can't tell
  /// from other keys.
  package init?(name: String) {
    let word = name.lowercased()
    if let key = Self.words.first(where: { $0.word == word })?.key {
      self = key
    } else if word.hasPrefix("ctrl-"), word.count == 6, let letter = word.last,
      ("a"..."z").contains(letter), !Self.ambiguousLetters.contains(letter)
    {
      self = .control(letter)
    } else if name.count == 1, let character = name.first, !character.isWhitespace,
      character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    {
      self = .character(character)
    } else {
      return nil
    }
  }

  /// What a configuration calls the key.
  package var name: String {
    switch self {
    case .character(let character): String(character)
    case .control(let letter): "ctrl-\(letter)"
    default: Self.words.first { $0.key == self }?.word ?? ""
    }
  }
}
