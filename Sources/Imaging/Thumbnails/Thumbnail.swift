package import Pixels

/// A picture out of the user's thumbnails.
package struct Thumbnail: Sendable {
  /// Upright, in sRGB.
  package var picture: PixelBuffer
  package var size: ThumbnailSize
  /// The upright size of the original in pixels, where the thumbnail tells it.
  package var sourceSize: PixelSize?
}
