import AssetLibrary
import Pixels

/// The help, in a panel at the right edge: its scroll position and the typed text that narrows it.
struct HelpPanel: Layer {
  /// The number of lines scrolled off the top.
  private var scroll = 0
  /// The typed text.
  private var text = ""

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(let key, let command):
      // While nothing is typed, the key that opened the help closes it, and Space scrolls as in a pager.
      if command == .help, text.isEmpty { return .closed([]) }
      if type(key) { return .handled([]) }
      return move(key == .space ? .pageDown : command, most: layout(in: picker).maximumScroll)
        ? .handled([]) : .closed([])
    case .mouse(let event):
      switch event.action {
      case .wheelUp: return handle(.key(.up, .up), in: &picker)
      case .wheelDown: return handle(.key(.down, .down), in: &picker)
      case .press, .rightPress: return .closed([])
      case .drag, .release: return .passed
      }
    case .paste: return .handled([])
    }
  }

  /// Handles a key that changes the text.
  /// - Returns: whether it was one.
  private mutating func type(_ key: Key) -> Bool {
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
  private mutating func move(_ command: Command?, most: Int) -> Bool {
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

  /// The footer of the panel shows its keys.
  func hints(in picker: PickerState) -> [StatusLine.Hint]? { [] }

  func cover(in picker: PickerState) -> CellRect? { layout(in: picker).box.cover }

  private func layout(in picker: PickerState) -> HelpLayout {
    HelpLayout(
      picker.options.helpBindings, picker.options.symbols, screen: picker.layout.metrics.size, finding: text)
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let help = layout(in: picker)
    frame.draw(help.box)
    let inner = help.box.inner
    if !text.isEmpty {
      let column = help.box.outer.column + DisplayText(help.box.title).width + 5
      frame.put(
        " \(text)\(picker.options.symbols.menus.caret) ", row: help.box.outer.row, column: column,
        limit: max(0, help.box.outer.endColumn - 2 - column), style: .prompt)
    }
    if help.lines.isEmpty {
      frame.put(
        "No matching key", row: inner.row, column: inner.column, limit: inner.columns, style: .dim)
    }
    let first = min(scroll, help.maximumScroll)
    for (row, line) in help.lines.dropFirst(first).prefix(inner.rows).enumerated() {
      let at = inner.row + row
      if let heading = line.heading {
        frame.put(heading, row: at, column: inner.column, limit: inner.columns, style: .title)
        continue
      }
      frame.put(line.keys, row: at, column: inner.column, limit: inner.columns, style: .hintKey)
      let column = inner.column + help.keyWidth + 2
      frame.put(line.text, row: at, column: column, limit: max(0, inner.endColumn - column))
    }
  }
}

/// The lines of the help, made from the key bindings, in a panel at the right edge of the screen.
struct HelpLayout: Hashable, Sendable {
  /// One line: a heading, or keys and what they do.
  struct Line: Hashable, Sendable {
    var heading: String?
    var keys = ""
    var text = ""

    /// The line in parts whose text has at most `width` cells.
    fileprivate func wrapped(to width: Int) -> [Line] {
      guard heading == nil, DisplayText(text).width > width else { return [self] }
      return DisplayText(text).wrapped(to: max(1, width)).enumerated().map { index, part in
        Line(keys: index == 0 ? keys : "", text: part.string)
      }
    }
  }

  let lines: [Line]
  /// The width of the keys.
  let keyWidth: Int
  let box: OverlayBox
  /// The largest scroll offset.
  let maximumScroll: Int

  /// The actions of the mouse, which can't be rebound.
  private static let mouse = [
    Line(heading: "Mouse"),
    Line(keys: "click", text: "move the cursor; on the cursor: pick"),
    Line(keys: "corner, Ctrl", text: "pick at once"),
    Line(keys: "double click", text: "pick and use"),
    Line(keys: "drag", text: "pick a range; in review: reorder"),
    Line(keys: "right click", text: "full screen on or off"),
    Line(keys: "wheel", text: "scroll; in full screen: previous, next"),
    Line(keys: "Ctrl-wheel", text: "zoom in full screen"),
  ]

  /// - Parameter text: the typed text. Only lines that contain it are listed, in a box of full size.
  init(_ bindings: KeyBindings, _ symbols: Symbols, screen: CellSize, finding text: String = "") {
    let sections =
      bindings.sections.map { section in
        [Line(heading: section.title)]
          + section.groups.map { group in
            let keys = group.label ?? group.bindings.map { $0.key.label(symbols) }.joined(separator: " ")
            return Line(keys: keys, text: group.title)
          }
      } + [Self.mouse]
    // If the help must be scrolled anyway, blank lines are left out.
    let spaced = Self.joined(sections)
    let all = spaced.count + 4 > screen.rows ? sections.flatMap { $0 } : spaced
    let keyWidth = all.map { DisplayText($0.keys).width }.max() ?? 0
    let closing = bindings.key(for: .close).map { "   \($0.label(symbols)) closes" } ?? ""
    let box = { (more: String) in
      OverlayBox(
        title: "Help", footer: "\(more)Type to filter\(closing)",
        width: keyWidth + 2 + (all.map { DisplayText($0.text).width }.max() ?? 0), height: all.count,
        screen: screen, isAtSide: true)
    }
    let whole = box("")
    self.box =
      all.count > whole.inner.rows ? box("\(symbols.keys.up)\(symbols.keys.down) more   ") : whole
    self.keyWidth = keyWidth
    let textWidth = whole.inner.columns - keyWidth - 2
    lines = (text.isEmpty ? all : Self.joined(Self.found(text, in: sections))).flatMap {
      $0.wrapped(to: textWidth)
    }
    maximumScroll = max(0, lines.count - whole.inner.rows)
  }

  /// The lines whose text or heading contains the typed text, under their headings.
  ///
  /// If the typed text is a key, only the lines of this key.
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
}
