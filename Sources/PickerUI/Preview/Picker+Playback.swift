import AssetLibrary

extension PickerState {
  /// Plays what is looked at, or stops.
  mutating func togglePlayback() -> [PickerEffect] {
    guard let asset = current else { return [] }
    guard asset.movingResource != nil, !asset.isBroken else {
      if playback.isWanted {
        playback.isWanted = false
        return say("nothing plays any more", .dim)
      }
      return say("\(name(of: asset).string) does not move", .dim)
    }
    if playback.isWanted, playback.phase == .ended, playback.key != nil {
      playback.phase = .waiting
      return startPlaying()
    }
    playback.isWanted.toggle()
    guard playback.isWanted else { return [] }
    if previewBox(in: layout) == nil { openFullScreen() }
    zoom = nil
    let effects = followPlayback()
    return effects.isEmpty ? [] : startPlaying()
  }

  /// What every message may have changed: what is looked at, or whether it can be seen.
  ///
  /// Whatever played before stops at once; what is looked at now has to wait.
  mutating func followPlayback() -> [PickerEffect] {
    let key = movingPicture?.key
    guard key != playback.key else { return [] }
    let effects: [PickerEffect] = playback.phase == .waiting ? [] : [.stopPlaying]
    playback.key = key
    playback.phase = .waiting
    playback.hasFrame = false
    playback.generation += 1
    guard key != nil else { return effects }
    return effects + [
      .startTimer(.playback(generation: playback.generation), milliseconds: Playback.patience)
    ]
  }

  /// The preview that is in sight and moves, where that is wanted.
  private var movingPicture: (asset: Asset, key: PictureKey)? {
    guard stage == .library, playback.isWanted, overlay == nil, !isZoomed, let asset = current,
      !asset.isBroken, asset.movingResource != nil, let key = previewKey(in: layout)
    else { return nil }
    return (asset, key(asset))
  }

  /// Plays what is looked at.
  mutating func startPlaying() -> [PickerEffect] {
    guard playback.phase == .waiting, let (asset, key) = movingPicture, key == playback.key else { return [] }
    playback.phase = .playing
    return [.play(PlaybackRequest(generation: playback.generation, asset: asset, key: key))]
  }

  /// Takes word of what plays; that of what was left before is stale.
  mutating func take(_ event: PlaybackEvent, generation: Int) -> [PickerEffect] {
    guard generation == playback.generation, playback.phase != .waiting else { return [] }
    switch event {
    case .frame: playback.hasFrame = true
    case .ended: playback.phase = .ended
    case .failed(let reason):
      playback.phase = .ended
      guard let asset = current else { return [] }
      return say("\(name(of: asset).string) can't be played: \(reason)")
    }
    return []
  }
}
