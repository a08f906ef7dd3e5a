import AssetLibrary

extension PickerState {
  /// Lets the user choose what the client may see.
  mutating func manageAccess() -> [PickerEffect] {
    guard access == .limited, mode == .picking else { return [] }
    closeStrip()
    range = nil
    setAside = selection
    selection = Selection(limit: 0)
    unmarked = nil
    mode = .managing
    isFullScreen = false
    return open(.recents, remembers: false)
  }

  /// Marks what is allowed as it turns up: nothing is withdrawn that the user did not withdraw.
  ///
  /// While photos are picked beside the run loop it waits: they would come without it.
  mutating func markAllowed() {
    var waiting = unmarked ?? allowed
    if bulkSelection == nil, !waiting.isEmpty {
      waiting = waiting.filter { !selection.contains($0) }
      let found = assets.indices.filter { waiting.remove(assets.identifier(at: $0)) != nil }
      // A range that is taken back takes along what was marked after it began.
      if !found.isEmpty { endRange() }
      for index in found { _ = selection.add(assets[index]) }
    }
    unmarked = waiting
  }

  /// Ends the choice of what may be seen.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    closeStrip()
    range = nil
    var effects: [PickerEffect] = []
    if isKept, let unmarked {
      let chosen = unmarked.union(selection.identifiers)
      setAside?.keep { chosen.contains($0) }
      allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    selection = setAside ?? Selection(limit: options.configuration.selectionLimit)
    setAside = nil
    unmarked = nil
    mode = .picking
    return effects + open(.recents, remembers: false)
  }
}
