import AssetLibrary

/// The frames of Live Photos that the user made the key photos of the result.
struct KeyPhotos: Hashable, Sendable {
  /// From the start of the clip; the still image of the library for all other photos.
  let times: [LocalIdentifier: Duration]
  /// The version that is delivered, which has the clip.
  let version: AssetVersion

  /// Returns the picture of an asset: the frame, wherever the clip of the delivered version belongs to what is shown.
  func shown(_ key: PictureKey, of asset: Asset) -> PictureKey {
    // Asked for every tile of every frame.
    guard !times.isEmpty, let time = times[asset.id], asset.clip(for: key.version) == asset.clip(for: version)
    else { return key }
    var key = key
    key.keyPhotoTime = time
    return key
  }
}

extension KeyPhotos {
  /// The key photos that the user chose.
  init(of picker: PickerState) {
    self.init(times: picker.picks.keyPhotoTimes, version: picker.options.configuration.version)
  }
}

extension Picks {
  /// Makes the frame that is seen the key photo of the result.
  mutating func makeKeyPhoto(on ground: PickingGround) -> [PickConsequence] {
    guard let played = ground.played else { return [] }
    let (asset, time) = (played.asset, played.playback.time)
    if let reason = ground.rules.reasonNotKeyPhoto(asset, at: time, as: representation) {
      return [.notice(reason)]
    }
    if let reason = played.reasonNotDelivered(ground.options) { return [.notice(reason)] }
    setKeyPhoto(of: asset, at: time)
    let place = PlaybackLine.text(time, isExact: true, ground.locale)
    return [.notice("The frame at \(place) is the key photo of \(asset.shortName)", .dim)]
  }
}
