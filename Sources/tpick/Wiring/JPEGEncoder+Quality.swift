import Imaging
import Pixels
import TerminalGraphics

extension JPEGEncoder {
  /// Makes a file for a terminal that reads files; nil when it can't.
  static func encode(_ picture: PixelBuffer, _ quality: PictureQuality) -> [UInt8]? {
    let number =
      switch quality {
      case .full: 90
      case .speed: 75
      case .small, .blocks: 65
      }
    return encode(picture, quality: number)
  }
}
