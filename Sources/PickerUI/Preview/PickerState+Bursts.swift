import AssetLibrary

extension PickerState {
  /// The picture shown of a burst; nil if it is the one in the grid.
  var burstMember: Asset? {
    guard preview.isFullScreen, input.focus == .grid, let burst = preview.burst,
      burst.members.indices.contains(burst.index),
      library.assets.indices.contains(grid.cursor),
      library.assets.identifier(at: grid.cursor) == burst.representative
    else { return nil }
    return burst.members[burst.index]
  }

  /// Shows the next or previous picture of the burst at the cursor, in full screen.
  mutating func stepInBurst(_ step: Int) -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard let identifier = asset.burstIdentifier else {
      return showNotice("\(shortName(of: asset)) was not taken in a burst", .dim)
    }
    guard input.focus != .strip else {
      return showNotice(
        "the other pictures of a burst can be viewed from the grid, not from the selection", .dim)
    }
    openFullScreen()
    if var known = preview.burst {
      // Until the pictures arrive, steps are added up.
      if known.members.isEmpty { known.pendingStep += step } else { known.move(by: step) }
      preview.burst = known
      return []
    }
    preview.burst = BurstReview(representative: asset.id, pendingStep: step)
    var options = FetchOptions(filter: self.options.configuration.filter)
    options.includeHiddenAssets = library.userFilter.showsHidden
    options.sortDescriptors = AssetSort.oldest.descriptors
    return [.loadBurst(identifier, options, authorization.mode)]
  }

  /// Takes the pictures of a burst, if it is still shown.
  mutating func showBurst(_ identifier: String, _ members: [Asset]) -> [PickerEffect] {
    guard let asked = preview.burst, asked.members.isEmpty, preview.isFullScreen,
      library.assets.indices.contains(grid.cursor),
      library.assets[grid.cursor].id == asked.representative,
      library.assets[grid.cursor].burstIdentifier == identifier
    else { return [] }
    guard members.count > 1, let start = members.firstIndex(where: { $0.id == asked.representative }) else {
      preview.burst = nil
      return showNotice("there is no other picture of this burst", .dim)
    }
    var known = asked
    (known.members, known.index) = (members, start)
    known.move(by: asked.pendingStep)
    preview.burst = known
    return []
  }

  /// The position in the burst, such as "2 of 5 of the burst"; nil if the picture is the one in the grid.
  var burstText: String? {
    guard burstMember != nil, let burst = preview.burst else { return nil }
    let locale = options.locale
    return "\(locale.number(burst.index + 1)) of \(locale.number(burst.members.count)) of the burst"
  }
}
