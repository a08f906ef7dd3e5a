package import Pixels

/// What a foreign decoder is asked for.
package struct ForeignRequest: Hashable, Sendable {
  /// What error messages call the file.
  package var name: String
  /// The format by the file's content, as "public.heic".
  package var uniformTypeIdentifier: String
  /// The box that the upright picture is shown in, in pixels; empty for the native size.
  package var targetSize: PixelSize
  package var contentMode: ContentMode
  /// The most pixels that the answer may have, and that a side of the picture may.
  var pixelLimit: Int
  var sideLimit: Int
  /// Whether the sensor's data of a raw file are to be developed, in place of its preview.
  package var develops = false

  package init(
    name: String, uniformTypeIdentifier: String, targetSize: PixelSize, contentMode: ContentMode,
    pixelLimit: Int, sideLimit: Int
  ) {
    self.name = name
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.pixelLimit = pixelLimit
    self.sideLimit = sideLimit
  }
}
