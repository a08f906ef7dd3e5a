package import AssetLibrary
package import Pixels

/// Decodes pictures of the formats that light libraries know, at the smallest size that is enough: JPEG, PNG,
/// GIF, WebP and BMP, told by their content.
///
/// Of an animation it decodes the first picture. Use it from one thread at a time, and again for the next picture: it
/// keeps its libjpeg object. What brings pictures into the requested shape, and the formats of the helper, are in
/// `ImageDecoder+Rendering`.
package struct ImageDecoder: ~Copyable {
  /// How decoding a file ended.
  enum Outcome {
    case image(DecodedImage)
    /// The content is of none of the formats.
    case unknownFormat
    case cancelled
  }

  private var jpeg: JPEGDecoder
  let budget: DecodeBudget
  let colors: ColorManager
  let foreign: (any ForeignDecoder)?

  /// Makes a decoder; nil only when there is no memory left.
  /// - Parameters:
  ///   - colors: may be shared with other decoders, which saves work.
  ///   - foreign: asked by `picture` for the formats that are not decoded here.
  package init?(
    budget: DecodeBudget = DecodeBudget(), colors: ColorManager = ColorManager(),
    foreign: (any ForeignDecoder)? = nil
  ) {
    guard let jpeg = JPEGDecoder() else { return nil }
    self.jpeg = jpeg
    self.budget = budget
    self.colors = colors
    self.foreign = foreign
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
    needed: (PixelSize) -> PixelSize, cancellation: Cancellation = Cancellation()
  ) throws(AssetError) -> DecodedImage? {
    switch try decode(reader, name: name, part: part, needed: needed, cancellation) {
    case .image(let image): return image
    case .unknownFormat: throw AssetError(name, "it is no picture of a known format")
    case .cancelled: return nil
    }
  }

  /// Decodes a picture, or says that its format is another one.
  mutating func decode(
    _ reader: any ResourceReader, name: String, part: NormalizedRect, needed: (PixelSize) -> PixelSize,
    _ cancellation: Cancellation
  ) throws(AssetError) -> Outcome {
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
      guard let image else { return .unknownFormat }
      try job.checkStopped()
      return .image(image)
    } catch {
      // What a library says whose bytes ended because the job did is not the reason.
      let stop = job.stop ?? error
      if stop == .cancelled { return .cancelled }
      throw AssetError(stop, of: name)
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
