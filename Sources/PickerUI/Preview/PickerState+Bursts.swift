import AssetLibrary

extension PickerState {
  /// The picture of a burst that is looked at; nil where it is the one in the grid.
  var burstMember: Asset? {
    guard preview.isFullScreen, input.focus == .grid, let burst = preview.burst,
      burst.members.indices.contains(burst.index),
      library.assets.indices.contains(grid.cursor),
      library.assets.identifier(at: grid.cursor) == burst.representative
    else { return nil }
    return burst.members[burst.index]
  }

  /// Leads to the next picture of the burst under the cursor, or the previous one, in full screen.
  mutating func stepInBurst(_ step: Int) -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard let identifier = asset.burstIdentifier else {
      return say("\(name(of: asset).string) was not taken in a burst", .dim)
    }
    guard input.focus != .strip else {
      return say("the other pictures of a burst are looked at from the grid, not from the selection", .dim)
    }
    openFullScreen()
    if var known = preview.burst {
      // Where it was only asked for so far the way is remembered.
      if known.members.isEmpty { known.step += step } else { known.move(by: step) }
      preview.burst = known
      return []
    }
    preview.burst = BurstReview(representative: asset.id, step: step)
    var options = FetchOptions(filter: self.options.configuration.filter)
    options.includeHiddenAssets = library.userFilter.showsHidden
    options.access = authorization.mode == .managing ? .managingAccess : .granted
    options.sortDescriptors = AssetSort.oldest.descriptors
    return [.loadBurst(identifier, options)]
  }

  /// Takes the pictures of a burst, where it is still looked at.
  mutating func showBurst(_ identifier: String, _ members: [Asset]) -> [PickerEffect] {
    guard let asked = preview.burst, asked.members.isEmpty, preview.isFullScreen,
      library.assets.indices.contains(grid.cursor),
      library.assets[grid.cursor].id == asked.representative,
      library.assets[grid.cursor].burstIdentifier == identifier
    else { return [] }
    guard members.count > 1, let start = members.firstIndex(where: { $0.id == asked.representative }) else {
      preview.burst = nil
      return say("there is no other picture of this burst", .dim)
    }
    var known = asked
    (known.members, known.index) = (members, start)
    known.move(by: asked.step)
    preview.burst = known
    return []
  }

  /// Which picture of its burst is looked at; nil where it is the one in the grid.
  var burstWords: String? {
    guard burstMember != nil, let burst = preview.burst else { return nil }
    let locale = options.locale
    return "\(locale.number(burst.index + 1)) of \(locale.number(burst.members.count)) of the burst"
  }
}
