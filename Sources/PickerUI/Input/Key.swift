/// A key press.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl and a letter, in lower case, or a blank.
  case control(Character)
  /// Alt and a character.
  case alt(Character)
  /// F1 and so on.
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
