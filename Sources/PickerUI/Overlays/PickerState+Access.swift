import AssetLibrary

extension PickerState {
  /// Lets the user choose what the client may see.
  mutating func manageAccess() -> [PickerEffect] {
    guard authorization.status == .limited, authorization.mode == .picking else { return [] }
    closeStrip()
    picks.range = nil
    authorization.setAside = picks.selection
    picks.selection = Selection(limit: 0)
    authorization.unmarked = nil
    authorization.mode = .managing
    preview.isFullScreen = false
    return open(.recents, remembers: false)
  }

  /// Marks what is allowed as it turns up: nothing is withdrawn that the user did not withdraw.
  ///
  /// While photos are picked beside the run loop it waits: they would come without it.
  mutating func markAllowed() {
    var waiting = authorization.unmarked ?? authorization.allowed
    if picks.bulk == nil, !waiting.isEmpty {
      waiting = waiting.filter { !picks.selection.contains($0) }
      let found = library.assets.indices.filter { waiting.remove(library.assets.identifier(at: $0)) != nil }
      // A range that is taken back takes along what was marked after it began.
      if !found.isEmpty { endRange() }
      for index in found { _ = picks.selection.add(library.assets[index]) }
    }
    authorization.unmarked = waiting
  }

  /// Ends the choice of what may be seen.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    closeStrip()
    picks.range = nil
    var effects: [PickerEffect] = []
    if isKept, let unmarked = authorization.unmarked {
      let chosen = unmarked.union(picks.selection.identifiers)
      authorization.setAside?.keep { chosen.contains($0) }
      authorization.allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    picks.selection = authorization.setAside ?? Selection(limit: options.configuration.selectionLimit)
    authorization.setAside = nil
    authorization.unmarked = nil
    authorization.mode = .picking
    return effects + open(.recents, remembers: false)
  }
}
