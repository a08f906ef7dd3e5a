import CJPEGEncoder
package import CodecProtocol
public import Pixels
import Rendering
import System

/// Encodes pictures as JPEG with libjpeg-turbo: 4:2:0, baseline unless told otherwise.
public enum JPEGEncoder {
  /// How much coarser than brightness colours are stored.
  package enum Subsampling: CaseIterable, Sendable {
    /// Not at all: 4:4:4.
    case none
    /// Half as many across: 4:2:2.
    case half
    /// Half as many across and down: 4:2:0.
    case quarter
  }

  /// The bytes at the beginning of a JPEG that was encoded without EXIF: its mark, and a JFIF segment.
  package static let headLength = 20

  /// A JPEG file with a picture in it.
  ///
  /// Pure; safe from several threads.
  /// - Parameters:
  ///   - picture: upright, in sRGB.
  ///   - quality: 1...100, libjpeg's scale.
  /// - Returns: nil when libjpeg refuses (an empty picture, no memory).
  public static func file(of picture: PixelBuffer, quality: Int = 90) -> [UInt8]? {
    encode(picture, quality: quality)
  }

  /// Bytes of a JPEG file.
  /// - Parameters:
  ///   - quality: 1...100, libjpeg's scale.
  ///   - app1: the payload of an APP1 segment (EXIF), at most 65,533 bytes.
  /// - Returns: nil when libjpeg refuses (an empty picture, no memory).
  package static func encode(
    _ picture: PixelBuffer, quality: Int = 90, subsampling: Subsampling = .quarter,
    isProgressive: Bool = false, app1: [UInt8] = []
  ) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let isEncoded = picture.withUnsafeBytes { pixels in
      cjpeg_encode(
        pixels.bindMemory(to: UInt8.self).baseAddress, UInt32(picture.width), UInt32(picture.height),
        Int32(quality), subsampling == .none ? 1 : 2, subsampling == .quarter ? 2 : 1, isProgressive, app1,
        app1.count, &bytes, &count)
    }
    guard isEncoded, let bytes else { return nil }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

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
