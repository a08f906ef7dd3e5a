/// A key press.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl and a letter, in lower case.
  case control(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, space
  case backspace, delete

  /// The label of the key on the screen.
  func label(_ symbols: Symbols) -> String {
    switch self {
    case .character(let character): String(character)
    case .control(let letter): "^\(letter.uppercased())"
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
