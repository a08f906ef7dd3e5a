package import Pixels

/// A picture that was made smaller while it was read, and what of its original it shows.
package struct ReducedPicture: Sendable {
  /// At least as large as what was needed of the picture, or of the part that was asked for.
  package var pixels: PixelBuffer
  /// The size of the original.
  package var sourceSize: PixelSize
  /// What of `pixels` the original takes up, or where it would lie if it reached beyond them.
  ///
  /// Where its sides are no multiples of the reduction, the last column and row stand for less than a whole
  /// pixel.
  package var region: PixelRegion

  /// A picture that is reduced to `pixels`.
  /// - Parameters:
  ///   - reduction: how many pixels of the original make up one, nil where the size was met exactly.
  ///   - window: what of the reduced picture `pixels` is; nil = all of it.
  package init(
    _ pixels: PixelBuffer, of sourceSize: PixelSize, reduction: Double? = nil, window: DecodeWindow? = nil
  ) {
    self.pixels = pixels
    self.sourceSize = sourceSize
    region = PixelRegion(pixels.size)
    if let reduction, let window {
      region = PixelRegion(
        x: Double(-window.x), y: Double(-window.y), width: Double(sourceSize.width) / reduction,
        height: Double(sourceSize.height) / reduction)
    } else if let reduction {
      region.width = min(region.width, Double(sourceSize.width) / reduction)
      region.height = min(region.height, Double(sourceSize.height) / reduction)
    }
  }
}

extension ReducedPicture {
  /// The picture as it is shown in a box of `target` pixels: scaled down where it is larger, its overhang cut
  /// off in fill mode, never enlarged.
  package func shown(at target: PixelSize, _ mode: ContentMode) -> PixelBuffer {
    let scaled = sourceSize.scaled(toward: target, mode)
    let size =
      mode == .aspectFit || target.isEmpty
      ? scaled
      : PixelSize(width: min(scaled.width, target.width), height: min(scaled.height, target.height))
    if pixels.size == scaled, region == PixelRegion(scaled) {
      if size == scaled { return pixels }
      return pixels.cropped(
        x: (scaled.width - size.width) / 2, y: (scaled.height - size.height) / 2, to: size)
    }
    // Rounding may change the shape by a fraction of a pixel; the whole picture is kept all the same.
    return Resampler(
      from: pixels.size, region: size == scaled ? region : region.centred(shapedLike: size), to: size)(pixels)
  }
}

extension PixelRegion {
  /// The largest part with the shape of `shape`, from the middle.
  func centred(shapedLike shape: PixelSize) -> PixelRegion {
    let scale = max(Double(shape.width) / width, Double(shape.height) / height)
    let inner = (width: Double(shape.width) / scale, height: Double(shape.height) / scale)
    return PixelRegion(
      x: x + (width - inner.width) / 2, y: y + (height - inner.height) / 2, width: inner.width,
      height: inner.height)
  }
}
