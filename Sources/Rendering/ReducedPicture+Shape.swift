import AssetLibrary
package import Pixels

extension ReducedPicture {
  /// Whether the picture, which is all of its original, has the pixels of an answer in a shape.
  package func isEnough(for shape: PictureShape) -> Bool {
    guard shape.crop == .whole, shape.resizeMode != .none else { return false }
    let needed = shape.needed(of: sourceSize)
    return pixels.width >= needed.width && pixels.height >= needed.height
  }

  /// The picture in a shape; never enlarged.
  package func shown(as shape: PictureShape) -> PixelBuffer {
    switch shape.resizeMode {
    case .none: pixels.size == sourceSize ? pixels : shown(at: sourceSize, .aspectFit)
    case .fast: whole
    case .exact where shape.crop == .whole: shown(at: shape.targetSize, shape.contentMode)
    case .exact: cut(shape)
    }
  }

  /// All of the picture at the size it was decoded in.
  private var whole: PixelBuffer {
    region == PixelRegion(pixels.size)
      ? pixels : Resampler(from: pixels.size, region: region, to: pixels.size)(pixels)
  }

  private func cut(_ shape: PictureShape) -> PixelBuffer {
    let source = shape.crop.region(in: sourceSize)
    let part = PixelSize(
      width: max(1, Int(source.width.rounded())), height: max(1, Int(source.height.rounded())))
    let scaled = part.scaled(toward: shape.targetSize, shape.contentMode)
    let size = PixelSize(
      width: min(scaled.width, shape.targetSize.width), height: min(scaled.height, shape.targetSize.height))
    var decoded = PixelRegion(
      x: region.x + shape.crop.x * region.width, y: region.y + shape.crop.y * region.height,
      width: shape.crop.width * region.width, height: shape.crop.height * region.height)
    if size != scaled { decoded = decoded.centred(shapedLike: size) }
    if let place = decoded.wholePixels, place.size == size,
      PixelRegion(pixels.size).contains(decoded)
    {
      return pixels.cropped(x: place.x, y: place.y, to: size)
    }
    return Resampler(from: pixels.size, region: decoded, to: size)(pixels)
  }
}

extension PixelRegion {
  /// The region in whole numbers; nil where it does not begin and end between pixels.
  fileprivate var wholePixels: (x: Int, y: Int, size: PixelSize)? {
    let numbers = [x, y, width, height]
    // A side times a fraction of it is a whole number except for rounding errors.
    guard numbers.allSatisfy({ abs($0 - $0.rounded()) < 1e-6 }) else { return nil }
    return (
      Int(x.rounded()), Int(y.rounded()),
      PixelSize(width: Int(width.rounded()), height: Int(height.rounded()))
    )
  }

  fileprivate func contains(_ other: PixelRegion) -> Bool {
    other.x > -0.5 && other.y > -0.5 && other.x + other.width < width + 0.5
      && other.y + other.height < height + 0.5
  }
}
