package import AssetLibrary

/// Bytes in memory, readable as a file.
package struct MemoryReader: ResourceReader {
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  package var count: Int { bytes.count }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let found = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: found)
    return found.count
  }
}
