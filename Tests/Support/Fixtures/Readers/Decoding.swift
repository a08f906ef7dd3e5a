package import AssetLibrary
package import Decoding
package import Pixels
package import Rendering

/// Decodes with a new decoder.
package func decode(
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
  package static var small: Self {
    var budget = Self()
    budget.storedPixels = 1 << 20
    budget.workingBytes = 1 << 24
    return budget
  }
}
