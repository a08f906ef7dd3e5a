package import AssetLibrary
package import Pixels
package import Rendering

/// Decodes pictures of the formats that light libraries know, at the smallest size that is enough: JPEG, PNG,
/// GIF, WebP and BMP, told by their content.
///
/// Of an animation it decodes the first picture. Use it from one thread at a time, and again for the next picture: it
/// keeps its libjpeg object. `ImageDecoder+Rendering` brings pictures into the requested shape.
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
