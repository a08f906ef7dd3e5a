import AssetLibrary

/// A list that is open beside the photos; typing narrows it.
struct MenuState: Hashable, Sendable {
  /// The current entry, counted among those that match.
  var cursor = 0
  /// What was typed.
  var text = ""

  /// The entries whose titles contain what was typed.
  func matching<Entry>(_ entries: [Entry], _ title: (Entry) -> String) -> [Entry] {
    guard !text.isEmpty else { return entries }
    let pattern = TextPattern(text)
    return entries.filter { pattern.matches(folded: TextPattern.fold(title($0))) }
  }

  /// Takes a key that changes the text.
  /// - Returns: whether it was one.
  mutating func type(_ key: Key) -> Bool {
    switch key {
    case .character(let character): text.append(character)
    case .backspace where !text.isEmpty: text.removeLast()
    case .escape where !text.isEmpty: text = ""
    default: return false
    }
    cursor = 0
    return true
  }

  /// Moves the cursor by a command.
  mutating func move(_ command: Command?, count: Int) {
    let target =
      switch command {
      case .up: cursor - 1
      case .down: cursor + 1
      case .pageUp: cursor - 8
      case .pageDown: cursor + 8
      case .first: 0
      case .last: count - 1
      default: cursor
      }
    cursor = max(0, min(target, count - 1))
  }
}
