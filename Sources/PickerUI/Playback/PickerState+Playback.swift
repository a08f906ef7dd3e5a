import AssetLibrary

extension PickerState {
  /// Plays what is looked at, or stops.
  mutating func togglePlayback() -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard asset.movingResource != nil, !asset.isBroken else {
      if preview.playback.isWanted {
        preview.playback.isWanted = false
        return say("nothing plays any more", .dim)
      }
      return say("\(name(of: asset).string) does not move", .dim)
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

  /// What every message may have changed: what is looked at, or whether it can be seen.
  mutating func followPlayback() -> [PickerEffect] { preview.playback.follow(movingPicture?.key) }

  /// The preview that is in sight and moves, where that is wanted.
  private var movingPicture: (asset: Asset, key: PictureKey)? {
    guard page == .library, preview.playback.isWanted, input.overlay == nil, !isZoomed, let asset = current,
      !asset.isBroken, asset.movingResource != nil, let key = previewKey(in: layout)
    else { return nil }
    return (asset, key(asset))
  }

  /// Plays what is looked at.
  mutating func startPlaying() -> [PickerEffect] {
    movingPicture.map { preview.playback.start($0.asset, $0.key) } ?? []
  }

  /// Takes word of what plays; that of what was left before is stale.
  mutating func handle(_ event: PlaybackEvent, generation: Int) -> [PickerEffect] {
    guard generation == preview.playback.generation, preview.playback.phase != .waiting else { return [] }
    switch event {
    case .frame: preview.playback.hasFrame = true
    case .ended: preview.playback.phase = .ended
    case .failed(let reason):
      preview.playback.phase = .ended
      guard let asset = current else { return [] }
      return say("\(name(of: asset).string) can't be played: \(reason)")
    }
    return []
  }
}
