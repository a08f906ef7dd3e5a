/// Bytes in memory behind the reader protocol.
struct MemoryResourceReader: ResourceReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let end = min(bytes.count, offset + buffer.count)
    buffer.copyBytes(from: bytes[offset..<end])
    return end - offset
  }
}
