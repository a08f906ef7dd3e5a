package import Pixels
import System

/// Pixels that the helper decoded, in memory that only it has written and that no longer changes.
///
/// Rows of RGBA pixels from the top, 8 bits a channel, sRGB, straight alpha, upright, without padding. What
/// stands under an alpha of 0 may be anything. Unmapped with the last reference.
package final class DecodedPicture: PixelMemory {
  package let facts: PictureFacts
  package let byteCount: Int
  /// Where the mapping begins; a number, because pointers are not Sendable and this memory is never written.
  private let address: UInt

  package var width: Int { facts.width }
  package var height: Int { facts.height }
  package var isOpaque: Bool { facts.isOpaque }
  package var sourceWidth: Int { facts.sourceWidth }
  package var sourceHeight: Int { facts.sourceHeight }
  package var note: String? { facts.note }
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The pixels where they are.
  package var pixels: PixelBuffer { PixelBuffer(size: size, in: self) }

  /// Maps what a helper has written.
  /// - Parameters:
  ///   - memory: nobody writes it any more.
  ///   - offset: where in it the pixels begin, in bytes: a multiple of a page.
  /// - Returns: nil where there is no room for the mapping.
  init?(_ facts: PictureFacts, in memory: borrowing SharedMemory, at offset: Int = 0) {
    guard let byteCount = facts.byteCount, let mapped = memory.map(byteCount, at: offset) else { return nil }
    self.facts = facts
    self.byteCount = byteCount
    address = UInt(bitPattern: mapped)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
  }

  /// Lends the pixels; the pointer must not leave the closure.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: byteCount))
  }
}
