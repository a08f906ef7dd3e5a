import AssetLibrary

extension PickerState {
  var helpLayout: HelpLayout { HelpLayout(options.bindings, symbols, screen: metrics.size) }

  /// Handles a key while an overlay is open.
  mutating func press(_ key: Key, _ command: Command?, in overlay: Overlay) -> [PickerEffect] {
    if case .filters(let menu) = overlay, !leaves(menu, key, command) {
      return pressInFilters(key, command, menu)
    }
    if case .sorts(let menu) = overlay, !leaves(menu, key, command) {
      return pressInSorts(key, command, menu)
    }
    if command == .close || command == .cancel {
      self.input.overlay = nil
      return []
    }
    switch overlay {
    case .help(let scroll): scrollHelp(from: scroll, command)
    case .info: return scrollInfo(command)
    case .filters, .sorts: break
    }
    return []
  }

  /// Whether a key closes a menu: none that is typed does.
  private func leaves(_ menu: MenuState, _ key: Key, _ command: Command?) -> Bool {
    switch key {
    case .character: false
    case .escape: menu.text.isEmpty
    default: command == .close || command == .cancel
    }
  }

  /// Scrolls the help with the movement keys if it is longer than its box; any other key closes it.
  private mutating func scrollHelp(from scroll: Int, _ command: Command?) {
    let most = helpLayout.maximumScroll
    let target: Int
    switch command {
    case .up where most > 0: target = scroll - 1
    case .down where most > 0: target = scroll + 1
    case .pageUp where most > 0: target = scroll - 8
    case .pageDown where most > 0: target = scroll + 8
    case .first where most > 0: target = 0
    case .last where most > 0: target = most
    default:
      input.overlay = nil
      return
    }
    input.overlay = .help(scroll: max(0, min(target, most)))
  }

  /// Scrolls with up and down, shows other photos with left and right; any other key closes the box.
  private mutating func scrollInfo(_ command: Command?) -> [PickerEffect] {
    switch command {
    case .up: preview.infoScroll -= 1
    case .down: preview.infoScroll += 1
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
