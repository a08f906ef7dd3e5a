import Pixels

/// What a file may cost before it is refused, whatever its header announces.
package struct DecodeBudget: Sendable {
  /// Stored pixels: every one of them is read, at 0.1 to 0.8 Gpixel/s.
  package var storedPixels = 1_000_000_000
  /// Pixels of the decoded result.
  var decodedPixels = 64_000_000
  /// Bytes that a library needs besides the result: coefficients of a JPEG of several scans, a WebP that
  /// can't be decoded in rows, the sums of an interlaced picture.
  package var workingBytes = 256 << 20
  /// The longest file that is held in memory while it is decoded; others are read piece by piece.
  var heldFile = 256 << 20
  /// The longest file that is read piece by piece.
  var streamedFile = 4 << 30
  /// How long one picture may take.
  package var time: Duration = .seconds(60)

  package init() {}

  /// Refuses a picture that is too large to be read, or whose result is.
  func check(stored: PixelSize, decoded: PixelSize, working: Int = 0) throws(DecodeStop) {
    guard stored.area <= storedPixels, decoded.area <= decodedPixels, working <= workingBytes else {
      throw .tooLarge(stored)
    }
  }
}
