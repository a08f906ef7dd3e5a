import Pixels
import Rendering

extension DecodeBudget {
  /// Refuses a picture that is too large to be read, or whose result is; before memory is taken for it.
  /// - Parameter working: bytes that the decoder takes besides the result.
  func check(stored: PixelSize, decoded: PixelSize, working: Int = 0) throws(DecodeStop) {
    try checkSides(stored)
    let (all, overflow) = working.addingReportingOverflow(Resampler.workingBytes(from: decoded))
    guard stored.area <= storedPixels, decoded.area <= decodedPixels, !overflow, all <= workingBytes else {
      throw .tooLarge(stored)
    }
  }

  /// Refuses a picture one of whose sides is too long: from here on bytes of rows can be counted without overflowing.
  func checkSides(_ stored: PixelSize) throws(DecodeStop) {
    guard max(stored.width, stored.height) <= side else { throw .tooLarge(stored) }
  }
}
