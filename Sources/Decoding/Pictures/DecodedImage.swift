package import Pixels
package import Rendering

/// A decoded picture as its file stores it: not turned upright yet, in the colours of its profile.
package struct DecodedImage: Sendable {
  /// The pixels, and what of the stored picture they are.
  package var picture: ReducedPicture
  /// What the numbers mean.
  package var colors: ColorSource
  /// The rows from the top that show something of the picture.
  package var visibleRows: Int
  /// What the library had to say about damage; empty for a whole picture.
  package var complaint: String

  package var pixels: PixelBuffer { picture.pixels }
  /// The size that is stored in the file.
  package var sourceSize: PixelSize { picture.sourceSize }
  package var region: PixelRegion { picture.region }

  /// A picture that is reduced to `pixels`.
  /// - Parameters:
  ///   - reduction: how many stored pixels make up one, nil where the size was met exactly.
  ///   - window: what of the reduced picture `pixels` is; nil = all of it.
  init(
    _ pixels: PixelBuffer, of sourceSize: PixelSize, reduction: Double? = nil, window: DecodeWindow? = nil,
    colors: ColorSource = .sRGB, visibleRows: Int? = nil, complaint: String = ""
  ) {
    picture = ReducedPicture(pixels, of: sourceSize, reduction: reduction, window: window)
    self.colors = colors
    self.visibleRows = visibleRows ?? pixels.height
    self.complaint = complaint
  }
}
