/// A key press.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl and a lower-case letter, or a space.
  case control(Character)
  /// Alt and a character.
  case alt(Character)
  /// A function key by its number, from 1.
  case function(Int)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, space
  case backspace, delete

  /// The label of the key on the screen.
  func label(_ symbols: Symbols) -> String {
    switch self {
    case .character(let character): String(character)
    case .control(" "): "^Space"
    case .control(let letter): "^\(letter.uppercased())"
    case .alt(let character): "Alt-\(character)"
    case .function(let number): "F\(number)"
    case .up: symbols.keys.up
    case .down: symbols.keys.down
    case .left: symbols.keys.left
    case .right: symbols.keys.right
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: symbols.keys.enter
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: symbols.keys.backTab
    case .space: "Space"
    case .backspace: symbols.keys.backspace
    case .delete: "Del"
    }
  }
}

extension Key {
  /// The name of the key in documents: "Enter", "Ctrl-B", "PgUp".
  package var words: String {
    switch self {
    case .character(let character): String(character)
    case .control(" "): "Ctrl-Space"
    case .control(let letter): "Ctrl-\(letter.uppercased())"
    case .alt(let character): "Alt-\(character)"
    case .function(let number): "F\(number)"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .escape: "Esc"
    case .backTab: "Shift-Tab"
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  /// The named keys, in documentation order.
  private static let names: [(word: String, key: Key)] = [
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("page-up", .pageUp),
    ("page-down", .pageDown), ("home", .home), ("end", .end), ("enter", .enter), ("escape", .escape),
    ("tab", .tab), ("shift-tab", .backTab), ("space", .space), ("backspace", .backspace),
    ("delete", .delete),
  ]

  /// fzf's shorter names for some keys.
  private static let aliases: [String: Key] = [
    "esc": .escape, "return": .enter, "pgup": .pageUp, "pgdn": .pageDown, "bspace": .backspace,
    "bs": .backspace, "del": .delete, "btab": .backTab, "ctrl-space": .control(" "),
  ]

  /// Characters that can't be combined with Alt: terminals send Alt as Escape before the character, and
  /// Escape before one of these begins an escape sequence.
  private static let ambiguousWithAlt: Set<Character> = ["[", "]", "O", "P", "X", "^", "_"]

  /// Letters whose control codes are also sent by Backspace, Tab and Enter.
  private static let ambiguousLetters: Set<Character> = ["h", "i", "j", "m"]

  /// The names of all keys except characters: named keys, Ctrl keys, and function keys.
  package static var documentedNames: [String] {
    let letters = "abcdefghijklmnopqrstuvwxyz".filter { !ambiguousLetters.contains($0) }
    return names.map(\.word) + letters.map { "ctrl-\($0)" } + ["ctrl-space"] + (1...12).map { "f\($0)" }
  }

  /// The accepted forms of key names, for messages.
  package static let nameKinds =
    "a character, ctrl- and a letter, ctrl-space, alt- and a character, f1 to f12, or a name such as page-up"

  /// Reads the name of a key: a character, a name such as `page-up`, `ctrl-` and a letter, `alt-` and a
  /// character, or `f1` to `f12`.
  ///
  /// Names are case-insensitive, the character behind `alt-` is not. nil for anything else, including
  /// `ctrl-i` and others that terminals can't distinguish from other keys.
  package init?(name: String) {
    let word = name.lowercased()
    if let key = Self.names.first(where: { $0.word == word })?.key {
      self = key
    } else if let key = Self.aliases[word] {
      self = key
    } else if word.hasPrefix("alt-"), word.count == 5, let character = name.last,
      ("!"..."~").contains(character), !Self.ambiguousWithAlt.contains(character)
    {
      self = .alt(character)
    } else if word.hasPrefix("f"), let number = Int(word.dropFirst()), (1...12).contains(number),
      word == "f\(number)"
    {
      self = .function(number)
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

  /// The name of the key.
  package var name: String {
    switch self {
    case .character(let character): String(character)
    case .control(" "): "ctrl-space"
    case .control(let letter): "ctrl-\(letter)"
    case .alt(let character): "alt-\(character)"
    case .function(let number): "f\(number)"
    default: Self.names.first { $0.key == self }?.word ?? ""
    }
  }
}
