package import Pixels

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
