import AssetLibrary
import Fixtures
import Imaging
import Pixels

/// Bytes in memory as a file to read from.
struct MemoryReader: ResourceReader {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let found = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: found)
    return found.count
  }
}

/// Decodes with a decoder that has seen nothing before.
func decode(
  _ bytes: [UInt8], name: String = "IMG_1.JPG", part: NormalizedRect = .whole,
  needed: (PixelSize) -> PixelSize = { $0 }, budget: DecodeBudget = .init(),
  cancellation: Cancellation = Cancellation()
) throws -> DecodedImage? {
  guard var decoder = ImageDecoder(budget: budget) else { throw FixtureError("no decoder") }
  return try decoder.decode(
    MemoryReader(bytes), name: name, part: part, needed: needed, cancellation: cancellation)
}

extension DecodeBudget {
  /// Enough for the pictures of tests, not for what flipped bytes announce.
  static var small: Self {
    var budget = Self()
    budget.storedPixels = 1 << 20
    budget.workingBytes = 1 << 24
    return budget
  }
}
