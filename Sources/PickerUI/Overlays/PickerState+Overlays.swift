import AssetLibrary
import Pixels

extension PickerState {
  func layout(of help: HelpState) -> HelpLayout {
    HelpLayout(options.helpBindings, symbols, screen: metrics.size, finding: help.text)
  }

  /// Handles a key while an overlay is open.
  mutating func press(_ key: Key, _ command: Command?, in overlay: Overlay) -> [PickerEffect] {
    if case .filters(let menu) = overlay, !leaves(menu, key, command) {
      return pressInFilters(key, command, menu)
    }
    if case .sorts(let menu) = overlay, !leaves(menu, key, command) {
      return pressInSorts(key, command, menu)
    }
    if case .options(let menu) = overlay, !leaves(menu, key, command) {
      return pressInOptions(key, command, menu)
    }
    if case .help(let help) = overlay {
      pressInHelp(key, command, help)
      return []
    }
    if command == .close || command == .cancel {
      self.input.overlay = nil
      return []
    }
    switch overlay {
    case .info: return scrollInfo(command)
    case .help, .filters, .sorts, .options, .downloads: return []
    }
  }

  /// Whether a key closes a menu: none that is typed does.
  private func leaves(_ menu: MenuState, _ key: Key, _ command: Command?) -> Bool {
    switch key {
    case .character: false
    case .escape: menu.text.isEmpty
    default: command == .close || command == .cancel
    }
  }

  /// Handles a key in the help: what is typed narrows it, keys that type nothing scroll it, any other closes it.
  private mutating func pressInHelp(_ key: Key, _ command: Command?, _ help: HelpState) {
    var help = help
    // With nothing typed, the key that opened it closes it, and a space scrolls as in a pager.
    let closes = command == .help && help.text.isEmpty
    let staysOpen =
      !closes
      && (help.type(key)
        || help.move(key == .space ? .pageDown : command, most: layout(of: help).maximumScroll))
    input.overlay = staysOpen ? .help(help) : nil
  }

  /// Scrolls the info by most of what is in sight of it.
  mutating func scrollInfo(by step: Int) {
    guard let asset = current, let rows = infoWindow(of: asset, in: layout)?.lines.count else { return }
    preview.infoScroll += step * max(1, rows - 2)
  }

  /// Scrolls with up and down, shows other photos with left and right; any other key closes the box.
  private mutating func scrollInfo(_ command: Command?) -> [PickerEffect] {
    switch command {
    case .up: preview.infoScroll -= 1
    case .down: preview.infoScroll += 1
    case .infoUp, .pageUp: scrollInfo(by: -1)
    case .infoDown, .pageDown: scrollInfo(by: 1)
    case .left: return showNeighbor(-1)
    case .right: return showNeighbor(1)
    default: input.overlay = nil
    }
    return []
  }

  // MARK: Conditions

  mutating func showHidden() -> [PickerEffect] {
    library.userFilter.showsHidden.toggle()
    return filterChanged()
      + showNotice(
        library.userFilter.showsHidden ? "hidden photos are shown" : "hidden photos are left out", .dim)
  }

  /// Removes the search, else the filter that was added last.
  mutating func removeLastFilter() -> [PickerEffect] {
    if !library.userFilter.text.isEmpty {
      library.userFilter.setSearchText("")
    } else if let last = library.userFilter.conditions.last {
      library.userFilter.remove(last)
    } else {
      return []
    }
    return filterChanged()
  }

  mutating func showEverything() -> [PickerEffect] {
    guard !library.userFilter.isEmpty else { return [] }
    library.userFilter.setSearchText("")
    library.userFilter.removeConditions()
    return filterChanged()
  }
}

extension PickerState {
  /// The rectangles that boxes cover of what is below them: what is seen of the photos ends at their edges.
  var covers: [CellRect] {
    var covers: [CellRect] = []
    if layout.sidebarFloats, let sidebar = layout.sidebar { covers.append(sidebar) }
    if let prompt = promptBox { covers.append(prompt.rect) }
    switch input.overlay {
    case .help(let help): covers.append(layout(of: help).box.cover)
    case .info: if let asset = current { covers.append(infoBox(of: asset).cover) }
    case .filters, .sorts, .options, .downloads, nil: break
    }
    return covers
  }
}

/// What is open over the photos or, if it is a menu, beside them; one at a time.
enum Overlay: Hashable, Sendable {
  case help(HelpState)
  case filters(MenuState)
  case sorts(MenuState)
  /// In which shape the result is handed over.
  case options(MenuState)
  /// The originals of picks that are on their way.
  case downloads
  /// The info on the asset, if no pane has room for it.
  case info

  /// Whether it is a menu.
  var isMenu: Bool {
    switch self {
    case .filters, .sorts, .options, .downloads: true
    case .help, .info: false
    }
  }
}

/// A box in the middle of the screen or at its right edge, with a title in the border and key hints in the last line.
struct OverlayBox: Hashable, Sendable {
  let title: String
  let footer: String
  /// The box including its border.
  let outer: CellRect
  /// The area of the lines.
  let inner: CellRect

  /// - Parameter isAtSide: whether it stands at the right edge, as high as the screen, so that as much as can be is seen
  ///   beside it.
  init(
    title: String, footer: String, width: Int, height: Int, screen: CellSize, isAtSide: Bool = false
  ) {
    self.title = title
    self.footer = footer
    let columns = min(80, screen.columns, max(width, DisplayText(footer).width) + 6)
    let rows = isAtSide ? screen.rows : min(screen.rows, height + 4)
    let free = screen.columns - columns
    outer = CellRect(
      column: isAtSide ? free : free / 2, row: (screen.rows - rows) / 2, columns: columns, rows: rows)
    inner = outer.inset(left: min(3, columns / 8), top: 1, right: min(3, columns / 8), bottom: 3)
  }

  /// What it covers: a blank column on each side keeps pictures from touching the border.
  var cover: CellRect {
    CellRect(column: outer.column - 1, row: outer.row, columns: outer.columns + 2, rows: outer.rows)
  }
}

extension ScreenFrame {
  /// Draws an empty box.
  mutating func draw(_ box: OverlayBox) {
    let outer = box.outer
    clear(box.cover)
    let line = String(repeating: symbols.lines.horizontal, count: max(0, outer.columns - 2))
    let (top, bottom) = (outer.row, outer.endRow - 1)
    put(
      "\(symbols.lines.topLeft)\(line)\(symbols.lines.topRight)", row: top, column: outer.column, style: .rule
    )
    put(
      "\(symbols.lines.bottomLeft)\(line)\(symbols.lines.bottomRight)", row: bottom, column: outer.column,
      style: .rule)
    for row in top + 1..<max(top + 1, bottom) {
      put(symbols.lines.vertical, row: row, column: outer.column, style: .rule)
      put(symbols.lines.vertical, row: row, column: outer.endColumn - 1, style: .rule)
    }
    put(" \(box.title) ", row: top, column: outer.column + 2, limit: outer.columns - 4, style: .title)
    let foot = DisplayText(box.footer).truncated(to: outer.columns - 4)
    put(
      foot, row: outer.endRow - 2, column: outer.column + (outer.columns - foot.width) / 2, style: .hintWords)
  }

  /// Columns that a text has before its detail is left out.
  private static let leastName = 8

  /// Draws one line of a list across a box, with the current one reversed.
  mutating func drawLine(
    mark: String, _ text: String, detail: String = "", row: Int, in area: CellRect, isCurrent: Bool,
    isChosen: Bool, isDimmed: Bool = false
  ) {
    let style =
      isDimmed && !isCurrent && !isChosen ? .dim : TextStyle.line(isCurrent: isCurrent, isChosen: isChosen)
    if isCurrent {
      fill(CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    put(mark, row: row, column: area.column + 1, limit: 2, style: style)
    var detail = DisplayText(detail)
    // What it is says more than how it is.
    if area.columns - 6 - detail.width < min(DisplayText(text).width, Self.leastName) {
      detail = DisplayText("")
    }
    let width = area.columns - 4 - (detail.width > 0 ? detail.width + 2 : 0)
    put(
      DisplayText(text).middleTruncated(to: max(0, width)), row: row, column: area.column + 3, style: style)
    if detail.width > 0, detail.width + 4 < area.columns {
      put(
        detail, row: row, column: area.endColumn - detail.width - 1, style: isCurrent ? style : .hintWords)
    }
  }
}
