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

extension PickerState {
  /// The key photos that the user chose.
  var keyPhotos: KeyPhotos {
    KeyPhotos(times: picks.keyPhotoTimes, version: options.configuration.version)
  }

  /// Whether the clip or video that is shown is that of the version that is delivered.
  func showsDeliveredClip(of asset: Asset) -> Bool {
    asset.playableResource(for: preview.version(of: asset))
      == asset.playableResource(for: options.configuration.version)
  }

  /// Makes the frame that is seen the key photo of the result.
  mutating func makeKeyPhoto() -> [PickerEffect] {
    guard preview.playback.isControllable, let asset = current else { return [] }
    let time = preview.playback.time
    if let reason = rules.reasonNotKeyPhoto(asset, at: time, as: picks.representation) {
      return status.showNotice(reason, .warning)
    }
    guard showsDeliveredClip(of: asset) else {
      return status.showNotice("This is not the version that is used of \(asset.shortName)", .warning)
    }
    picks.setKeyPhoto(of: asset, at: time)
    let place = PlaybackLine.text(time, isExact: true, self)
    return status.showNotice("The frame at \(place) is the key photo of \(asset.shortName)", .dim)
  }
}
