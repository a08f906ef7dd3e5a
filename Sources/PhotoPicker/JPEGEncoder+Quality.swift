package import Imaging
package import Pixels
package import TerminalGraphics

extension JPEGEncoder {
  /// Encodes a JPEG file for a terminal that accepts files; nil on failure.
  package static func encode(_ picture: PixelBuffer, _ quality: PictureQuality) -> [UInt8]? {
    let number =
      switch quality {
      case .full: 90
      case .speed: 75
      case .small, .blocks: 65
      }
    return encode(picture, quality: number)
  }
}
