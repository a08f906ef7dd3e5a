import AssetLibrary

/// What a selection holds, counted.
struct PickTally: Hashable, Sendable {
  /// Bytes of all picks, with room for all sums that there can be: what is counted out is what was counted in.
  private var bytes: Int128 = 0
  private(set) var images = 0
  private(set) var videos = 0
  /// The picks whose size is an estimate.
  private(set) var estimates = 0
  /// The picks that can't be handed over.
  private(set) var unavailable = 0

  /// Bytes of all picks.
  var byteCount: Int64 { Int64(clamping: bytes) }

  /// Counts an asset in.
  mutating func add(_ mediaType: MediaType, _ size: PickMeasure.Size) { count(mediaType, size, 1) }

  /// Counts an asset out.
  mutating func remove(_ mediaType: MediaType, _ size: PickMeasure.Size) { count(mediaType, size, -1) }

  private mutating func count(_ mediaType: MediaType, _ size: PickMeasure.Size, _ change: Int) {
    bytes += Int128(change) * Int128(size.byteCount)
    if size.isEstimate { estimates += change }
    if size.isUnavailable { unavailable += change }
    switch mediaType {
    case .image: images += change
    case .video: videos += change
    case .audio, .unknown: break
    }
  }

  /// Whether the limit of one more asset's kind is reached.
  func isFull(_ mediaType: MediaType, _ limits: PickerConfiguration.KindLimits) -> Bool {
    switch mediaType {
    case .image: limits.images > 0 && images >= limits.images
    case .video: limits.videos > 0 && videos >= limits.videos
    case .audio, .unknown: false
    }
  }

  /// How many images and videos there are above their limits.
  func excess(over limits: PickerConfiguration.KindLimits) -> PickerConfiguration.KindLimits {
    PickerConfiguration.KindLimits(
      images: limits.images > 0 ? max(0, images - limits.images) : 0,
      videos: limits.videos > 0 ? max(0, videos - limits.videos) : 0)
  }
}
