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
      case .drag, .release, .motion, .leave: return .passed
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
      picker.options.helpBindings, picker.options.symbols, scrubs: picker.options.screen.scrubsInGrid,
      screen: picker.layout.metrics.size, finding: text)
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
    if help.columns.allSatisfy(\.lines.isEmpty) {
      frame.put(
        "No matching key", row: inner.row, column: inner.column, limit: inner.columns, style: .dim)
    }
    let first = min(scroll, help.maximumScroll)
    var rest = inner
    for column in help.columns {
      for (row, line) in column.lines.dropFirst(first).prefix(inner.rows).enumerated() {
        column.draw(line, in: rest, row: inner.row + row, on: &frame)
      }
      rest = rest.inset(left: column.width + HelpLayout.gap)
    }
  }
}

/// The lines of the help, made from the key bindings, in a panel at the right edge of the screen.
///
/// In two columns, if one has too few rows for all lines and both fit.
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

  /// Lines below each other, with the keys in a column of their own.
  struct Column: Hashable, Sendable {
    fileprivate(set) var lines: [Line]
    private let keyWidth: Int
    let width: Int

    fileprivate init(_ lines: [Line]) {
      self.lines = lines
      keyWidth = lines.map { DisplayText($0.keys).width }.max() ?? 0
      width = keyWidth + 2 + (lines.map { DisplayText($0.text).width }.max() ?? 0)
    }

    /// The column with lines of at most `columns` cells.
    fileprivate func wrapped(to columns: Int) -> Column {
      var wrapped = self
      wrapped.lines = lines.flatMap { $0.wrapped(to: columns - keyWidth - 2) }
      return wrapped
    }

    fileprivate func draw(_ line: Line, in area: CellRect, row: Int, on frame: inout ScreenFrame) {
      if let heading = line.heading {
        frame.put(heading, row: row, column: area.column, limit: area.columns, style: .title)
        return
      }
      frame.put(line.keys, row: row, column: area.column, limit: area.columns, style: .hintKey)
      let column = area.column + keyWidth + 2
      frame.put(line.text, row: row, column: column, limit: max(0, area.endColumn - column))
    }
  }

  let columns: [Column]
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
  private static let scrubbing = Line(keys: "move", text: "show stills of a video")

  /// - Parameters:
  ///   - scrubs: whether the mouse shows stills.
  ///   - screen: the size of the screen.
  ///   - text: the typed text. Only lines that contain it are listed, in a box of full size.
  init(
    _ bindings: KeyBindings, _ symbols: Symbols, scrubs: Bool, screen: CellSize, finding text: String = ""
  ) {
    let sections =
      bindings.sections.map { section in
        [Line(heading: section.title)]
          + section.groups.map { group in
            let keys = group.label ?? group.bindings.map { $0.key.label(symbols) }.joined(separator: " ")
            return Line(keys: keys, text: group.title)
          }
      } + [Self.mouse + (scrubs ? [Self.scrubbing] : [])]
    let (parts, isSpaced) = Self.arranged(sections, screen)
    let lines = { (sections: [[Line]]) in isSpaced ? Self.joined(sections) : sections.flatMap { $0 } }
    let all = parts.map { Column(lines($0)) }
    let height = all.map(\.lines.count).max() ?? 0
    let closing = bindings.key(for: .close).map { "   \($0.label(symbols)) closes" } ?? ""
    let box = { (more: String) in
      OverlayBox(
        title: "Help", footer: "\(more)Type to filter\(closing)", width: Self.width(of: all), height: height,
        screen: screen, widest: all.count > 1 ? screen.columns : 80, isAtSide: true)
    }
    let whole = box("")
    columns = zip(all, parts).map { column, part in
      var column = column
      if !text.isEmpty { column.lines = Self.joined(Self.found(text, in: part, of: sections)) }
      return column.wrapped(to: all.count > 1 ? column.width : whole.inner.columns)
    }
    maximumScroll = max(0, (columns.map(\.lines.count).max() ?? 0) - whole.inner.rows)
    self.box = maximumScroll > 0 ? box("\(symbols.keys.up)\(symbols.keys.down) more   ") : whole
  }

  /// The cells between two columns.
  fileprivate static let gap = 2

  private static func width(of columns: [Column]) -> Int {
    columns.reduce(-gap) { $0 + $1.width + gap }
  }

  /// The sections of each column, and whether blank lines separate them.
  ///
  /// One column leaves more of the photos visible. Blank lines are left out if all lines fit only without
  /// them, or if the help must be scrolled anyway.
  private static func arranged(
    _ sections: [[Line]], _ screen: CellSize
  ) -> (parts: [[[Line]]], isSpaced: Bool) {
    let room = screen.rows - OverlayBox.borderRows
    if joined(sections).count <= room { return ([sections], true) }
    let isDenseEnough = sections.reduce(0) { $0 + $1.count } <= room
    guard !isDenseEnough else { return ([sections], false) }
    // The most equal columns of those that fit.
    let pairs = sections.indices.dropFirst().map { [Array(sections[..<$0]), Array(sections[$0...])] }
    let fitting = pairs.filter {
      width(of: $0.map { Column(joined($0)) }) + OverlayBox.border <= screen.columns
    }
    guard let halves = fitting.min(by: { height($0) < height($1) }) else { return ([sections], false) }
    if height(halves) <= room { return (halves, true) }
    let isDense = halves.allSatisfy { $0.reduce(0) { $0 + $1.count } <= room }
    return (isDense ? halves : [sections], false)
  }

  private static func height(_ parts: [[[Line]]]) -> Int { parts.map { joined($0).count }.max() ?? 0 }

  /// The lines whose text or heading contains the typed text, under their headings.
  ///
  /// If the typed text is a key, only the lines of this key.
  /// - Parameters:
  ///   - text: the typed text.
  ///   - sections: those of a column.
  ///   - all: those of all columns, one of which may have the key.
  private static func found(_ text: String, in sections: [[Line]], of all: [[Line]]) -> [[Line]] {
    let isKey = { (line: Line) in line.keys.split(separator: " ").contains { $0 == text } }
    let hasKey = all.contains { $0.contains(where: isKey) }
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
