import AssetLibrary

extension PickerState {
  /// Puts a consent request before everything else; the safest answer is the one that Enter gives.
  mutating func ask(_ request: ConsentRequest) {
    page = .consent(request, choice: .deny)
  }

  /// What is shown by what was decided on seeing photos.
  var pageOfStatus: Page {
    switch authorization.status {
    case .notDetermined: .opening
    case .denied, .restricted: .refused(authorization.status)
    case .authorized, .limited: .library
    }
  }

  /// Starts the choice of the photos that the client may see.
  mutating func manageAccess() -> [PickerEffect] {
    guard authorization.status == .limited, authorization.mode == .picking else { return [] }
    closeStrip()
    picks.range = nil
    authorization.savedSelection = picks.selection
    picks.selection = Selection(limit: 0)
    authorization.pendingAllowed = nil
    changeMode(.managing)
    preview.isFullScreen = false
    return open(.recents, remembers: false)
  }

  /// Ends the choice where there is nothing to choose any more: the user decided otherwise elsewhere.
  mutating func abandonManaging() {
    guard authorization.mode == .managing else { return }
    _ = endManaging(keeping: false)
  }

  /// What was counted for one pair of eyes is nothing to the other.
  private mutating func changeMode(_ mode: AccessMode) {
    authorization.mode = mode
    sidebar.forgetCounts()
    grid.burstCounts.markStale()
  }

  /// Selects the allowed photos among those fetched so far, so that only the user can revoke access.
  ///
  /// Waits for a running bulk selection, whose result would otherwise replace them.
  mutating func selectAllowed() {
    var waiting = authorization.pendingAllowed ?? authorization.allowed
    if picks.bulk == nil, !waiting.isEmpty {
      waiting = waiting.filter { !picks.selection.contains($0) }
      let found = library.assets.indices.filter { waiting.remove(library.assets.identifier(at: $0)) != nil }
      // Cancelling a range would also remove what was added after it began.
      if !found.isEmpty { endRange() }
      for index in found { _ = picks.selection.add(library.assets[index]) }
    }
    authorization.pendingAllowed = waiting
  }

  /// Ends the choice of accessible photos, and applies it if `isKept`.
  mutating func endManaging(keeping isKept: Bool) -> [PickerEffect] {
    // What is allowed is not marked yet: nothing could be meant by it.
    if isKept, options.opening.endsWithAccess, authorization.pendingAllowed == nil { return [] }
    closeStrip()
    picks.range = nil
    var effects: [PickerEffect] = []
    if isKept, let pendingAllowed = authorization.pendingAllowed {
      let chosen = pendingAllowed.union(picks.selection.identifiers)
      authorization.savedSelection?.keep { chosen.contains($0) }
      picks.history.keep { chosen.contains($0) }
      authorization.allowed = chosen
      effects.append(.setLimitedSelection(chosen))
    }
    picks.selection = authorization.savedSelection ?? Selection(options.configuration)
    picks.history.adopt(picks.selection)
    authorization.savedSelection = nil
    authorization.pendingAllowed = nil
    changeMode(.picking)
    if options.opening.endsWithAccess { return effects + [.finish(isKept ? .accessChosen : .cancelled)] }
    return effects + open(.recents, remembers: false)
  }
}
