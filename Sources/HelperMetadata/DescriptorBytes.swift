import Metadata

#if canImport(Glibc)
  import Glibc
#endif

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

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
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
