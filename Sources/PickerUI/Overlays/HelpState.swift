/// The open help: where it is scrolled to, and what was typed to narrow it.
struct HelpState: Hashable, Sendable {
  /// The lines that have left at the top.
  var scroll = 0
  /// What was typed.
  var text = ""

  /// Takes a key that changes the text.
  /// - Returns: whether it was one.
  mutating func type(_ key: Key) -> Bool {
    switch key {
    case .character(let character): text.append(character)
    case .space where !text.isEmpty: text.append(" ")
    case .backspace where !text.isEmpty: text.removeLast()
    case .escape where !text.isEmpty: text = ""
    default: return false
    }
    scroll = 0
    return true
  }

  /// Scrolls by a command.
  /// - Parameter most: the largest offset.
  /// - Returns: whether it is a command that moves.
  mutating func move(_ command: Command?, most: Int) -> Bool {
    let target: Int
    switch command {
    case .up: target = scroll - 1
    case .down: target = scroll + 1
    case .pageUp: target = scroll - 8
    case .pageDown: target = scroll + 8
    case .first: target = 0
    case .last: target = most
    default: return false
    }
    scroll = max(0, min(target, most))
    return true
  }
}
