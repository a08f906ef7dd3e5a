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
  mutating func markAllowed() {
    var waiting = unmarked ?? allowed
    if !waiting.isEmpty {
      for index in assets.indices where waiting.remove(assets.identifier(at: index)) != nil {
        _ = selection.add(assets[index])
      }
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
