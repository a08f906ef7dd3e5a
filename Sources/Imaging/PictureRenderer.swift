import AssetLibrary
import Pixels
import SystemPackage

/// From the bytes of a resource to the upright picture a request asked for: decode, resize, bring the colours
/// to sRGB, turn.
///
/// Holds a decoder: one renderer a worker.
struct PictureRenderer: ~Copyable {
  /// A picture and, where something is missing from it, what.
  struct Rendering {
    var pixels: PixelBuffer
    var note: String?
  }

  private var decoder: PictureDecoder
  private let budget: DecodeBudget
  private let colors: ColorManager
  private let foreign: (any ForeignDecoder)?

  /// - Parameters:
  ///   - colors: shared by the renderers of all workers.
  ///   - foreign: asked for formats that are not decoded here.
  init(
    budget: DecodeBudget = DecodeBudget(), colors: ColorManager, foreign: (any ForeignDecoder)?
  ) throws(AssetError) {
    guard let decoder = PictureDecoder(budget: budget, colors: colors) else {
      throw AssetError("picture", "not enough memory")
    }
    self.decoder = decoder
    self.budget = budget
    self.colors = colors
    self.foreign = foreign
  }

  /// The picture at the size asked for; nil when it was cancelled on the way.
  mutating func picture(
    for key: PictureWork, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    let target = resource.orientation.upright(key.targetSize)
    let name = resource.displayName
    var isForeign = false
    let decoded = try decoder.decode(
      reader, name: name, cancellation, needed: { $0.scaled(toward: target, key.contentMode) },
      orElse: { () throws(DecodeStop) in
        isForeign = true
        return nil
      })
    if isForeign { return try foreignPicture(for: key, of: resource, from: reader, cancellation) }
    guard let decoded, !cancellation.isCancelled else { return nil }
    let shown = colors.sRGB(decoded.shown(at: target, key.contentMode), from: decoded.colors)
    return Rendering(
      pixels: shown.upright(from: resource.orientation),
      note: decoded.complaint.isEmpty ? nil : decoded.complaint)
  }

  private func foreignPicture(
    for key: PictureWork, of resource: AssetResource, from reader: any ResourceReader,
    _ cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    let type = resource.uniformTypeIdentifier
    if PictureFormat.isKnown(type) {
      let word = PictureFormat.word(for: type) ?? "picture"
      throw AssetError(resource.displayName, "its content is no \(word)")
    }
    guard let foreign else {
      let word = PictureFormat.word(for: type) ?? resource.path.extension?.uppercased() ?? "this format"
      throw AssetError(resource.displayName, "\(word) can't be drawn yet")
    }
    let request = ForeignRequest(
      name: resource.displayName, uniformTypeIdentifier: type, targetSize: key.targetSize,
      contentMode: key.contentMode, pixelLimit: budget.decodedPixels)
    let picture = try foreign.picture(of: reader, request: request) { cancellation.isCancelled }
    guard let picture, !cancellation.isCancelled else { return nil }
    // It stands upright already: the orientation is not applied a second time.
    let image = DecodedImage(picture.pixels, of: picture.sourceSize)
    return Rendering(pixels: image.shown(at: key.targetSize, key.contentMode), note: picture.note)
  }

  /// The longest thumbnail that is a thumbnail.
  private static let longestThumbnail = 32 << 20

  /// The embedded thumbnail at no more than the size asked for; nil where there is none that can be used.
  mutating func thumbnail(
    for key: PictureWork, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) -> PixelBuffer? {
    let target = resource.orientation.upright(key.targetSize)
    guard let range = resource.thumbnail, !resource.storedSize.isEmpty,
      range.count <= Self.longestThumbnail, range.lowerBound < reader.count
    else { return nil }
    let part = ResourcePart(whole: reader, range: range.clamped(to: 0..<reader.count))
    // A thumbnail that can't be read or decoded is no error: the picture itself comes anyway.
    let decoded = try? decoder.decode(
      part, name: "thumbnail", needed: { $0.scaled(toward: target, .aspectFill) },
      cancellation: cancellation)
    guard let decoded else { return nil }
    let shown = decoded.pixels.withoutLetterbox(shapedLike: resource.storedSize)
      .shown(at: target, key.contentMode)
    return colors.sRGB(shown, from: decoded.colors).upright(from: resource.orientation)
  }
}

/// A range of a resource as one of its own.
private struct ResourcePart: ResourceReader {
  let whole: any ResourceReader
  let range: Range<Int>

  var count: Int { range.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let length = max(0, min(buffer.count, count - offset))
    return try whole.read(
      at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

extension PixelBuffer {
  /// The picture as it is shown in a box of `target` pixels: scaled down where it is larger, its overhang
  /// cut off in fill mode, never enlarged.
  func shown(at target: PixelSize, _ mode: ContentMode) -> PixelBuffer {
    let scaled = size.scaled(toward: target, mode)
    return switch mode {
    case .aspectFit:
      // Rounding may change the shape by a fraction of a pixel; the whole picture is kept all the same.
      scaled == size ? self : Resampler(from: size, to: scaled)(self)
    case .aspectFill:
      resampled(
        to: PixelSize(
          width: min(scaled.width, target.width), height: min(scaled.height, target.height)))
    }
  }

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

extension AssetResource {
  /// The file's name for messages.
  var displayName: String { String(decoding: filename, as: UTF8.self) }
}
