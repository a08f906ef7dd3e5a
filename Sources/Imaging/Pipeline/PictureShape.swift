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
  func stored(with orientation: Orientation) -> PictureShape {
    var shape = self
    shape.targetSize = orientation.upright(targetSize)
    shape.crop = crop.stored(with: orientation)
    return shape
  }

  /// The least size of the whole picture that has all the pixels of the answer.
  func needed(of source: PixelSize) -> PixelSize {
    guard resizeMode != .none, !source.isEmpty else { return source }
    let part = PixelSize(
      width: max(1, Int((crop.width * Double(source.width)).rounded())),
      height: max(1, Int((crop.height * Double(source.height)).rounded())))
    let scale = min(1, part.scale(toward: targetSize, contentMode))
    return PixelSize(
      width: max(1, Int((Double(source.width) * scale).rounded())),
      height: max(1, Int((Double(source.height) * scale).rounded())))
  }

  /// About how many pixels stand in memory while the answer is made from a picture of `source` pixels.
  ///
  /// Decoders reduce by powers of two where their format lets them, and at least a row is always whole.
  /// - Parameter inParts: whether of a part little more than that is decoded, as of JPEGs, which are reduced to an
  ///   eighth at most.
  func decodedPixels(of source: PixelSize, inParts: Bool = false) -> Int {
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

extension DecodedImage {
  /// The picture in a shape; never enlarged.
  func shown(as shape: PictureShape) -> PixelBuffer {
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
    // Fractions of a picture's side come back to whole numbers but for the last bits.
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
