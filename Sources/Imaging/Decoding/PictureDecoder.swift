package import AssetLibrary
package import Pixels

/// Decodes pictures of the formats that light libraries know, at the smallest size that is enough: JPEG, PNG,
/// GIF, WebP and BMP, told by their content.
///
/// Of what moves it gives the first picture. Use it from one thread at a time and again for the next picture.
package struct PictureDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  private let budget: DecodeBudget
  private let colors: ColorManager

  /// Makes a decoder; nil only when there is no memory left.
  /// - Parameter colors: may be shared with other decoders, which spares work.
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
    needed: (PixelSize) -> PixelSize, cancellation: Cancellation = Cancellation()
  ) throws(AssetError) -> DecodedImage? {
    try decode(reader, name: name, cancellation, part: part, needed: needed) { () throws(DecodeStop) in
      throw .failed("it is no picture of a known format")
    }
  }

  /// Decodes a picture, or lets `other` decide about content of another format.
  mutating func decode(
    _ reader: any ResourceReader, name: String, _ cancellation: Cancellation, part: NormalizedRect,
    needed: (PixelSize) -> PixelSize, orElse other: () throws(DecodeStop) -> DecodedImage?
  ) throws(AssetError) -> DecodedImage? {
    let job = DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation)
    do throws(DecodeStop) {
      try job.goOn()
      let image =
        switch PictureFormat(head: try job.head(PictureFormat.headLength)) {
        case .jpeg: try jpeg.decode(job, part: part, needed: needed)
        case .png: try PNGDecoder.decode(job, needed: needed)
        case .gif: try GIFDecoder.decode(job, needed: needed)
        case .webp: try WebPDecoder.decode(job, needed: needed)
        case .bmp: try BMPDecoder.decode(job, needed: needed)
        case nil: try other()
        }
      try job.goOn()
      return image
    } catch {
      switch error {
      case .cancelled: return nil
      case .failed(let reason): throw AssetError(name, reason)
      case .unreadable(let error): throw AssetError(error.subject, error.reason, isTransient: true)
      }
    }
  }
}
