import AssetLibrary
import SystemPackage
import System

/// The bytes behind a descriptor, which stays its owner's.
struct DescriptorSource {
  let descriptor: Int32

  /// Fills `buffer` with the bytes from `offset`.
  /// - Returns: how many there were; fewer than asked for only at the end.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AssetError) -> Int {
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let n = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if n == 0 { break }
      if n > 0 {
        filled += n
      } else if errno != EINTR {
        throw AssetError("read error", Errno(rawValue: errno).description)
      }
    }
    return filled
  }
}
