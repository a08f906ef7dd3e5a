package import CodecProtocol
import Metadata
import System

/// The bytes of an open file that belongs to someone else; read at places, so that its position stays as it was.
package struct DescriptorBytes: ByteSource {
  /// A read that failed.
  package struct Failure: Error {
    /// The errno.
    package var cause: Int32

    /// Words for the user that follow a file's name and a colon.
    package var reason: String { String(cString: strerror(cause)) }
  }

  private let descriptor: Int32
  private let present: PresentRanges?

  /// - Parameter present: what of the file is there; a read of anything else fails. Nil = all of it.
  package init(_ descriptor: Int32, present: PresentRanges? = nil) {
    (self.descriptor, self.present) = (descriptor, present)
  }

  package func available(at offset: Int, count: Int) -> Int {
    present.map { min(count, $0.count(from: offset)) } ?? count
  }

  package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Failure) {
        filled = try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    // What is not there reads as zeros.
    let there = available(at: offset, count: buffer.count)
    guard there > 0 || buffer.isEmpty else { throw Failure(cause: ENODATA) }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<there])
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw Failure(cause: errno)
      }
    }
    return filled
  }
}
