package import Pixels

/// A picture as it was asked for and, where something is missing from it, what.
package struct Rendering: Sendable {
  /// Upright, in sRGB.
  package var pixels: PixelBuffer
  /// The whole picture in the size that is to be kept.
  package var thumbnail: PixelBuffer?
  /// How many pixels the decoder gave.
  package var decodedPixels: Int
  /// What is missing, in words; nil where nothing is.
  package var note: String?

  package init(pixels: PixelBuffer, thumbnail: PixelBuffer? = nil, decodedPixels: Int, note: String? = nil) {
    self.pixels = pixels
    self.thumbnail = thumbnail
    self.decodedPixels = decodedPixels
    self.note = note
  }
}
