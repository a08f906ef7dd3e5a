import AssetLibrary
import CPlatform
import CodecProtocol
import System

/// An unnamed in-memory file for a helper that reads only open files; closed with its owner.
struct MemoryFile: ~Copyable {
  let descriptor: Int32

  private static let chunkSize = 1 << 20

  /// Copies a part of a resource that is not a file of its own; nil if it was cancelled.
  init?(
    copying range: Range<Int>, of resource: any ResourceReader, _ cancellation: Cancellation
  ) throws(CodecError) {
    descriptor = memory_file_create()
    guard descriptor >= 0 else { throw .noDescriptors }
    var offset = range.lowerBound
    while offset < range.upperBound {
      if cancellation.isCancelled { return nil }
      let bytes: [UInt8]
      do throws(AssetError) {
        bytes = try resource.bytes(in: offset..<min(range.upperBound, offset + Self.chunkSize))
      } catch {
        throw .readError(error.reason)
      }
      if bytes.isEmpty { break }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .noMemory }
        written += count
      }
      offset += bytes.count
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
