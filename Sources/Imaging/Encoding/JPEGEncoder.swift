import CJPEGEncoder
package import CodecProtocol
public import Pixels
import Rendering
import System

/// Encodes images as JPEG with libjpeg-turbo: 4:2:0 and baseline by default.
public enum JPEGEncoder {
  /// The chroma subsampling.
  package enum Subsampling: CaseIterable, Sendable {
    /// None: 4:4:4.
    case none
    /// Half horizontally: 4:2:2.
    case half
    /// Half horizontally and vertically: 4:2:0.
    case quarter
  }

  /// The length in bytes of the SOI marker and the JFIF segment at the start of a JPEG that was encoded
  /// without EXIF.
  package static let headLength = 20

  /// Encodes an image as a JPEG file.
  ///
  /// A pure function; safe to call from several threads.
  /// - Parameters:
  ///   - picture: the image, upright and in sRGB.
  ///   - quality: 1...100, libjpeg's scale.
  /// - Returns: nil if libjpeg fails (an empty image, insufficient memory).
  public static func file(of picture: PixelBuffer, quality: Int = 90) -> [UInt8]? {
    encode(picture, quality: quality)
  }

  /// Encodes an image as a JPEG file.
  /// - Parameters:
  ///   - picture: the image.
  ///   - quality: 1...100, libjpeg's scale.
  ///   - subsampling: the chroma subsampling.
  ///   - isProgressive: whether the file is progressive.
  ///   - app1: the payload of an APP1 segment (EXIF), at most 65,533 bytes.
  /// - Returns: nil if libjpeg fails (an empty image, insufficient memory).
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

/// A small JPEG of an image that a helper decoded, to be stored in place of the image.
package enum SmallJPEG {
  /// The length of the longest side in pixels: sufficient for the largest tiles of a grid.
  private static let side = 384
  /// The quality on libjpeg's scale.
  private static let quality = 82

  /// Encodes a reduced copy of the image, upright and in sRGB.
  ///
  /// A pure function; safe to call from several threads.
  /// - Returns: nil for an image with transparency, or if libjpeg fails.
  package static func bytes(of picture: DecodedPicture) -> [UInt8]? {
    guard picture.isOpaque else { return nil }
    let source = PixelSize(width: picture.width, height: picture.height)
    let small = ReducedPicture(picture.pixels, of: source)
      .shown(at: PixelSize(width: side, height: side), .aspectFit)
    return JPEGEncoder.encode(small, quality: quality)
  }
}
