import AssetLibrary

extension PickerState {
  /// What a key does depends on what is on top: a modal first, then a pane.
  mutating func press(_ key: Key) -> [PickerEffect] {
    let command = options.bindings.command(for: key)
    switch command {
    case .redraw:
      forgetPictures()
      return [.redraw]
    case .suspend: return [.suspend]
    default: break
    }
    switch stage {
    case .refused(let status): return [.finish(.refused(status))]
    case .opening: return command == .cancel || command == .close ? [.finish(.cancelled)] : []
    case .consent(let request, let choice): return answer(request, choice, key, command)
    case .library: break
    }
    notice = nil
    if showsHelp {
      showsHelp = false
      return command == .cancel && key == .control("c") ? [.finish(.cancelled)] : []
    }
    guard let command else { return [] }
    if anchor == nil { anchor = current?.id }
    return perform(command)
  }

  /// The consent prompt: arrows choose, Enter answers, each answer has a letter too.
  private mutating func answer(
    _ request: ConsentRequest, _ choice: ConsentDecision, _ key: Key, _ command: Command?
  ) -> [PickerEffect] {
    let choices = ConsentDecision.allCases
    let index = choices.firstIndex(of: choice) ?? 0
    switch (key, command) {
    case (.character("s"), _): return decide(.selectPhotos)
    case (.character("f"), _): return decide(.allowFullAccess)
    case (.character("d"), _): return decide(.deny)
    case (_, .up), (_, .left), (_, .previousPane):
      stage = .consent(request, choice: choices[max(0, index - 1)])
    case (_, .down), (_, .right), (_, .nextPane):
      stage = .consent(request, choice: choices[min(choices.count - 1, index + 1)])
    case (_, .confirm): return decide(choice)
    case (_, .close), (_, .cancel): return [.finish(.cancelled)]
    default: break
    }
    return []
  }

  private mutating func decide(_ decision: ConsentDecision) -> [PickerEffect] {
    stage = .opening
    return [.answerConsent(decision)]
  }

  private mutating func perform(_ command: Command) -> [PickerEffect] {
    // What can't be seen can't be changed.
    let needsGrid: Set<Command> = [
      .nextPane, .previousPane, .togglePreview, .largerThumbnails, .smallerThumbnails,
    ]
    if isFullScreen, needsGrid.contains(command) { return [] }
    switch command {
    case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last:
      return focus == .sidebar ? moveInSidebar(command) : moveInGrid(command)
    case .toggle: return focus == .sidebar ? openAlbum() : toggle()
    case .confirm: return focus == .sidebar ? openAlbum() : confirm()
    case .selectAll: return selectAll()
    case .unselectAll:
      selection.removeAll()
      if unmarked != nil { unmarked = [] }
      return []
    case .nextPane, .previousPane:
      focus = focus == .grid ? .sidebar : .grid
      sidebarCursor = collections.index(of: collection) ?? 0
      scrollToCursor()
      return []
    case .togglePreview:
      showsPreview = !layout.showsPreview
      scrollToCursor()
      return []
    case .openFullScreen:
      if current != nil { isFullScreen.toggle() }
      scrollToCursor()
      return []
    case .largerThumbnails:
      thumbnails = thumbnails.larger
      scrollToCursor()
      return []
    case .smallerThumbnails:
      thumbnails = thumbnails.smaller
      scrollToCursor()
      return []
    case .manageAccess:
      if access != .limited { return say("you can see every photo: there is nothing to choose", .dim) }
      return manageAccess()
    case .help:
      showsHelp = true
      return []
    case .close: return close()
    case .cancel: return [.finish(.cancelled)]
    case .redraw, .suspend: return []
    }
  }

  private mutating func close() -> [PickerEffect] {
    if isFullScreen {
      isFullScreen = false
      scrollToCursor()
    } else if focus == .sidebar {
      focus = .grid
    } else if mode == .managing {
      return endManaging(keeping: false)
    } else {
      return [.finish(.cancelled)]
    }
    return []
  }

  // MARK: Moving

  private mutating func moveInGrid(_ command: Command) -> [PickerEffect] {
    guard !assets.isEmpty else { return [] }
    let geometry = layout.cells
    // In full screen there is one picture: all directions mean the next or the previous one.
    let columns = isFullScreen ? 1 : max(1, geometry.columns)
    let page = isFullScreen ? 10 : columns * max(1, geometry.rows)
    let last = assets.count - 1
    switch command {
    case .left: cursor -= 1
    case .right: cursor += 1
    case .up: cursor -= cursor >= columns ? columns : 0
    case .down:
      // From a full row down to a shorter last one, but never past the end of the last row.
      if cursor + columns <= last || cursor / columns < last / columns { cursor += columns }
    case .pageUp: cursor -= page
    case .pageDown: cursor += page
    case .first: cursor = 0
    case .last: cursor = last
    default: break
    }
    cursor = max(0, min(cursor, last))
    anchor = current?.id
    scrollToCursor()
    return []
  }

  private mutating func moveInSidebar(_ command: Command) -> [PickerEffect] {
    let before = sidebarCursor
    switch command {
    case .up: sidebarCursor -= 1
    case .down: sidebarCursor += 1
    case .pageUp: sidebarCursor -= 10
    case .pageDown: sidebarCursor += 10
    case .first: sidebarCursor = 0
    case .last: sidebarCursor = collections.count - 1
    case .right:
      focus = .grid
      return []
    default: break
    }
    sidebarCursor = max(0, min(sidebarCursor, collections.count - 1))
    guard sidebarCursor != before, !collections.isEmpty else { return [] }
    // The grid follows the album under the cursor.
    return open(collections[sidebarCursor].id)
  }

  private mutating func openAlbum() -> [PickerEffect] {
    focus = .grid
    return []
  }

  // MARK: Choosing

  private mutating func toggle() -> [PickerEffect] {
    guard let asset = current else { return [] }
    if selection.contains(asset.id) {
      selection.remove(asset.id)
      return []
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    if limit == 1 { selection.removeAll() }  // one choice: the new one takes the old one's place
    if selection.add(asset) { return [] }
    return say("limit of \(limit) reached")
  }

  private mutating func selectAll() -> [PickerEffect] {
    for asset in assets where obstacle(to: asset) == nil {
      if !selection.add(asset) { return say("limit of \(limit) reached") }
    }
    return []
  }

  private mutating func confirm() -> [PickerEffect] {
    if mode == .managing { return endManaging(keeping: true) }
    if !selection.isEmpty {
      return [.finish(.picked(results(selection.assets)))]
    }
    guard let asset = current else {
      // Too early: there may be something in a moment.
      if isFetching || !library.isComplete { return say("still reading the library", .dim) }
      return [.finish(.picked([]))]
    }
    if let obstacle = obstacle(to: asset) { return say(obstacle, .error) }
    return [.finish(.picked([asset]))]
  }

  /// The picks in the order that the caller asked for.
  private func results(_ picked: [Asset]) -> [Asset] {
    options.configuration.selection.isOrdered
      ? picked : picked.sorted(by: options.configuration.sort.areInIncreasingOrder)
  }
}
