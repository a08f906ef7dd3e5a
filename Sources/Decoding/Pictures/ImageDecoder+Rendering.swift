package import AssetLibrary
package import Pixels
package import Rendering

/// From the bytes of a resource to the upright picture in sRGB that was asked for: decode, resize, convert the
/// colours, turn.
extension ImageDecoder {
  /// The picture in the shape asked for; nil where the content is of none of the formats.
  /// - Parameters:
  ///   - orientation: how the stored picture has to be turned.
  ///   - side: also makes a thumbnail of this longest side, where the picture is no smaller.
  package mutating func picture(
    _ shape: PictureShape, orientation: Orientation, from reader: any ResourceReader,
    keeping side: Int? = nil,
    cancellation: any DecodeInterruption
  ) throws(DecodeStop) -> Rendering? {
    let stored = shape.stored(with: orientation)
    let keptBox = side.map { PixelSize(width: $0, height: $0) }
    let decoded = try decode(
      reader, part: stored.part(keptBox), needed: { stored.needed(of: $0, keeping: keptBox) }, cancellation)
    guard let decoded else { return nil }
    let colors = colors
    func finish(_ pixels: PixelBuffer) throws(DecodeStop) -> PixelBuffer {
      if cancellation.isCancelled { throw .cancelled }
      return colors.sRGB(pixels, from: decoded.colors).upright(from: orientation)
    }
    var kept: ReducedPicture?
    if let keptBox {
      kept = ReducedPicture(
        try finish(decoded.picture.shown(at: keptBox, .aspectFit)),
        of: orientation.upright(decoded.sourceSize))
    }
    // The next time the thumbnail is all that is read: both times the pixels are the same.
    let pixels =
      if let kept, kept.isEnough(for: shape) { kept.shown(as: shape) } else {
        try finish(decoded.picture.shown(as: stored))
      }
    return Rendering(
      pixels: pixels, thumbnail: kept?.pixels, decodedPixels: decoded.pixels.size.area,
      note: decoded.complaint.isEmpty ? nil : decoded.complaint)
  }

  /// The embedded thumbnail at no more than the size asked for; nil where its content is of none of the formats.
  /// - Parameters:
  ///   - reader: of the thumbnail's bytes alone.
  ///   - storedSize: of the picture that it belongs to.
  package mutating func thumbnail(
    _ shape: PictureShape, orientation: Orientation, storedSize: PixelSize, from reader: any ResourceReader,
    cancellation: any DecodeInterruption
  ) throws(DecodeStop) -> Rendering? {
    let shape = shape.stored(with: orientation)
    // Of a thumbnail with bars less than the whole is left to fill the box.
    var generous = shape
    generous.contentMode = .aspectFill
    let decoded = try decode(
      reader, part: .whole, needed: { generous.needed(of: $0) }, cancellation)
    guard let decoded else { return nil }
    let picture = decoded.pixels.withoutLetterbox(shapedLike: storedSize)
    let shown = ReducedPicture(picture, of: picture.size).shown(as: shape)
    return Rendering(
      pixels: colors.sRGB(shown, from: decoded.colors).upright(from: orientation),
      decodedPixels: decoded.pixels.size.area)
  }
}

extension PictureShape {
  /// What of the stored picture has to be decoded; all of it where a thumbnail is kept as well.
  fileprivate func part(_ keptBox: PixelSize?) -> NormalizedRect {
    resizeMode == .exact && keptBox == nil ? crop : .whole
  }
}
