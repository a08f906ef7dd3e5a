package import AssetLibrary
package import Pixels

/// The size and the crop of the result of an image request.
///
/// Equivalent requests have equal shapes: for the native size, target size and content mode are ignored.
package struct PictureShape: Hashable, Sendable {
  /// The target size in pixels.
  package var targetSize: PixelSize
  /// How the image fills the target size.
  package var contentMode: ContentMode
  /// How exactly the image matches the target size.
  package var resizeMode: ImageRequestOptions.ResizeMode
  /// The part of the upright image to show.
  package var crop: NormalizedRect

  /// The whole image in its native size.
  package static let native = PictureShape()

  private init() {
    targetSize = .maximum
    contentMode = .aspectFit
    resizeMode = .none
    crop = .whole
  }

  /// Creates a shape from its parts, as received by the decoding process.
  package init(
    targetSize: PixelSize, contentMode: ContentMode, resizeMode: ImageRequestOptions.ResizeMode,
    crop: NormalizedRect
  ) {
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.resizeMode = resizeMode
    self.crop = crop
  }

  /// Creates the shape of an image request.
  package init(_ request: ImageRequest) {
    let options = request.options
    let isCropped = options.resizeMode == .exact && (options.normalizedCropRect ?? .whole) != .whole
    let isNative =
      options.resizeMode == .none || request.targetSize == .maximum || request.targetSize.isEmpty
    if isNative, !isCropped {
      self = .native
      return
    }
    targetSize = isNative ? .maximum : request.targetSize
    contentMode = isNative ? .aspectFit : request.contentMode
    resizeMode = options.resizeMode
    crop = isCropped ? options.normalizedCropRect ?? .whole : .whole
  }

  /// Returns the shape in the coordinates of an image that is stored with an orientation.
  package func stored(with orientation: Orientation) -> PictureShape {
    var shape = self
    shape.targetSize = orientation.upright(targetSize)
    shape.crop = crop.stored(with: orientation)
    return shape
  }

  /// Returns the minimum size to which the whole image can be reduced without losing pixels of the result.
  package func needed(of source: PixelSize) -> PixelSize {
    guard resizeMode != .none, !source.isEmpty else { return source }
    let part = PixelSize(
      width: max(1, Int((crop.width * Double(source.width)).rounded())),
      height: max(1, Int((crop.height * Double(source.height)).rounded())))
    let scale = min(1, part.scale(toward: targetSize, contentMode))
    return PixelSize(
      width: max(1, Int((Double(source.width) * scale).rounded())),
      height: max(1, Int((Double(source.height) * scale).rounded())))
  }

  /// Returns the minimum size of the whole image for the result and for a thumbnail that fits into `box`.
  package func needed(of source: PixelSize, keeping box: PixelSize?) -> PixelSize {
    let needed = needed(of: source)
    guard let kept = box.map({ source.scaled(toward: $0, .aspectFit) }) else { return needed }
    return PixelSize(width: max(needed.width, kept.width), height: max(needed.height, kept.height))
  }

  /// Returns the approximate number of pixels in memory while the result is made from an image of size
  /// `source`.
  ///
  /// Decoders reduce by powers of two if their format allows it; a row is always decoded whole.
  /// - Parameter inParts: whether the decoder can decode a part of the image with little overhead. JPEG
  ///   decoders can; they reduce to an eighth at most.
  package func decodedPixels(of source: PixelSize, inParts: Bool = false) -> Int {
    let needed = needed(of: source)
    var (size, reduction) = (source, 1.0)
    while size.width / 2 >= needed.width, size.height / 2 >= needed.height, size.width > 1, size.height > 1,
      !inParts || reduction < 8
    {
      size = PixelSize(width: size.width / 2, height: size.height / 2)
      reduction *= 2
    }
    guard inParts, resizeMode == .exact, crop != .whole else { return size.area }
    let window = DecodeWindow(crop, of: source, reduction: reduction, in: size, needed: needed)
    return window?.size.area ?? size.area
  }
}

/// An image that was reduced during decoding, and its relation to the original.
package struct ReducedPicture: Sendable {
  /// The decoded pixels: at least as many as needed for the image, or for the requested part of it.
  package var pixels: PixelBuffer
  /// The size of the original.
  package var sourceSize: PixelSize
  /// The region that the whole original covers, in the coordinates of `pixels`; larger than `pixels` if only
  /// a part was decoded.
  ///
  /// If the original's sides are not multiples of the reduction, the last column and row represent less than
  /// a whole pixel.
  package var region: PixelRegion

  /// Creates an image that was reduced to `pixels`.
  /// - Parameters:
  ///   - pixels: the decoded pixels.
  ///   - sourceSize: the size of the original.
  ///   - reduction: the number of original pixels per pixel, along one axis; nil if the target size was met
  ///     exactly.
  ///   - window: the part of the reduced image that `pixels` is; nil = all of it.
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
  /// Returns the image for a box of `target` pixels: scaled down if it is larger, cropped in fill mode, never
  /// enlarged.
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
    // Rounding may change the aspect ratio by a fraction of a pixel; the whole image is kept anyway.
    return Resampler(
      from: pixels.size, region: size == scaled ? region : region.centered(shapedLike: size),
      to: size)(pixels)
  }
}

extension PixelRegion {
  /// Returns the largest centered part with the aspect ratio of `shape`.
  func centered(shapedLike shape: PixelSize) -> PixelRegion {
    let scale = max(Double(shape.width) / width, Double(shape.height) / height)
    let inner = (width: Double(shape.width) / scale, height: Double(shape.height) / scale)
    return PixelRegion(
      x: x + (width - inner.width) / 2, y: y + (height - inner.height) / 2, width: inner.width,
      height: inner.height)
  }
}

extension ReducedPicture {
  /// Whether the image, which must be the whole original, has the pixels for a result in a shape.
  package func isEnough(for shape: PictureShape) -> Bool {
    guard shape.crop == .whole, shape.resizeMode != .none else { return false }
    let needed = shape.needed(of: sourceSize)
    return pixels.width >= needed.width && pixels.height >= needed.height
  }

  /// Returns the image in a shape, never enlarged.
  package func shown(as shape: PictureShape) -> PixelBuffer {
    switch shape.resizeMode {
    case .none: pixels.size == sourceSize ? pixels : shown(at: sourceSize, .aspectFit)
    case .fast: whole
    case .exact where shape.crop == .whole: shown(at: shape.targetSize, shape.contentMode)
    case .exact: cut(shape)
    }
  }

  /// The whole image at its decoded size.
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
    if size != scaled { decoded = decoded.centered(shapedLike: size) }
    if let place = decoded.wholePixels, place.size == size,
      PixelRegion(pixels.size).contains(decoded)
    {
      return pixels.cropped(x: place.x, y: place.y, to: size)
    }
    return Resampler(from: pixels.size, region: decoded, to: size)(pixels)
  }
}

extension PixelRegion {
  /// The region in whole numbers; nil if its edges are not between pixels.
  fileprivate var wholePixels: (x: Int, y: Int, size: PixelSize)? {
    let numbers = [x, y, width, height]
    // A side multiplied by a fraction of it is a whole number except for rounding errors.
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
