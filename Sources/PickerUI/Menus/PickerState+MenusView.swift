import AssetLibrary
import Pixels

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
