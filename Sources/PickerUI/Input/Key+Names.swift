extension Key {
  /// The named keys, in documentation order.
  private static let names: [(word: String, key: Key)] = [
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("page-up", .pageUp),
    ("page-down", .pageDown), ("home", .home), ("end", .end), ("enter", .enter), ("escape", .escape),
    ("tab", .tab), ("shift-tab", .backTab), ("space", .space), ("backspace", .backspace),
    ("delete", .delete),
  ]

  /// Letters whose control codes are also sent by Backspace, Tab and Enter.
  private static let ambiguousLetters: Set<Character> = ["h", "i", "j", "m"]

  /// Reads the name of a key in a configuration: a character, a name such as `page-up`, or `ctrl-` and a
  /// letter.
  ///
  /// Names are case-insensitive. nil for anything else, including `ctrl-i` and others that terminals can't
  /// distinguish from other keys.
  package init?(name: String) {
    let word = name.lowercased()
    if let key = Self.names.first(where: { $0.word == word })?.key {
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

  /// The name of the key in a configuration.
  package var name: String {
    switch self {
    case .character(let character): String(character)
    case .control(let letter): "ctrl-\(letter)"
    default: Self.names.first { $0.key == self }?.word ?? ""
    }
  }
}
