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
