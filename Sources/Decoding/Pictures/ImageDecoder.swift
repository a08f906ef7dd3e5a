package import AssetLibrary
package import CodecProtocol
package import Pixels
package import Rendering

/// Decodes pictures of the formats that light libraries know, at the smallest size that is enough: JPEG, PNG,
/// GIF, WebP and BMP, told by their content.
///
/// Of an animation it decodes the first picture. Use it from one thread at a time, and again for the next picture: it
/// keeps its libjpeg object.
package struct ImageDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  /// What the next picture may cost.
  package var budget: DecodeBudget
  let colors: ColorManager

  /// Makes a decoder; nil only when there is no memory left.
  /// - Parameter colors: may be shared with other decoders, which saves work.
  package init?(budget: DecodeBudget = DecodeBudget(), colors: ColorManager = ColorManager()) {
    guard let jpeg = JPEGDecoder() else { return nil }
    self.jpeg = jpeg
    self.budget = budget
    self.colors = colors
  }

  /// Decodes a picture.
  /// - Parameters:
  ///   - name: what error messages call the file.
  ///   - part: what of the stored picture is wanted; formats that can't be decoded in parts give more.
  ///   - needed: from the stored size to the least size the caller can use, of the whole picture.
  ///   - cancellation: asked often; once it answers true, the decode ends with nil.
  /// - Throws: `AssetError` that names the file and the cause.
  package mutating func decode(
    _ reader: any ResourceReader, name: String, part: NormalizedRect = .whole,
    needed: (PixelSize) -> PixelSize, cancellation: any DecodeInterruption = Cancellation()
  ) throws(AssetError) -> DecodedImage? {
    do throws(DecodeStop) {
      let image = try decode(reader, part: part, needed: needed, cancellation)
      guard let image else { throw .failed("it is no picture of a known format") }
      return image
    } catch {
      if error == .cancelled { return nil }
      throw AssetError(error, of: name)
    }
  }

  /// Decodes a picture; nil where the content is of none of the formats.
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
      // What a library says whose bytes ended because the job did is not the reason.
      throw job.stop ?? error
    }
  }
}

extension AssetError {
  /// The reason why a decode ended, for messages.
  /// - Parameter name: what the file is called.
  init(_ stop: DecodeStop, of name: String) {
    switch stop {
    case .cancelled: self.init(name, "was cancelled", isTransient: true)
    case .failed(let reason): self.init(name, reason)
    case .noMemory: self.init(name, "not enough memory", isStall: true)
    case .late: self.init(name, "it takes too long to be shown", isStall: true)
    case .unreadable(let error): self.init(error.subject, error.reason, isTransient: true)
    }
  }
}

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

/// A decoded picture as its file stores it: not turned upright yet, in the colours of its profile.
package struct DecodedImage: Sendable {
  /// The pixels, and what of the stored picture they are.
  package var picture: ReducedPicture
  /// What the numbers mean.
  package var colors: ColorSource
  /// The rows from the top that show something of the picture.
  package var visibleRows: Int
  /// What the library had to say about damage; empty for a whole picture.
  package var complaint: String

  package var pixels: PixelBuffer { picture.pixels }
  /// The size that is stored in the file.
  package var sourceSize: PixelSize { picture.sourceSize }
  package var region: PixelRegion { picture.region }

  /// A picture that is reduced to `pixels`.
  /// - Parameters:
  ///   - reduction: how many stored pixels make up one, nil where the size was met exactly.
  ///   - window: what of the reduced picture `pixels` is; nil = all of it.
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
  /// Something about the content, as words that follow the file's name.
  case failed(String)
  /// The file can't be read.
  case unreadable(AssetError)
  case noMemory
  /// It took too long, perhaps because the disk or the machine was slow.
  case late

  static let noEnd = failed(cutShort)
  static let damaged = failed("the picture is damaged")

  /// What is said of a file that has only a part of its picture.
  static let cutShort = "the file ends in the middle of the picture"

  static func tooLarge(_ size: PixelSize) -> DecodeStop {
    failed(CodecError.tooLarge(width: size.width, height: size.height).reason)
  }
}

/// Tells a decode whether anybody still wants the picture.
package protocol DecodeInterruption: Sendable {
  /// Whether nobody does; asked after every few rows.
  var isCancelled: Bool { get }
}

extension Cancellation: DecodeInterruption {}

extension PixelBuffer {
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
