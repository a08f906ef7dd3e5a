import AssetLibrary

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
