import Pixels

/// Another encoder's pictures without their finest detail.
///
/// In few colors and few bytes detail comes out as streaks; without it the same bytes bring the picture nearer to what
/// the eye makes of it (Decision 10).
struct SmoothedEncoder: PictureEncoder {
  private let base: any PictureEncoder

  init(_ base: any PictureEncoder) {
    self.base = base
  }

  var geometry: PictureGeometry { base.geometry }

  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty { return base.encode(picture) }
    return base.encode(picture.reduced(by: 2).resampled(to: picture.size))
  }
}

extension PixelBuffer {
  /// The picture with a fraction of its pixels in each direction, at least one.
  func reduced(by reduction: Int) -> PixelBuffer {
    if reduction == 1 || size.isEmpty { return self }
    return resampled(to: PixelSize(width: max(1, width / reduction), height: max(1, height / reduction)))
  }
}
