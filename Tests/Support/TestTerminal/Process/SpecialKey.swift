/// A key that sends no character of its own.
package enum SpecialKey: Sendable {
  /// A cursor key.
  case up, down, left, right
  /// A key of the block above the cursor keys.
  case pageUp, pageDown, home, end, insert, delete
  /// A key among or beside the letters.
  case enter, escape, tab, backTab, space, backspace
  /// The function key F1.
  case f1

  /// The bytes of the key; cursor keys depend on whether the program enabled application sequences.
  package func sequence(applicationCursorKeys: Bool) -> String {
    let introducer = applicationCursorKeys ? "\u{1B}O" : "\u{1B}["
    return switch self {
    case .up: introducer + "A"
    case .down: introducer + "B"
    case .right: introducer + "C"
    case .left: introducer + "D"
    case .home: introducer + "H"
    case .end: introducer + "F"
    case .insert: "\u{1B}[2~"
    case .delete: "\u{1B}[3~"
    case .pageUp: "\u{1B}[5~"
    case .pageDown: "\u{1B}[6~"
    case .enter: "\r"
    case .escape: "\u{1B}"
    case .tab: "\t"
    case .backTab: "\u{1B}[Z"
    case .space: " "
    case .backspace: "\u{7F}"
    case .f1: "\u{1B}OP"
    }
  }
}
