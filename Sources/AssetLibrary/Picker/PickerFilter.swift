/// A condition on assets, put together from names with any, all and not.
///
///     let shown = PickerFilter.all([.matching(.images), .not(.matching(.screenshots))])
///     let same = try PickerFilter(parsing: "all(images, !screenshots)")
public enum PickerFilter: Hashable, Sendable {
  case matching(Name)
  case any([PickerFilter])
  case all([PickerFilter])
  indirect case not(PickerFilter)

  /// The conditions that have a name: Apple's first, then ours.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case images, videos, livePhotos, bursts, panoramas, screenshots, screenRecordings, depthEffectPhotos
    case cinematicVideos, slomoVideos, timelapseVideos, spatialMedia
    case animated, raw, hdr, selfies, longExposures, favorites, hidden, edited, geotagged
  }

  /// Whether `asset` meets the condition.
  @inlinable
  public func matches<A: AssetAttributes>(_ asset: A) -> Bool {
    switch self {
    case .matching(let name): return name.matches(asset)
    case .any(let filters):
      for filter in filters where filter.matches(asset) { return true }
      return false
    case .all(let filters):
      for filter in filters where !filter.matches(asset) { return false }
      return true
    case .not(let filter): return !filter.matches(asset)
    }
  }

  /// Whether the condition asks for what `name` says somewhere, and not only to leave it out.
  ///
  /// `all(images,hidden)` and `!!hidden` mention `hidden`, `images` and `!hidden` do not.
  public func mentions(_ name: Name) -> Bool { mentions(name, isNegated: false) }

  private func mentions(_ name: Name, isNegated: Bool) -> Bool {
    switch self {
    case .matching(let own): own == name && !isNegated
    case .any(let filters), .all(let filters):
      filters.contains { $0.mentions(name, isNegated: isNegated) }
    case .not(let filter): filter.mentions(name, isNegated: !isNegated)
    }
  }
}

extension PickerFilter.Name {
  @inlinable
  func matches<A: AssetAttributes>(_ asset: A) -> Bool {
    switch self {
    case .images: asset.mediaType == .image
    case .videos: asset.mediaType == .video
    case .livePhotos: asset.mediaSubtypes.contains(.livePhoto)
    case .bursts: asset.isInBurst
    case .panoramas: asset.mediaSubtypes.contains(.panorama)
    case .screenshots: asset.mediaSubtypes.contains(.screenshot)
    case .screenRecordings: asset.mediaSubtypes.contains(.screenRecording)
    case .depthEffectPhotos: asset.mediaSubtypes.contains(.depthEffect)
    case .cinematicVideos: asset.mediaSubtypes.contains(.cinematic)
    case .slomoVideos: asset.mediaSubtypes.contains(.slomo)
    case .timelapseVideos: asset.mediaSubtypes.contains(.timelapse)
    case .spatialMedia: asset.mediaSubtypes.contains(.spatial)
    case .animated: asset.mediaSubtypes.contains(.animated)
    case .raw: asset.mediaSubtypes.contains(.raw)
    case .hdr: asset.mediaSubtypes.contains(.hdr)
    case .selfies: asset.mediaSubtypes.contains(.selfie)
    case .longExposures: asset.mediaSubtypes.contains(.longExposure)
    case .favorites: asset.isFavorite
    case .hidden: asset.isHidden
    case .edited: asset.hasAdjustments
    case .geotagged: asset.location != nil
    }
  }
}
