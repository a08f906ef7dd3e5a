import AssetLibrary
import Metadata
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The bytes behind a descriptor, as the metadata readers ask for them; the descriptor stays its owner's.
struct DescriptorSource: ByteSource {
  let descriptor: Int32

  func read(at offset: Int, count: Int) throws(AssetError) -> [UInt8] {
    var failure: AssetError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(AssetError) {
        let room = UnsafeMutableRawBufferPointer(buffer)
        filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

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
