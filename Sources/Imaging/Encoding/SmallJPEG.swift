package import CodecProtocol
import Pixels
import Rendering

/// A small JPEG of a picture that a helper made, to be kept in place of the picture.
package enum SmallJPEG {
  /// The longest side, in pixels: enough for the largest tiles of a grid.
  private static let side = 384
  /// libjpeg's scale.
  private static let quality = 82

  /// Bytes of the file; upright, in sRGB.
  ///
  /// Pure; safe from several threads.
  /// - Returns: nil for a picture through which something shows, or when libjpeg refuses.
  package static func bytes(of picture: DecodedPicture) -> [UInt8]? {
    guard picture.isOpaque else { return nil }
    let source = PixelSize(width: picture.width, height: picture.height)
    let small = ReducedPicture(picture.pixels, of: source)
      .shown(at: PixelSize(width: side, height: side), .aspectFit)
    return JPEGEncoder.encode(small, quality: quality)
  }
}
