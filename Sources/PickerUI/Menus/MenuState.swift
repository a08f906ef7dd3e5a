package import AssetLibrary
import Pixels

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

extension PickerState {
  /// The area of a menu's entries: its title stands above them.
  func menuList(in area: CellRect) -> CellRect { area.inset(left: 1, top: 1, right: 1) }

  /// The first visible entry, with the current one in view.
  func first(in list: CellRect, showing cursor: Int, of count: Int) -> Int {
    max(0, min(cursor - list.rows / 2, count - list.rows))
  }

  func drawFilterMenu(_ menu: MenuState, on frame: inout ScreenFrame) {
    let kinds = kinds(in: menu)
    drawMenu("Filter", menu, count: kinds.count, on: &frame) { index, frame, row, list in
      let condition = library.userFilter.condition(kinds[index])
      let count = library.kindCounts[kinds[index]]
      frame.drawLine(
        mark: condition.map { $0.isExcluded ? symbols.menus.excluded : symbols.menus.checked } ?? " ",
        (condition?.isExcluded ?? false ? "not " : "") + kinds[index].words,
        detail: count.map(options.locale.number) ?? "", row: row, in: list,
        isCurrent: index == menu.cursor, isChosen: condition != nil, isDimmed: count == 0)
    }
  }

  func drawSortMenu(_ menu: MenuState, on frame: inout ScreenFrame) {
    let sorts = sorts(in: menu)
    drawMenu("Sort", menu, count: sorts.count, on: &frame) { index, frame, row, list in
      let isChosen = sorts[index] == library.userFilter.sort.menuOrder
      frame.drawLine(
        mark: isChosen ? symbols.menus.checked : " ", sorts[index].title, row: row, in: list,
        isCurrent: index == menu.cursor, isChosen: isChosen)
    }
    guard let list = layout.menu.map(menuList), menu.text.isEmpty, sorts.count < list.rows else { return }
    let isReversed = library.userFilter.sort.isTurnedRound
    frame.drawLine(
      mark: isReversed ? symbols.menus.checked : " ", "reversed", detail: Key.tab.label(symbols),
      row: list.row + sorts.count, in: list, isCurrent: false, isChosen: isReversed)
  }

  /// Draws a menu's title, what was typed, and the entries that fit.
  /// - Parameter current: the line to keep in sight; nil = that of the cursor.
  func drawMenu(
    _ title: String, _ menu: MenuState, count: Int, current: Int? = nil, on frame: inout ScreenFrame,
    line: (_ index: Int, _ frame: inout ScreenFrame, _ row: Int, _ list: CellRect) -> Void
  ) {
    guard let area = layout.menu else { return }
    let list = menuList(in: area)
    var column = list.column + 1
    column += frame.put(title, row: area.row, column: column, limit: list.columns, style: .title) + 2
    let typed = menu.text.isEmpty ? "type to find one" : menu.text + symbols.menus.caret
    frame.put(
      typed, row: area.row, column: column, limit: max(0, list.endColumn - column),
      style: menu.text.isEmpty ? .dim : .prompt)
    if count == 0 { frame.put("none of that name", row: list.row, column: list.column + 3, style: .dim) }
    let first = first(in: list, showing: current ?? menu.cursor, of: count)
    for row in 0..<max(0, min(list.rows, count - first)) { line(first + row, &frame, list.row + row, list) }
  }
}

extension PickerState {
  func kinds(in menu: MenuState) -> [PickerFilter.Name] {
    menu.matching(PickerFilter.Name.menu, \.words)
  }

  /// The lines that an open menu would like, apart from its title; nil if none is open.
  var menuEntryCount: Int? {
    switch input.overlay {
    case .filters: PickerFilter.Name.menu.count
    // Below the orders stands how they are turned round.
    case .sorts: AssetSort.allCases.count + 1
    case .options(let menu): optionsMenu(menu).lines().count
    // The hints stand below.
    case .downloads: handover.downloads.map { $0.items.count + 3 }
    case .help, .info, nil: nil
    }
  }

  func sorts(in menu: MenuState) -> [AssetSort] { menu.matching(AssetSort.allCases, \.title) }

  /// Opens a menu beside the grid, which has the focus.
  mutating func open(_ menu: Overlay) -> [PickerEffect] {
    if let prompt = input.prompt {
      // A click leaves the prompt as Enter does.
      guard !staysOpen(prompt) else {
        input.prompt?.hidesFault = false
        return []
      }
      input.prompt = nil
    }
    if layout.sidebarFloats { setFocus(.grid) }
    input.overlay = menu
    return []
  }

  /// Handles a key in the filter menu: what is typed narrows it.
  mutating func pressInFilters(_ key: Key, _ command: Command?, _ menu: MenuState) -> [PickerEffect] {
    var menu = menu
    if !menu.type(key) {
      let kinds = kinds(in: menu)
      switch (key, command) {
      case (.space, _), (.enter, _), (_, .toggle), (_, .confirm), (_, .right):
        return kinds.indices.contains(menu.cursor) ? cycle(kinds[menu.cursor]) : []
      case (.backspace, _), (.delete, _):
        guard !library.userFilter.conditions.isEmpty else { return [] }
        library.userFilter.removeConditions()
        return filterChanged()
      default: menu.move(command, count: kinds.count)
      }
    }
    input.overlay = .filters(menu)
    return []
  }

  /// Handles a key in the sort menu: Enter sorts and closes it, Space leaves it open, Tab turns the order round.
  mutating func pressInSorts(_ key: Key, _ command: Command?, _ menu: MenuState) -> [PickerEffect] {
    var menu = menu
    if !menu.type(key) {
      let sorts = sorts(in: menu)
      switch (key, command) {
      case (.space, _), (.enter, _), (_, .toggle), (_, .confirm):
        guard sorts.indices.contains(menu.cursor) else { return [] }
        if key != .space { input.overlay = nil }
        return sort(by: sorts[menu.cursor])
      case (.tab, _): return sort(by: library.userFilter.sort.reversed)
      default: menu.move(command, count: sorts.count)
      }
    }
    input.overlay = .sorts(menu)
    return []
  }

  private mutating func cycle(_ kind: PickerFilter.Name) -> [PickerEffect] {
    library.userFilter.cycle(kind)
    return filterChanged()
  }

  private mutating func sort(by sort: AssetSort) -> [PickerEffect] {
    guard sort != library.userFilter.sort else { return [] }
    library.userFilter.sort = sort
    return filterChanged()
  }

  /// Handles a click in an open menu; one beside it closes it.
  mutating func clickMenu(_ event: MouseEvent) -> [PickerEffect] {
    guard let area = layout.menu, area.contains(row: event.row, column: event.column) else {
      input.overlay = nil
      return []
    }
    let list = menuList(in: area)
    switch input.overlay {
    case .filters(var menu):
      let kinds = kinds(in: menu)
      let line = first(in: list, showing: menu.cursor, of: kinds.count) + event.row - list.row
      guard event.row >= list.row, kinds.indices.contains(line) else { return [] }
      menu.cursor = line
      input.overlay = .filters(menu)
      return cycle(kinds[line])
    case .sorts(let menu):
      let sorts = sorts(in: menu)
      let line = first(in: list, showing: menu.cursor, of: sorts.count) + event.row - list.row
      if event.row >= list.row, line == sorts.count { return sort(by: library.userFilter.sort.reversed) }
      guard event.row >= list.row, sorts.indices.contains(line) else { return [] }
      input.overlay = nil
      return sort(by: sorts[line])
    case .options(var menu):
      let options = optionsMenu(menu)
      let lines = options.lines(in: list.rows)
      let line =
        first(in: list, showing: options.line(of: menu.cursor, in: lines), of: lines.count) + event.row
        - list.row
      guard event.row >= list.row, lines.indices.contains(line), case .choice(let choice) = lines[line] else {
        return []
      }
      menu.cursor = options.choices.firstIndex(of: choice) ?? menu.cursor
      input.overlay = .options(menu)
      choose(options.options(with: choice))
      return []
    case .help, .info, .downloads, nil: return []
    }
  }

  // MARK: Counts

  /// Asks for the numbers of the filter menu, where they are not known.
  mutating func requestKindCounts() -> [PickerEffect] {
    guard case .filters = input.overlay, let shown = library.answeredQuery else { return [] }
    var query = KindQuery(collection: shown.collection, options: shown.options, mode: shown.mode)
    query.options.filter = options.configuration.filter
    query.options.sortDescriptors = []
    return library.kindCounts.ask(query) ? [.countKinds(query)] : []
  }
}

/// The question how many photos there are of each kind, within what the caller and a search leave.
package struct KindQuery: Hashable, Sendable {
  /// nil = the whole library.
  package var collection: LocalIdentifier?
  package var options: FetchOptions
  package var mode: AccessMode

  /// The options for the photos of one kind.
  package func options(for kind: PickerFilter.Name) -> FetchOptions {
    var options = options
    options.filter = options.filter.map { .all([$0, .matching(kind)]) } ?? .matching(kind)
    return options
  }
}

/// How many photos there are of each kind.
package struct KindAnswer: Sendable {
  var query: KindQuery
  var counts: [PickerFilter.Name: Int]

  package init(query: KindQuery, counts: [PickerFilter.Name: Int]) {
    self.query = query
    self.counts = counts
  }
}

/// The numbers in the filter menu.
struct KindCounts: Sendable {
  /// nil = has to be asked again.
  private var query: KindQuery?
  private var counts: [PickerFilter.Name: Int] = [:]

  subscript(kind: PickerFilter.Name) -> Int? { counts[kind] }

  /// The counts stay until others come.
  mutating func markStale() { query = nil }

  /// - Returns: whether the question is new.
  mutating func ask(_ query: KindQuery) -> Bool {
    defer { self.query = query }
    return query != self.query
  }

  mutating func add(_ answer: KindAnswer) {
    if answer.query == query { counts = answer.counts }
  }
}
