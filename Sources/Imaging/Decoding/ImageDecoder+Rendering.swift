import AssetLibrary
import Pixels
import SystemPackage

/// From the bytes of a resource to the upright picture in sRGB that was asked for: decode, resize, convert the
/// colours, turn.
extension ImageDecoder {
  /// A picture and, where something is missing from it, what.
  struct Rendering {
    var pixels: PixelBuffer
    /// The whole picture in the size that is to be kept.
    var thumbnail: PixelBuffer?
    /// What the decoder gave.
    var decodedPixels: Int
    var note: String?
  }

  /// The picture in the shape asked for; nil when it was cancelled on the way.
  /// - Parameter keeping: also makes a thumbnail of this longest side, where the picture is no smaller.
  mutating func picture(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    keeping side: Int? = nil, cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    let stored = shape.stored(with: resource.orientation)
    let keptBox = side.map { PixelSize(width: $0, height: $0) }
    let outcome = try decode(
      reader, name: resource.displayName, part: stored.part(keptBox),
      needed: { Self.needed($0, for: stored, keptBox) }, cancellation)
    let decoded: DecodedImage
    switch outcome {
    case .image(let image): decoded = image
    case .unknownFormat: return try foreignPicture(shape, of: resource, from: reader, keptBox, cancellation)
    case .cancelled: return nil
    }
    guard !cancellation.isCancelled else { return nil }
    func finish(_ pixels: PixelBuffer) -> PixelBuffer {
      colors.sRGB(pixels, from: decoded.colors).upright(from: resource.orientation)
    }
    return Rendering(
      pixels: finish(decoded.shown(as: stored)),
      thumbnail: keptBox.map { finish(decoded.shown(at: $0, .aspectFit)) },
      decodedPixels: decoded.pixels.size.area,
      note: decoded.complaint.isEmpty ? nil : decoded.complaint)
  }

  /// The least size that is enough for the picture and for the thumbnail to keep.
  private static func needed(
    _ source: PixelSize, for shape: PictureShape, _ keptBox: PixelSize?
  ) -> PixelSize {
    let needed = shape.needed(of: source)
    guard let kept = keptBox.map({ source.scaled(toward: $0, .aspectFit) }) else { return needed }
    return PixelSize(width: max(needed.width, kept.width), height: max(needed.height, kept.height))
  }

  /// A raw file's picture, developed from its sensor's data.
  func developed(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    try foreignPicture(shape, of: resource, from: reader, nil, cancellation, develops: true)
  }

  private func foreignPicture(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    _ keptBox: PixelSize?, _ cancellation: Cancellation, develops: Bool = false
  ) throws(AssetError) -> Rendering? {
    let type = resource.uniformTypeIdentifier
    if PictureFormat.isKnown(type) {
      let word = PictureFormat.word(for: type) ?? "picture"
      throw AssetError(resource.displayName, "its content is no \(word)")
    }
    guard let foreign else {
      let word = PictureFormat.word(for: type) ?? resource.path.extension?.uppercased() ?? "this format"
      throw AssetError(resource.displayName, "\(word) can't be drawn yet", isTransient: true)
    }
    // Native where the size is not known: it can't be told how much of it is enough.
    let source = resource.orientation.upright(resource.storedSize)
    let isNative = shape.resizeMode == .none || source.isEmpty && shape.crop != .whole
    let target = source.isEmpty ? shape.targetSize : Self.needed(source, for: shape, keptBox)
    var request = ForeignRequest(
      name: resource.displayName, uniformTypeIdentifier: type, targetSize: isNative ? .zero : target,
      contentMode: source.isEmpty ? shape.contentMode : .aspectFill, pixelLimit: budget.decodedPixels,
      sideLimit: budget.side)
    request.develops = develops
    let picture = try foreign.picture(of: reader, request: request) { cancellation.isCancelled }
    guard let picture, !cancellation.isCancelled else { return nil }
    // It stands upright already: the orientation is not applied a second time.
    let image = DecodedImage(picture.pixels, of: picture.sourceSize)
    return Rendering(
      pixels: image.shown(as: shape), thumbnail: keptBox.map { image.shown(at: $0, .aspectFit) },
      decodedPixels: picture.pixels.size.area, note: picture.note)
  }

  /// The most bytes that an embedded thumbnail may have.
  private static let longestThumbnail = 32 << 20

  /// The embedded thumbnail at no more than the size asked for; nil where there is none that can be used.
  mutating func thumbnail(
    _ shape: PictureShape, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) -> PixelBuffer? {
    let shape = shape.stored(with: resource.orientation)
    guard let range = resource.thumbnail, !resource.storedSize.isEmpty,
      range.count <= Self.longestThumbnail, range.lowerBound < reader.count
    else { return nil }
    // Of a thumbnail with bars less than the whole is left to fill the box.
    var generous = shape
    generous.contentMode = .aspectFill
    let part = ResourcePart(of: reader, range)
    // A thumbnail that can't be read or decoded is no error: the picture itself comes anyway.
    let decoded = try? decode(
      part, name: "thumbnail", needed: { generous.needed(of: $0) }, cancellation: cancellation)
    guard let decoded else { return nil }
    let picture = decoded.pixels.withoutLetterbox(shapedLike: resource.storedSize)
    let shown = DecodedImage(picture, of: picture.size).shown(as: shape)
    return colors.sRGB(shown, from: decoded.colors).upright(from: resource.orientation)
  }
}

extension PictureShape {
  /// What of the stored picture has to be decoded; all of it where a thumbnail is kept as well.
  fileprivate func part(_ keptBox: PixelSize?) -> NormalizedRect {
    resizeMode == .exact && keptBox == nil ? crop : .whole
  }
}
