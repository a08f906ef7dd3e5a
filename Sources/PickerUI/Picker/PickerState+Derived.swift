import AssetLibrary

extension PickerState {
  var symbols: Symbols { options.symbols }

  /// Whether the caller left a part of the picker on.
  func allows(_ capability: PickerConfiguration.Capabilities) -> Bool {
    !options.configuration.disabledCapabilities.contains(capability)
  }

  /// The asset under the grid's cursor.
  var cursorIdentifier: LocalIdentifier? {
    library.assets.indices.contains(grid.cursor) ? library.assets.identifier(at: grid.cursor) : nil
  }

  /// The asset that is looked at: under the cursor of the grid or of the strip, or another one of its burst.
  var current: Asset? {
    if input.focus == .strip {
      return picks.selection.assets.indices.contains(picks.stripCursor)
        ? picks.selection.assets[picks.stripCursor] : nil
    }
    if let burstMember { return burstMember }
    return library.assets.indices.contains(grid.cursor) ? library.assets[grid.cursor] : nil
  }

  /// The asset so many places after the one that is looked at; nil past the ends.
  func neighbour(_ distance: Int) -> Asset? {
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

  /// Why an asset can't be picked; nil when it can.
  func obstacle(to asset: Asset) -> String? {
    let name = name(of: asset).string
    if asset.isBroken { return "\(name) can't be picked: \(asset.defect ?? "")" }
    if authorization.mode == .picking, hasForbiddenLineBreak(asset) {
      return "\(name) has a line break in its name: use --print0"
    }
    return nil
  }

  /// Whether an asset's name could not be told from two names in the output.
  func hasForbiddenLineBreak(_ asset: Asset) -> Bool {
    !options.acceptsLineBreaks && asset.pathBytes.hasLineBreak
  }

  /// Whether the user narrowed what is shown, and not only the caller.
  var isNarrowedByUser: Bool {
    !library.userFilter.conditions.isEmpty || library.userFilter.text != options.searchText ?? ""
  }

  /// How many assets can be chosen; 0 = no limit.
  var limit: Int { picks.selection.limit }

  /// Whether one choice takes the place of the other.
  var isSingleChoice: Bool { limit == 1 }

  /// The picks in the order that the caller asked for.
  func results(_ picked: Selection.Assets) -> [Asset] {
    options.configuration.selection.isOrdered
      ? Array(picked) : picked.sorted(by: library.userFilter.sort.areInIncreasingOrder)
  }
}
