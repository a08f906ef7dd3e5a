import AssetLibrary
import Pixels

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
