import AssetLibrary

extension PickerState {
  /// Shows the selection in its order, at the photo under the cursor where that is picked.
  mutating func openStrip() -> [PickerEffect] {
    if showsStrip {
      closeStrip()
      return []
    }
    guard !selection.isEmpty else { return say("nothing is selected yet", .dim) }
    stripCursor = current.flatMap { selection.number(of: $0.id) }.map { $0 - 1 } ?? 0
    showsStrip = true
    setFocus(.strip)
    return []
  }

  mutating func closeStrip() {
    showsStrip = false
    stripCursor = 0
    if focus == .strip {
      setFocus(.grid)
      isFullScreen = false
    }
  }

  /// What a command means among the picks; nil = what it means everywhere.
  mutating func performInStrip(_ command: Command) -> [PickerEffect]? {
    let last = selection.count - 1
    switch command {
    case .left, .up: stripCursor -= 1
    case .right, .down: stripCursor += 1
    case .pageUp: stripCursor -= 5
    case .pageDown: stripCursor += 5
    case .first: stripCursor = 0
    case .last: stripCursor = last
    case .moveEarlier, .moveLater:
      guard options.configuration.selection.isOrdered || mode == .managing else {
        return say("the order is the grid's here", .dim)
      }
      let target = stripCursor + (command == .moveLater ? 1 : -1)
      guard selection.assets.indices.contains(target) else { return [] }
      selection.move(from: stripCursor, to: target)
      stripCursor = target
    case .search, .filterMenu, .sortMenu, .range, .selectAll, .jump, .showHidden, .removeFilter,
      .showEverything:
      return []
    default: return nil
    }
    stripCursor = max(0, min(stripCursor, last))
    return []
  }
}
