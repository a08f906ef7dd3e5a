package import Pixels

/// What a foreign decoder answers: a picture that stands upright, in sRGB.
///
/// The orientation that the library knows of the resource is not applied to it again.
package struct ForeignPicture: Sendable {
  /// At least as large as it will be shown, unless the whole picture is smaller.
  package var pixels: PixelBuffer
  /// The upright size of the whole picture, which decides the size it is shown at.
  package var sourceSize: PixelSize
  /// What is missing from it, in words; nil where nothing is.
  package var note: String?

  package init(pixels: PixelBuffer, sourceSize: PixelSize, note: String? = nil) {
    self.pixels = pixels
    self.sourceSize = sourceSize
    self.note = note
  }
}
