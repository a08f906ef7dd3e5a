import Pixels

extension PixelBuffer {
  /// The part of a thumbnail that shows the picture.
  ///
  /// EXIF thumbnails are 160×120 by the letter of DCF, whatever the picture's shape, with black bars to make
  /// up for it.
  func withoutLetterbox(shapedLike shape: PixelSize) -> PixelBuffer {
    let scale = min(Double(width) / Double(shape.width), Double(height) / Double(shape.height))
    let inner = PixelSize(
      width: min(width, Int((Double(shape.width) * scale).rounded())),
      height: min(height, Int((Double(shape.height) * scale).rounded())))
    // A difference of a pixel or two is rounding, not a bar.
    guard !inner.isEmpty, width - inner.width > 2 || height - inner.height > 2 else { return self }
    return cropped(x: (width - inner.width) / 2, y: (height - inner.height) / 2, to: inner)
  }
}
