package import Pixels

/// The pixels of a reduced picture that a part of it is made of, with what the resampler looks at beside them.
package struct DecodeWindow: Hashable {
  package let x: Int
  package let y: Int
  package let size: PixelSize

  /// - Parameters:
  ///   - part: of the stored picture.
  ///   - reduction: how many stored pixels make up one of the reduced picture.
  ///   - whole: the size of the reduced picture.
  ///   - needed: the size that the whole picture would be shown in.
  /// - Returns: nil where little would be left out.
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

  /// How far beside a pixel the resampler looks at most: twice the factor that it shrinks by.
  ///
  /// The factor may be half as large again where the part's few pixels are rounded to whole ones.
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

/// What an animation may cost.
package enum AnimationBudget {
  /// Pixels of the canvas.
  package static let canvasPixels = 16_000_000
  /// How many pictures of the canvas's size stand in memory at most: it, a frame, what is restored after that (with
  /// WebP the library's two), and the picture that is made of it.
  package static let canvases = 4
  /// How long one picture may take.
  package static let time: Duration = .seconds(10)
  /// Bytes of a file, or of one compressed picture, that are held in memory.
  package static let heldBytes = 128 << 20
  /// Frames of one pass; no honest file has as many.
  package static let frames = 100_000
}

/// What a file may cost before it is refused, whatever its header announces.
package struct DecodeBudget: Sendable {
  /// Stored pixels: every one of them is read, at 0.1 to 0.8 Gpixel/s.
  package var storedPixels = 1_000_000_000
  /// Pixels of the decoded result.
  package var decodedPixels = 64_000_000
  /// Pixels of a side: rows are held whole, with their sums and what libraries keep of them, and a picture of one row
  /// can't be shrunk while it is read.
  package var side = 1 << 20
  /// Bytes that are needed besides the result: coefficients of a JPEG of several scans, a WebP that can't be decoded
  /// in rows, the sums of an interlaced picture; rows as they are stored, as they are decoded and as they are summed
  /// up; and what the resampler takes.
  package var workingBytes = 256 << 20
  /// The longest file that is held in memory while it is decoded; others are read piece by piece.
  package var heldFile = 256 << 20
  /// The longest file that is read piece by piece.
  package var streamedFile = 4 << 30
  /// How long one picture may take.
  package var time: Duration = .seconds(60)

  package init() {}

  /// About as many pixels' worth of memory as the rows of a picture take on their way: stored, decoded, summed up and
  /// resampled, 64 bytes a column.
  package func rowPixels(of stored: PixelSize) -> Int {
    min(max(0, stored.width), side) * 64 / PixelBuffer.bytesPerPixel
  }
}
