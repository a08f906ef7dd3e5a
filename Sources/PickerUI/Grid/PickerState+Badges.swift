import AssetLibrary

extension PickerState {
  /// How much of an original has come; nil while it is not on its way.
  func downloadText(of asset: Asset) -> String? {
    pictures.downloads[asset.id].map { "\(Int(($0 * 100).rounded(.down)))%" }
  }

  /// What a photo is, in symbols and words, the most important first.
  func badges(of asset: Asset) -> [String] {
    var badges: [String] = []
    if asset.isBroken { return [symbols.grid.broken] }
    if hasForbiddenLineBreak(asset) { badges.append(symbols.badges.lineBreak) }
    if isUnfit(asset) { badges.append(symbols.badges.unfit) }
    let isRemote =
      asset.sourceType.contains(.cloudShared) || !asset.isLocallyAvailable
      || asset.resources.contains { $0.type == .photoProxy }
    if isRemote {
      badges.append(symbols.badges.cloud + (downloadText(of: asset).map { " " + $0 } ?? ""))
    }
    if asset.mediaType == .video {
      let length = asset.duration > 0 ? " " + options.locale.duration(asset.duration) : ""
      badges.append(symbols.badges.video + length)
    }
    if asset.mediaSubtypes.contains(.livePhoto) { badges.append(symbols.badges.livePhoto) }
    if asset.mediaSubtypes.contains(.animated) { badges.append(symbols.badges.animation) }
    if let burst = asset.burstIdentifier {
      badges.append(
        symbols.badges.burst + (grid.burstCounts[burst].map { $0 > 1 ? options.locale.number($0) : "" } ?? "")
      )
    }
    if asset.mediaSubtypes.contains(.raw) { badges.append(symbols.badges.raw) }
    if asset.mediaSubtypes.contains(.panorama) { badges.append(symbols.badges.panorama) }
    if asset.mediaSubtypes.contains(.hdr) { badges.append(symbols.badges.hdr) }
    if asset.hasAdjustments { badges.append(symbols.badges.edited) }
    if asset.isFavorite { badges.append(symbols.badges.favorite) }
    return badges
  }
}
