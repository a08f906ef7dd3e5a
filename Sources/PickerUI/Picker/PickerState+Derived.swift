import AssetLibrary

extension PickerState {
  var symbols: Symbols { options.symbols }

  /// Whether a part of the picker is not disabled by the caller.
  func allows(_ capability: PickerConfiguration.Capabilities) -> Bool {
    !options.configuration.disabledCapabilities.contains(capability)
  }

  /// The asset under the grid's cursor.
  var cursorIdentifier: LocalIdentifier? {
    library.assets.indices.contains(grid.cursor) ? library.assets.identifier(at: grid.cursor) : nil
  }

  /// The asset shown in the preview: under the cursor of the grid or the strip, or another picture of its
  /// burst.
  var current: Asset? {
    if input.focus == .strip {
      return picks.selection.assets.indices.contains(picks.stripCursor)
        ? picks.selection.assets[picks.stripCursor] : nil
    }
    if let burstMember { return burstMember }
    return library.assets.indices.contains(grid.cursor) ? library.assets[grid.cursor] : nil
  }

  /// The asset at an offset from the current one; nil past the ends.
  func neighbor(_ distance: Int) -> Asset? {
    if input.focus == .strip {
      let index = picks.stripCursor + distance
      return picks.selection.assets.indices.contains(index) ? picks.selection.assets[index] : nil
    }
    if burstMember != nil, let burst = preview.burst {
      let index = burst.index + distance
      return burst.members.indices.contains(index) ? burst.members[index] : nil
    }
    let index = grid.cursor + distance
    return library.assets.indices.contains(index) ? library.assets[index] : nil
  }

  /// Why an asset can't be picked; nil if it can.
  func reasonNotSelectable(_ asset: Asset) -> String? {
    let name = shortName(of: asset)
    if asset.isBroken { return "\(name) can't be picked: \(asset.defect ?? "")" }
    if authorization.mode == .picking, hasForbiddenLineBreak(asset) {
      return "\(name) has a line break in its name: use --print0"
    }
    if authorization.mode == .picking, options.client.needsOriginals, !asset.isLocallyAvailable {
      if options.opening.isOffline {
        return
          "\(name) can't be picked: its original is not on this machine, and no server is asked (--offline)"
      }
      if options.configuration.selection.isToldEarly {
        return "\(name) can't be picked yet: its original is not on this machine; the preview brings it"
      }
    }
    if let shortfall = requirements.shortfall(of: asset) {
      return "\(name) can't be picked: \(words(for: shortfall))"
    }
    if let reason = pickMeasure.unavailability(of: asset) { return "\(name) can't be picked: \(reason)" }
    return nil
  }

  /// Whether an asset is shown although it can't be picked, because of what the caller takes.
  func isUnfit(_ asset: Asset) -> Bool {
    requirements.shortfall(of: asset) != nil || pickMeasure.unavailability(of: asset) != nil
  }

  /// Whether an asset can't be picked because as many are as may be.
  func isBeyondLimit(_ asset: Asset) -> Bool {
    authorization.mode == .picking && !isSingleChoice && picks.selection.isFull(asset.mediaType)
      && !picks.selection.contains(asset.id)
  }

  /// What can't be picked although it is shown; nothing while the accessible photos are chosen.
  var requirements: PickerRequirements {
    authorization.mode == .picking ? options.configuration.requirements : PickerRequirements()
  }

  private func words(for shortfall: PickerRequirements.Shortfall) -> String {
    switch shortfall {
    case .tooShort(let minimum): "it is shorter than \(options.locale.duration(minimum))"
    case .tooLong(let maximum): "it is longer than \(options.locale.duration(maximum))"
    case .unknownDuration: "how long it lasts is not known"
    case .tooLarge(let maximum): "it is larger than \(options.locale.size(maximum))"
    }
  }

  /// Whether a line break in an asset's name would make the output ambiguous.
  func hasForbiddenLineBreak(_ asset: Asset) -> Bool {
    !options.acceptsLineBreaks && asset.pathBytes.hasLineBreak
  }

  /// Whether the user added filters or a search to those of the caller.
  var isNarrowedByUser: Bool {
    !library.userFilter.conditions.isEmpty || library.userFilter.text != options.search.text ?? ""
  }

  /// How many assets can be chosen; 0 = no limit.
  var limit: Int { picks.selection.limit }

  /// Whether picking a photo replaces the previous pick.
  var isSingleChoice: Bool { limit == 1 }

  /// The picks in the order that the caller requested.
  func results(_ picked: Selection.Assets) -> [Asset] {
    options.configuration.selection.isOrdered
      ? Array(picked) : picked.sorted(by: library.userFilter.sort.areInIncreasingOrder)
  }
}
