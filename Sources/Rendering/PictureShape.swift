package import AssetLibrary
package import Pixels

/// Which pixels of a picture an answer has: how large, how cut.
///
/// Requests that differ in words only have equal shapes: where the native size is asked for, neither the
/// target nor the content mode counts.
package struct PictureShape: Hashable, Sendable {
  package var targetSize: PixelSize
  package var contentMode: ContentMode
  package var resizeMode: ImageRequestOptions.ResizeMode
  package var crop: NormalizedRect

  /// The whole picture as large as it is.
  package static let native = PictureShape()

  private init() {
    targetSize = .maximum
    contentMode = .aspectFit
    resizeMode = .none
    crop = .whole
  }

  /// A shape of these parts, as they travel to the program that decodes.
  package init(
    targetSize: PixelSize, contentMode: ContentMode, resizeMode: ImageRequestOptions.ResizeMode,
    crop: NormalizedRect
  ) {
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.resizeMode = resizeMode
    self.crop = crop
  }

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

  /// The shape in the coordinates of a picture that is stored with an orientation.
  package func stored(with orientation: Orientation) -> PictureShape {
    var shape = self
    shape.targetSize = orientation.upright(targetSize)
    shape.crop = crop.stored(with: orientation)
    return shape
  }

  /// The least size of the whole picture that has all the pixels of the answer.
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

  /// The least size that is enough for the picture and for a thumbnail that is kept in a box.
  package func needed(of source: PixelSize, keeping box: PixelSize?) -> PixelSize {
    let needed = needed(of: source)
    guard let kept = box.map({ source.scaled(toward: $0, .aspectFit) }) else { return needed }
    return PixelSize(width: max(needed.width, kept.width), height: max(needed.height, kept.height))
  }

  /// About how many pixels are in memory while the answer is made from a picture of `source` pixels.
  ///
  /// Decoders reduce by powers of two where their format lets them, and at least a row is always whole.
  /// - Parameter inParts: whether of a part little more than that is decoded, as of JPEGs, which are reduced to an
  ///   eighth at most.
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
