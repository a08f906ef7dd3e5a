import AssetLibrary
import Pixels

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

extension PickerState {
  func drawHelp(_ state: HelpState, on frame: inout ScreenFrame) {
    let help = layout(of: state)
    // Beside a box that takes most of the screen only scraps of words would be left.
    if help.box.outer.columns * 2 > frame.size.columns {
      frame.clear(CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows))
    }
    frame.draw(help.box)
    let inner = help.box.inner
    if !state.text.isEmpty {
      let column = help.box.outer.column + DisplayText(help.box.title).width + 5
      frame.put(
        " \(state.text)\(symbols.menus.caret) ", row: help.box.outer.row, column: column,
        limit: max(0, help.box.outer.endColumn - 2 - column), style: .prompt)
    }
    if help.isEmpty {
      frame.put(
        "no key of that name", row: inner.row, column: inner.column, limit: inner.columns, style: .dim)
    }
    var column = inner.column
    for (index, lines) in help.columns.enumerated() {
      for (row, line) in lines.dropFirst(min(state.scroll, help.maximumScroll)).prefix(inner.rows)
        .enumerated()
      {
        let at = inner.row + row
        if let heading = line.heading {
          frame.put(heading, row: at, column: column, limit: max(0, inner.endColumn - column), style: .title)
          continue
        }
        frame.put(
          line.keys, row: at, column: column, limit: max(0, inner.endColumn - column), style: .hintKey)
        let textColumn = column + help.keyWidths[index] + 2
        frame.put(line.text, row: at, column: textColumn, limit: max(0, inner.endColumn - textColumn))
      }
      column += help.widths[index] + HelpLayout.gap
    }
  }
}

/// The lines of the help, made from the key bindings, in one column or two.
struct HelpLayout: Hashable, Sendable {
  /// One line: a heading, or keys and what they do.
  struct Line: Hashable, Sendable {
    var heading: String?
    var keys = ""
    var text = ""
  }

  /// The lines of each column.
  let columns: [[Line]]
  /// The width of the keys in each column.
  let keyWidths: [Int]
  let widths: [Int]
  let box: OverlayBox
  /// The largest scroll offset.
  let maximumScroll: Int

  static let gap = 4

  /// Whether nothing has what was looked for.
  var isEmpty: Bool { columns.allSatisfy(\.isEmpty) }

  /// - Parameter text: what was typed; only lines with it are there, in a box as large as for all.
  init(_ bindings: KeyBindings, _ symbols: Symbols, screen: CellSize, finding text: String = "") {
    let sections = bindings.sections.map { section in
      [Line(heading: section.title)]
        + section.groups.map { group in
          let keys = group.label ?? group.bindings.map { $0.key.label(symbols) }.joined(separator: " ")
          return Line(keys: keys, text: group.title)
        }
    }
    let spaced = Self.joined(sections)
    let single = spaced.count + 4 > screen.rows ? sections.flatMap { $0 } : spaced
    let width = { (lines: [Line]) in
      lines.map { DisplayText($0.text).width }.max() ?? 0
    }
    let keys = { (lines: [Line]) in lines.map { DisplayText($0.keys).width }.max() ?? 0 }
    // Two columns if one is too high for the screen and two fit its width.
    let split = Self.split(sections)
    let both = split.map { keys($0) + 2 + width($0) }
    let isDouble =
      single.count + 4 > screen.rows && both.reduce(0, +) + Self.gap + 6 <= screen.columns
    let all = isDouble ? split : [single]
    keyWidths = all.map(keys)
    widths = all.map { keys($0) + 2 + width($0) }
    let height = all.map(\.count).max() ?? 0
    let closing = bindings.key(for: .close).map { "   \($0.label(symbols)) closes" } ?? ""
    let more = height + 4 > screen.rows ? "\(symbols.keys.up)\(symbols.keys.down) more   " : ""
    let footer = "\(more)type to find one\(closing)"
    columns =
      text.isEmpty ? all : [Self.joined(Self.found(text, in: sections))] + all.dropFirst().map { _ in [] }
    box = OverlayBox(
      title: "Help", footer: footer, width: widths.reduce(0, +) + Self.gap * (columns.count - 1),
      height: height, screen: screen, widest: isDouble ? screen.columns : 80)
    maximumScroll = max(0, (columns.map(\.count).max() ?? 0) - box.inner.rows)
  }

  /// The lines that have the text in their words or their heading, under their headings; of a text that is a key, the
  /// lines of this key.
  private static func found(_ text: String, in sections: [[Line]]) -> [[Line]] {
    let isKey = { (line: Line) in line.keys.split(separator: " ").contains { $0 == text } }
    let hasKey = sections.contains { $0.contains(where: isKey) }
    let pattern = TextPattern(text)
    let holds = { (words: String) in pattern.matches(folded: TextPattern.fold(words)) }
    return sections.compactMap { section in
      guard let heading = section.first else { return nil }
      if !hasKey, holds(heading.heading ?? "") { return section }
      let lines = section.dropFirst().filter { line in hasKey ? isKey(line) : holds(line.text) }
      return lines.isEmpty ? nil : [heading] + lines
    }
  }

  private static func joined(_ sections: some Collection<[Line]>) -> [Line] {
    Array(sections.joined(separator: [Line()]))
  }

  /// The sections in two columns of about equal height.
  private static func split(_ sections: [[Line]]) -> [[Line]] {
    let halves = (1..<max(2, sections.count)).map { count in
      [joined(sections.prefix(count)), joined(sections.dropFirst(count))]
    }
    return halves.min { a, b in a.map(\.count).max() ?? 0 < b.map(\.count).max() ?? 0 } ?? []
  }
}
