package import Pixels
import System

/// Pixels that the helper decoded, in memory that only the helper has written and that no longer changes.
///
/// Rows of RGBA pixels from the top, 8 bits per channel, sRGB, straight alpha, upright, without padding. Colors of
/// fully transparent pixels are undefined. Unmapped with the last reference.
package final class DecodedPicture: PixelMemory {
  package let facts: PictureFacts
  package let byteCount: Int
  /// Start of the mapping as an integer: pointers are not Sendable, and this memory is never written.
  private let address: UInt

  package var width: Int { facts.width }
  package var height: Int { facts.height }
  package var isOpaque: Bool { facts.isOpaque }
  package var sourceWidth: Int { facts.sourceWidth }
  package var sourceHeight: Int { facts.sourceHeight }
  package var note: String? { facts.note }
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The pixels, without a copy.
  package var pixels: PixelBuffer { PixelBuffer(size: size, in: self) }

  /// Maps pixels that a helper has written.
  /// - Parameters:
  ///   - memory: sealed against writing.
  ///   - offset: of the pixels in the memory, in bytes; a multiple of the page size.
  /// - Returns: nil if the memory cannot be mapped.
  init?(_ facts: PictureFacts, in memory: borrowing SharedMemory, at offset: Int = 0) {
    guard let byteCount = facts.byteCount, let mapped = memory.map(byteCount, at: offset) else { return nil }
    self.facts = facts
    self.byteCount = byteCount
    address = UInt(bitPattern: mapped)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
  }

  /// Calls `body` with the pixels; the pointer must not escape the closure.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: byteCount))
  }
}
