import AssetLibrary

extension PickerState {
  /// Turns playback on or off, or replays what has ended.
  mutating func togglePlayback() -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard asset.movingResource != nil, !asset.isBroken else {
      if preview.playback.isWanted {
        preview.playback.isWanted = false
        return showNotice("playback is off", .dim)
      }
      return showNotice("\(shortName(of: asset)) is not an animation or a video", .dim)
    }
    if preview.playback.isWanted, preview.playback.phase == .ended, preview.playback.key != nil {
      preview.playback.phase = .waiting
      return startPlaying()
    }
    preview.playback.isWanted.toggle()
    guard preview.playback.isWanted else { return [] }
    if previewBox(in: layout) == nil { openFullScreen() }
    preview.zoom = nil
    let effects = followPlayback()
    return effects.isEmpty ? [] : startPlaying()
  }

  /// Starts or stops playback after the visible picture may have changed.
  mutating func followPlayback() -> [PickerEffect] { preview.playback.follow(movingPicture?.key) }

  /// The visible preview, if it can be played and playback is on.
  private var movingPicture: (asset: Asset, key: PictureKey)? {
    guard page == .library, preview.playback.isWanted, input.overlay == nil, !isZoomed, let asset = current,
      !asset.isBroken, asset.movingResource != nil, let key = previewKey(in: layout)
    else { return nil }
    return (asset, key(asset))
  }

  /// Plays the current asset.
  mutating func startPlaying() -> [PickerEffect] {
    movingPicture.map { preview.playback.start($0.asset, $0.key) } ?? []
  }

  /// Handles a playback event, unless its generation is stale.
  mutating func handle(_ event: PlaybackEvent, generation: Int) -> [PickerEffect] {
    guard generation == preview.playback.generation, preview.playback.phase != .waiting else { return [] }
    switch event {
    case .frame: preview.playback.hasFrame = true
    case .ended: preview.playback.phase = .ended
    case .failed(let reason):
      preview.playback.phase = .ended
      guard let asset = current else { return [] }
      return showNotice("\(shortName(of: asset)) can't be played: \(reason)")
    }
    return []
  }
}
