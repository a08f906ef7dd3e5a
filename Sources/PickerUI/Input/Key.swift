/// A key press as the picker understands it.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl and a letter, in lower case.
  case control(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, space
  case backspace, delete

  /// What the key is called on the screen.
  func label(_ symbols: Symbols) -> String {
    switch self {
    case .character(let character): String(character)
    case .control(let letter): "^\(letter.uppercased())"
    case .up: symbols.up
    case .down: symbols.down
    case .left: symbols.left
    case .right: symbols.right
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: symbols.enter
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: symbols.backTab
    case .space: "Space"
    case .backspace: symbols.backspace
    case .delete: "Del"
    }
  }
}
