import AssetLibrary
import Pixels
import SystemPackage

/// From the bytes of a resource to the upright picture a request asked for: read, decode, resize, turn.
///
/// Holds a decoder: one renderer a worker.
struct PictureRenderer: ~Copyable {
  /// A picture and, where something is missing from it, what.
  struct Rendering {
    var pixels: PixelBuffer
    var note: String?
  }

  /// No camera writes a larger JPEG; a file is held in memory while it is decoded.
  private static let largestFile = 256 << 20

  private var decoder: JPEGDecoder

  init() throws(AssetError) {
    guard let decoder = JPEGDecoder() else { throw AssetError("picture", "not enough memory") }
    self.decoder = decoder
  }

  /// The picture at the size asked for; nil when it was cancelled on the way.
  mutating func picture(
    for key: PictureWork, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) throws(AssetError) -> Rendering? {
    guard resource.uniformTypeIdentifier == "public.jpeg" else {
      let format = resource.path.extension?.uppercased() ?? "this format"
      throw AssetError(resource.displayName, "\(format) can't be drawn yet")
    }
    guard reader.count <= Self.largestFile else {
      throw AssetError(resource.displayName, "too large to be shown (the file, not the picture)")
    }
    let bytes = try reader.bytes(in: 0..<reader.count)
    if cancellation.isCancelled { return nil }
    let target = resource.orientation.upright(key.targetSize)
    let decoded = try decoder.decode(
      bytes, name: resource.displayName, needed: { $0.scaled(toward: target, key.contentMode) },
      cancellation: cancellation)
    guard let decoded, !cancellation.isCancelled else { return nil }
    return Rendering(
      pixels: decoded.pixels.shown(at: target, key.contentMode).upright(from: resource.orientation),
      note: decoded.complaint.isEmpty ? nil : decoded.complaint)
  }

  /// The embedded thumbnail at no more than the size asked for; nil where there is none that can be used.
  mutating func thumbnail(
    for key: PictureWork, of resource: AssetResource, from reader: any ResourceReader,
    cancellation: Cancellation
  ) -> PixelBuffer? {
    let target = resource.orientation.upright(key.targetSize)
    guard let range = resource.thumbnail, !resource.storedSize.isEmpty,
      // A thumbnail that can't be read or decoded is no error: the picture itself comes anyway.
      let bytes = try? reader.bytes(in: range),
      let decoded = try? decoder.decode(
        bytes, name: "thumbnail", needed: { $0.scaled(toward: target, .aspectFill) },
        cancellation: cancellation)
    else { return nil }
    return decoded.pixels.withoutLetterbox(shapedLike: resource.storedSize)
      .shown(at: target, key.contentMode).upright(from: resource.orientation)
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
