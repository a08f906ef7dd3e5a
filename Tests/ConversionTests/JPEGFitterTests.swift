import Pixels
import Testing

@testable import Conversion

/// The search for a picture within a byte limit, with an encoder that only counts.
@Suite struct JPEGFitterTests {
  private static let size = PixelSize(width: 4000, height: 3000)

  /// Bytes grow with pixels and quality.
  private func bytes(_ size: PixelSize, _ quality: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: size.area * quality / 400)
  }

  @Test(arguments: [3_000_000, 2_600_000, 2_000_000, 500_000, 20_000, 100])
  func `The largest picture within the limit is found, and is close to it`(limit: Int) throws {
    var encodings = 0
    let fit = try #require(
      JPEGFitter(byteCount: limit, quality: 85).fit(Self.size) { size, quality in
        encodings += 1
        return bytes(size, quality)
      })
    #expect(fit.bytes.count <= limit)
    #expect(encodings <= 10)
    let most = bytes(Self.size, 85).count
    if limit < most, limit > 1000 { #expect(Double(fit.bytes.count) > 0.8 * Double(limit)) }
    if limit >= bytes(Self.size, JPEGFitter.leastQuality).count { #expect(fit.size == Self.size) }
    #expect((JPEGFitter.leastQuality...85).contains(fit.quality))
  }

  @Test func `If no size fits no picture is made`() {
    let fitter = JPEGFitter(byteCount: 100, quality: 85)
    #expect(fitter.fit(Self.size) { _, _ in [UInt8](repeating: 0, count: 101) }?.bytes == nil)
    #expect(fitter.fit(Self.size) { _, _ in nil }?.bytes == nil)
  }

  @Test func `A requested low quality is not raised`() throws {
    let fit = try #require(JPEGFitter(byteCount: 400_000, quality: 30).fit(Self.size, encode: bytes))
    #expect(fit.quality == 30)
  }
}
