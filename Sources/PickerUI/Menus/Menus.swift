package import AssetLibrary
import Pixels

/// The state of a list beside the photos; typing narrows it.
struct MenuState: Hashable, Sendable {
  /// The index of the current entry among those that match.
  var cursor = 0
  /// The typed text.
  var text = ""

  /// The entries whose titles contain the typed text.
  func matching<Entry>(_ entries: [Entry], _ title: (Entry) -> String) -> [Entry] {
    guard !text.isEmpty else { return entries }
    let pattern = TextPattern(text)
    return entries.filter { pattern.matches(folded: TextPattern.fold(title($0))) }
  }

  /// Handles a key that changes the text.
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

/// A list beside the photos that is narrowed by typing.
protocol Menu: Layer {
  var title: String { get }
  var list: MenuState { get set }
  /// What to type, shown beside the title while nothing is typed.
  var invitation: String { get }
  /// The text shown instead of entries if there are none.
  var emptyWords: String { get }
  /// Handles a key that types nothing and does not close the menu.
  mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled
  /// Handles a click on a line of the list, counted from the top of its area.
  mutating func click(row: Int, in picker: inout PickerState) -> Handled
}

extension Menu {
  var invitation: String { "Type to filter" }
  var emptyWords: String { "No match" }

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(let key, let command):
      if leaves(key, command) { return .closed([]) }
      return list.type(key) ? .handled([]) : press(key, command, in: &picker)
    case .mouse(let event):
      switch event.action {
      case .wheelUp: return press(.up, .up, in: &picker)
      case .wheelDown: return press(.down, .down, in: &picker)
      case .drag, .release, .motion, .leave: return .passed
      case .press, .rightPress: break
      }
      guard let area = picker.layout.menu, area.contains(row: event.row, column: event.column) else {
        return .closed([])
      }
      let row = event.row - area.menuList.row
      return row >= 0 ? click(row: row, in: &picker) : .handled([])
    case .paste: return .handled([])
    }
  }

  /// Whether a key closes the menu; keys that type text do not.
  private func leaves(_ key: Key, _ command: Command?) -> Bool {
    switch key {
    case .character: false
    case .escape: list.text.isEmpty
    default: command == .close || command == .cancel
    }
  }

  func helpfulKeys(in picker: PickerState) -> [String]? { [] }

  /// Draws the title, the typed text, and the entries that fit.
  /// - Parameter current: the line to keep visible; nil = that of the cursor.
  func drawList(
    count: Int, current: Int? = nil, on frame: inout ScreenFrame, in picker: PickerState,
    line: (_ index: Int, _ frame: inout ScreenFrame, _ row: Int, _ list: CellRect) -> Void
  ) {
    guard let area = picker.layout.menu else { return }
    let rows = area.menuList
    var column = rows.column + 1
    column += frame.put(title, row: area.row, column: column, limit: rows.columns, style: .title) + 2
    let room = max(0, rows.endColumn - column)
    if !list.text.isEmpty {
      frame.put(
        list.text + picker.options.symbols.menus.caret, row: area.row, column: column, limit: room,
        style: .prompt)
    } else {
      frame.put(invitation, row: area.row, column: column, limit: room, style: .dim)
    }
    if count == 0 {
      frame.put(emptyWords, row: rows.row, column: rows.column + 3, limit: rows.columns - 3, style: .dim)
    }
    let first = rows.firstEntry(showing: current ?? list.cursor, of: count)
    for row in 0..<max(0, min(rows.rows, count - first)) { line(first + row, &frame, rows.row + row, rows) }
  }

  /// Hints for keys that keep their meaning when commands are rebound.
  func fixedHints(_ hints: KeyValuePairs<Key, String>, in picker: PickerState) -> [StatusLine.Hint] {
    hints.map { StatusLine.Hint($0, $1, picker.options.symbols) }
  }
}

extension CellRect {
  /// The area of a menu's entries, below its title.
  var menuList: CellRect { inset(left: 1, top: 1, right: 1) }

  /// The index of the first visible entry of a list in this area, with the current one in view.
  func firstEntry(showing cursor: Int, of count: Int) -> Int {
    max(0, min(cursor - rows / 2, count - rows))
  }
}

/// The filter menu: the kinds of photos to show, and the number of each.
struct FilterMenu: Menu {
  let title = "Filter"
  var list = MenuState()

  private var kinds: [PickerFilter.Name] { list.matching(PickerFilter.Name.menu, \.words) }

  func rows(in picker: PickerState) -> Int? { PickerFilter.Name.menu.count + 1 }

  mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    switch (key, command) {
    case (.space, _), (.enter, _), (_, .toggle), (_, .confirm), (_, .right):
      return .handled(kinds.indices.contains(list.cursor) ? cycle(kinds[list.cursor], in: &picker) : [])
    case (.backspace, _), (.delete, _):
      guard !picker.library.userFilter.conditions.isEmpty else { return .handled([]) }
      picker.library.userFilter.removeConditions()
      return .handled(picker.filterChanged())
    default:
      list.move(command, count: kinds.count)
      return .handled([])
    }
  }

  mutating func click(row: Int, in picker: inout PickerState) -> Handled {
    guard let area = picker.layout.menu?.menuList else { return .handled([]) }
    let line = area.firstEntry(showing: list.cursor, of: kinds.count) + row
    guard kinds.indices.contains(line) else { return .handled([]) }
    list.cursor = line
    return .handled(cycle(kinds[line], in: &picker))
  }

  private func cycle(_ kind: PickerFilter.Name, in picker: inout PickerState) -> [PickerEffect] {
    picker.library.userFilter.cycle(kind)
    return picker.filterChanged()
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let kinds = kinds
    drawList(count: kinds.count, on: &frame, in: picker) { index, frame, row, area in
      let condition = picker.library.userFilter.condition(kinds[index])
      let count = picker.library.kindCounts[kinds[index]]
      let menus = picker.options.symbols.menus
      frame.drawLine(
        mark: condition.map { $0.isExcluded ? menus.excluded : menus.checked } ?? " ",
        (condition?.isExcluded ?? false ? "not " : "") + kinds[index].words,
        detail: count.map(picker.options.locale.number) ?? "", row: row, in: area,
        isCurrent: index == list.cursor, isChosen: condition != nil, isDimmed: count == 0)
    }
  }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    fixedHints(
      [.space: "include, exclude", .backspace: "clear", .escape: "done"], in: picker)
  }

  func helpfulKeys(in picker: PickerState) -> [String]? {
    picker.library.userFilter.conditions.isEmpty
      ? [] : ["\(Key.backspace.label(picker.options.symbols)) clear filters"]
  }

  /// Requests the counts if they are unknown.
  func requestCounts(in picker: inout PickerState) -> [PickerEffect] {
    guard let shown = picker.library.answeredQuery else { return [] }
    var query = KindQuery(collection: shown.collection, options: shown.options, mode: shown.mode)
    query.options.filter = picker.options.configuration.filter
    query.options.sortDescriptors = []
    return picker.library.kindCounts.ask(query) ? [.countKinds(query)] : []
  }
}

/// The sort menu: Enter sorts and closes it, Space sorts and leaves it open, Tab reverses the order.
struct SortMenu: Menu {
  let title = "Sort"
  var list: MenuState

  /// All orders; the user's albums and Recently Deleted have one of their own.
  private let choices: [AssetSort]
  private let ownOrderName: String?

  /// The cursor starts on the current order.
  init(for library: LibraryView) {
    ownOrderName = library.ownOrderName
    choices = (ownOrderName == nil ? [] : [.given]) + AssetSort.allCases
    list = MenuState(cursor: choices.firstIndex { $0 == library.sort || $0 == library.sort.reversed } ?? 0)
  }

  private var sorts: [AssetSort] { list.matching(choices, \.title) }

  /// A line below the orders shows whether they are reversed.
  func rows(in picker: PickerState) -> Int? { choices.count + 2 }

  mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    switch (key, command) {
    case (.space, _), (.enter, _), (_, .toggle), (_, .confirm):
      guard sorts.indices.contains(list.cursor) else { return .handled([]) }
      let effects = sort(by: sorts[list.cursor], in: &picker)
      return key == .space ? .handled(effects) : .closed(effects)
    case (.tab, _): return .handled(sort(by: picker.library.sort.reversed, in: &picker))
    default:
      list.move(command, count: sorts.count)
      return .handled([])
    }
  }

  mutating func click(row: Int, in picker: inout PickerState) -> Handled {
    guard let area = picker.layout.menu?.menuList else { return .handled([]) }
    let line = area.firstEntry(showing: list.cursor, of: sorts.count) + row
    if line == sorts.count {
      return .handled(sort(by: picker.library.sort.reversed, in: &picker))
    }
    return sorts.indices.contains(line) ? .closed(sort(by: sorts[line], in: &picker)) : .handled([])
  }

  private func sort(by sort: AssetSort, in picker: inout PickerState) -> [PickerEffect] {
    guard sort != picker.library.sort else { return [] }
    picker.library.sort = sort
    return picker.filterChanged()
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let sorts = sorts
    let current = picker.library.sort
    drawList(count: sorts.count, on: &frame, in: picker) { index, frame, row, area in
      let isChosen = sorts[index] == (current.orderInMenu ?? .given)
      frame.drawLine(
        mark: isChosen ? picker.options.symbols.menus.checked : " ",
        sorts[index] == .given ? ownOrderName ?? "" : sorts[index].title, row: row, in: area,
        isCurrent: index == list.cursor, isChosen: isChosen)
    }
    guard let area = picker.layout.menu?.menuList, list.text.isEmpty, sorts.count < area.rows else { return }
    frame.drawLine(
      mark: current.isReversedMenuOrder ? picker.options.symbols.menus.checked : " ", "reversed",
      detail: Key.tab.label(picker.options.symbols), row: area.row + sorts.count, in: area, isCurrent: false,
      isChosen: current.isReversedMenuOrder)
  }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    fixedHints([.enter: "sort", .escape: "done", .tab: "reverse"], in: picker)
  }
}

/// A request for the number of photos of each kind, within the caller's filter and the search.
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

/// The number of photos of each kind.
package struct KindAnswer: Sendable {
  var query: KindQuery
  var counts: [PickerFilter.Name: Int]

  package init(query: KindQuery, counts: [PickerFilter.Name: Int]) {
    self.query = query
    self.counts = counts
  }
}

/// The counts in the filter menu.
struct KindCounts: Sendable {
  /// nil = the counts must be requested again.
  private var query: KindQuery?
  private var counts: [PickerFilter.Name: Int] = [:]

  subscript(kind: PickerFilter.Name) -> Int? { counts[kind] }

  /// Marks the counts as stale; they are still shown until new ones arrive.
  mutating func markStale() { query = nil }

  /// - Returns: whether the request is new.
  mutating func ask(_ query: KindQuery) -> Bool {
    defer { self.query = query }
    return query != self.query
  }

  mutating func add(_ answer: KindAnswer) {
    if answer.query == query { counts = answer.counts }
  }
}
