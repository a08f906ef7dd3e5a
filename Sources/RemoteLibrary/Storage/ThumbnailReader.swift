import AssetLibrary

/// The embedded thumbnail of a file that is not here, at its place in the file; all else of it reads as nothing.
struct ThumbnailReader: ResourceReader {
  private let bytes: [UInt8]
  private let place: Int
  let count: Int

  /// - Parameters:
  ///   - place: where in the file the thumbnail lies.
  ///   - count: the length of the whole file.
  init(_ bytes: [UInt8], at place: Int, of count: Int) {
    // Where the length of the file is not known, it goes at least as far as its thumbnail.
    (self.bytes, self.place, self.count) = (bytes, place, max(count, place + bytes.count))
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    let wanted = (offset..<offset + buffer.count).clamped(to: 0..<count)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    let there = wanted.clamped(to: place..<place + bytes.count)
    guard !there.isEmpty else { return wanted.count }
    let target = UnsafeMutableRawBufferPointer(
      rebasing: buffer[(there.lowerBound - offset)..<(there.upperBound - offset)])
    target.copyBytes(from: bytes[(there.lowerBound - place)..<(there.upperBound - place)])
    return wanted.count
  }
}
