package import Pixels

/// The pixels of a reduced image that are needed to show a part of it, including the resampler's margin.
package struct DecodeWindow: Hashable {
  /// The left edge in pixels of the reduced image.
  package let x: Int
  /// The top edge in pixels of the reduced image.
  package let y: Int
  /// The size in pixels of the reduced image.
  package let size: PixelSize

  /// Computes the window for a part of an image.
  /// - Parameters:
  ///   - part: the part of the stored image to show.
  ///   - stored: the size of the stored image.
  ///   - reduction: the number of stored pixels per pixel of the reduced image, along one axis.
  ///   - whole: the size of the reduced image.
  ///   - needed: the size at which the whole image would be shown.
  /// - Returns: nil if the window would exclude too little to be worthwhile.
  package init?(
    _ part: NormalizedRect, of stored: PixelSize, reduction: Double, in whole: PixelSize, needed: PixelSize
  ) {
    let region = part.region(in: stored)
    let margin = Self.margin(from: whole, to: needed)
    let columns = Self.span(region.x / reduction, region.width / reduction, margin, in: whole.width)
    let rows = Self.span(region.y / reduction, region.height / reduction, margin, in: whole.height)
    size = PixelSize(width: columns.count, height: rows.count)
    x = columns.lowerBound
    y = rows.lowerBound
    guard !size.isEmpty, size.area < whole.area / 4 * 3 else { return nil }
  }

  /// Returns how far around a pixel the resampler may read.
  ///
  /// It reads up to twice its shrink factor. Rounding a small part to whole pixels can raise the factor by
  /// half, so the margin is three times the factor.
  private static func margin(from whole: PixelSize, to needed: PixelSize) -> Int {
    let factor = max(
      1, Double(whole.width) / Double(max(1, needed.width)),
      Double(whole.height) / Double(max(1, needed.height)))
    return Int((3 * factor).rounded(.up)) + 2
  }

  private static func span(_ start: Double, _ length: Double, _ margin: Int, in limit: Int) -> Range<Int> {
    let first = max(0, Int(start.rounded(.down)) - margin)
    let end = min(limit, Int((start + length).rounded(.up)) + margin)
    return first..<max(first, end)
  }
}

/// Resource limits for animations.
package enum AnimationBudget {
  /// The maximum number of canvas pixels.
  package static let canvasPixels = 16_000_000
  /// The maximum number of canvas-sized images in memory: the canvas, a frame, the backup that is restored
  /// after the frame (in WebP, the library's two), and the image made from the canvas.
  package static let canvases = 4
  /// The maximum time for one frame.
  package static let time: Duration = .seconds(10)
  /// The maximum size of a file, or of one compressed frame, that is held in memory.
  package static let heldBytes = 128 << 20
  /// The maximum number of frames in one pass, more than any valid file has.
  package static let frames = 100_000
}

/// Resource limits for decoding one file, which apply regardless of what its header claims.
package struct DecodeBudget: Sendable {
  /// Stored pixels.
  ///
  /// Every one is read, at 0.1 to 0.8 Gpixel/s.
  package var storedPixels = 1_000_000_000
  /// Pixels of the decoded result.
  package var decodedPixels = 64_000_000
  /// The length of a side in pixels.
  ///
  /// Whole rows are held in memory with their sums and the libraries' own buffers, and a single-row image
  /// can't be shrunk while it is read.
  package var side = 1 << 20
  /// Bytes of working memory in addition to the result: the coefficients of a multi-scan JPEG, a WebP that
  /// can't be decoded row by row, the sums of an interlaced image, rows in stored, decoded and summed form,
  /// and the resampler's buffers.
  package var workingBytes = 256 << 20
  /// The maximum size of a file that is held in memory while it is decoded; larger ones are streamed.
  package var heldFile = 256 << 20
  /// The maximum size of a file that is streamed.
  package var streamedFile = 4 << 30
  /// The maximum time for one image.
  package var time: Duration = .seconds(60)

  /// Creates the default limits.
  package init() {}

  /// Returns the approximate memory for row buffers (stored, decoded, summed and resampled: 64 bytes per
  /// column), converted to pixels.
  package func rowPixels(of stored: PixelSize) -> Int {
    min(max(0, stored.width), side) * 64 / PixelBuffer.bytesPerPixel
  }
}
