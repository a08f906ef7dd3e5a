import AssetLibrary
import Pixels

extension PickerState {
  func optionsMenu(_ menu: MenuState) -> OptionsMenu {
    OptionsMenu(
      asked: options.configuration.representation, chosen: handover.options, menu, options.locale)
  }

  /// Opens the menu with what can be chosen of the shape in which the result is handed over.
  mutating func openOptions() -> [PickerEffect] {
    let cursor = optionsMenu(MenuState()).choices.firstIndex(of: .mode(handover.options.mode))
    return open(.options(MenuState(cursor: cursor ?? 0)))
  }

  /// Handles a key in the options menu: Backspace takes back what was chosen.
  mutating func pressInOptions(_ key: Key, _ command: Command?, _ menu: MenuState) -> [PickerEffect] {
    var menu = menu
    if !menu.type(key) {
      let options = optionsMenu(menu)
      switch (key, command) {
      case (.space, _), (.enter, _), (_, .toggle), (_, .confirm), (_, .right):
        guard options.choices.indices.contains(menu.cursor) else { return [] }
        choose(options.options(with: options.choices[menu.cursor]))
      case (.backspace, _), (.delete, _): choose(options.asked)
      default: menu.move(command, count: options.choices.count)
      }
    }
    input.overlay = .options(menu)
    return []
  }

  func drawOptions(_ menu: MenuState, on frame: inout ScreenFrame) {
    guard let area = layout.menu else { return }
    let options = optionsMenu(menu)
    let lines = options.lines(in: menuList(in: area).rows)
    let current = options.choices.indices.contains(menu.cursor) ? options.choices[menu.cursor] : nil
    drawMenu(
      "Options", menu, count: lines.count, current: options.line(of: menu.cursor, in: lines), on: &frame
    ) { index, frame, row, list in
      switch lines[index] {
      case .heading(let text):
        frame.put(text, row: row, column: list.column + 1, limit: list.columns - 1, style: .heading)
      case .choice(let choice):
        let isChosen = options.isChosen(choice)
        frame.drawLine(
          mark: isChosen ? symbols.menus.checked : " ", choice.title, row: row, in: list,
          isCurrent: choice == current, isChosen: isChosen)
      case .fact(let text):
        frame.put(text, row: row, column: list.column + 3, limit: list.columns - 4, style: .fact)
      case .gap: break
      }
    }
  }
}
