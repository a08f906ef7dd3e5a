package import AssetLibrary
package import CodecProtocol
package import Pixels
package import Rendering

/// Decodes JPEG, PNG, GIF, WebP and BMP, recognized by content, at the smallest sufficient size.
///
/// Of an animation it decodes the first picture. Use it from one thread at a time, and reuse it for the next
/// picture: it keeps its libjpeg object.
package struct ImageDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  /// Limits for the next picture.
  package var budget: DecodeBudget
  let colors: ColorManager

  /// Creates a decoder; nil only if memory is short.
  /// - Parameter colors: may be shared with other decoders, which saves work.
  package init?(budget: DecodeBudget = DecodeBudget(), colors: ColorManager = ColorManager()) {
    guard let jpeg = JPEGDecoder() else { return nil }
    self.jpeg = jpeg
    self.budget = budget
    self.colors = colors
  }

  /// Decodes a picture.
  /// - Parameters:
  ///   - name: name of the file in error messages.
  ///   - part: the part of the stored picture to decode; formats that cannot be decoded in parts return more.
  ///   - needed: returns the smallest usable size of the whole picture for its stored size.
  ///   - cancellation: polled often; when it is cancelled, the result is nil.
  /// - Throws: `AssetError` with the file's name and the cause.
  package mutating func decode(
    _ reader: any ResourceReader, name: String, part: NormalizedRect = .whole,
    needed: (PixelSize) -> PixelSize, cancellation: any DecodeInterruption = Cancellation()
  ) throws(AssetError) -> DecodedImage? {
    do throws(DecodeStop) {
      let image = try decode(reader, part: part, needed: needed, cancellation)
      guard let image else { throw .failed("not a picture in a known format") }
      return image
    } catch {
      if error == .cancelled { return nil }
      throw AssetError(error, of: name)
    }
  }

  /// Decodes a picture; nil if the content is in none of the formats.
  mutating func decode(
    _ reader: any ResourceReader, part: NormalizedRect, needed: (PixelSize) -> PixelSize,
    _ cancellation: any DecodeInterruption
  ) throws(DecodeStop) -> DecodedImage? {
    let job = DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation)
    do throws(DecodeStop) {
      try job.checkStopped()
      let image =
        switch PictureFormat(head: try job.head(PictureFormat.headLength)) {
        case .jpeg: try jpeg.decode(job, part: part, needed: needed)
        case .png: try PNGDecoder.decode(job, needed: needed)
        case .gif: try GIFDecoder.decode(job, needed: needed)
        case .webp: try WebPDecoder.decode(job, needed: needed)
        case .bmp: try BMPDecoder.decode(job, needed: needed)
        case nil: nil as DecodedImage?
        }
      if image != nil { try job.checkStopped() }
      return image
    } catch {
      // If the job stopped, the library's error is only a consequence.
      throw job.stop ?? error
    }
  }
}

extension AssetError {
  /// Creates an error with the reason why a decode ended.
  /// - Parameter name: name of the file.
  init(_ stop: DecodeStop, of name: String) {
    switch stop {
    case .cancelled: self.init(name, "was cancelled", isTransient: true)
    case .failed(let reason): self.init(name, reason)
    case .noMemory: self.init(name, "not enough memory", isStall: true)
    case .late: self.init(name, "decoding it takes too long", isStall: true)
    case .unreadable(let error): self.init(error.subject, error.reason, isTransient: true)
    }
  }
}

/// Rendering: from the bytes of a resource to the requested upright sRGB picture by decoding, resizing, color
/// conversion and orientation.
extension ImageDecoder {
  /// Returns the picture in the requested shape; nil if the content is in none of the formats.
  /// - Parameters:
  ///   - orientation: orientation of the stored picture.
  ///   - side: longest side of a thumbnail to make as well, unless the picture is smaller.
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
    // Render from the thumbnail: the next request reads only the thumbnail, and must give the same pixels.
    let pixels =
      if let kept, kept.isEnough(for: shape) { kept.shown(as: shape) } else {
        try finish(decoded.picture.shown(as: stored))
      }
    return Rendering(
      pixels: pixels, thumbnail: kept?.pixels, decodedPixels: decoded.pixels.size.area,
      note: decoded.complaint.isEmpty ? nil : decoded.complaint)
  }

  /// Returns the embedded thumbnail, at most in the requested size; nil if its content is in none of the formats.
  /// - Parameters:
  ///   - reader: the thumbnail's bytes only.
  ///   - storedSize: size of the picture that it belongs to.
  package mutating func thumbnail(
    _ shape: PictureShape, orientation: Orientation, storedSize: PixelSize, from reader: any ResourceReader,
    cancellation: any DecodeInterruption
  ) throws(DecodeStop) -> Rendering? {
    let shape = shape.stored(with: orientation)
    // After removing black bars, less of the thumbnail is left to fill the box.
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
  /// Returns the part of the stored picture to decode; all of it if a thumbnail is made as well.
  fileprivate func part(_ keptBox: PixelSize?) -> NormalizedRect {
    resizeMode == .exact && keptBox == nil ? crop : .whole
  }
}

/// A decoded picture as stored: before orientation, in its own color space.
package struct DecodedImage: Sendable {
  /// The pixels, and which part of the stored picture they show.
  package var picture: ReducedPicture
  /// Color space of the pixels.
  package var colors: ColorSource
  /// Rows from the top that show part of the picture.
  package var visibleRows: Int
  /// The library's message about damage; empty for an intact picture.
  package var complaint: String

  package var pixels: PixelBuffer { picture.pixels }
  /// Size stored in the file.
  package var sourceSize: PixelSize { picture.sourceSize }
  package var region: PixelRegion { picture.region }

  /// Creates a picture that is reduced to `pixels`.
  /// - Parameters:
  ///   - reduction: stored pixels per pixel in each direction; nil if the exact size was decoded.
  ///   - window: which part of the reduced picture `pixels` is; nil means all of it.
  init(
    _ pixels: PixelBuffer, of sourceSize: PixelSize, reduction: Double? = nil, window: DecodeWindow? = nil,
    colors: ColorSource = .sRGB, visibleRows: Int? = nil, complaint: String = ""
  ) {
    picture = ReducedPicture(pixels, of: sourceSize, reduction: reduction, window: window)
    self.colors = colors
    self.visibleRows = visibleRows ?? pixels.height
    self.complaint = complaint
  }
}

/// Why a decode ended without a picture.
package enum DecodeStop: Error, Hashable {
  case cancelled
  /// A defect of the content, as words that follow the file's name.
  case failed(String)
  /// The file cannot be read.
  case unreadable(AssetError)
  case noMemory
  /// The deadline passed, perhaps because the disk or the machine was slow.
  case late

  static let noEnd = failed(cutShort)
  static let damaged = failed("the picture is damaged")

  /// The message for a file with only a part of its picture.
  static let cutShort = "the file ends in the middle of the picture"

  static func tooLarge(_ size: PixelSize) -> DecodeStop {
    failed(CodecError.tooLarge(width: size.width, height: size.height).reason)
  }
}

/// Reports whether a decode is cancelled.
package protocol DecodeInterruption: Sendable {
  /// Whether the decode is cancelled; read every few rows.
  var isCancelled: Bool { get }
}

extension Cancellation: DecodeInterruption {}

extension PixelBuffer {
  /// Returns the part of a thumbnail that shows the picture.
  ///
  /// EXIF thumbnails are 160×120 by the letter of DCF, whatever the picture's shape, with black bars to make up for
  /// it.
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
