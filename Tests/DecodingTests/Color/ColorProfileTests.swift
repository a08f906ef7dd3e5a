import Fixtures
import Pixels
import Testing

@testable import Decoding

@Suite struct ColorProfileTests {
  private static func source(_ bytes: [UInt8]) -> ColorSource {
    bytes.withUnsafeBytes { ColorSource(profile: $0) }
  }

  @Test func `Profiles with equal bytes are equal`() throws {
    let (one, other) = (try TestProfiles.displayP3(), try TestProfiles.grey(exponent: 2.2))
    #expect(Self.source(one) == Self.source(one))
    #expect(Self.source(one) != Self.source(other))
    #expect(Self.source(one).hashValue == Self.source(one).hashValue)
  }

  @Test(arguments: [0, ColorProfile.mostBytes, ColorProfile.mostBytes + 1, 40 << 20])
  func `An overlong profile counts as sRGB and is not copied`(count: Int) {
    let isKept = count > 0 && count <= ColorProfile.mostBytes
    #expect((Self.source([UInt8](repeating: 7, count: count)) == .sRGB) == !isKept)
  }

  @Test func `Concurrent requests for a profile all get the same result`() async throws {
    let source = Self.source(try TestProfiles.displayP3())
    let picture = PixelBuffer(size: PixelSize(width: 1, height: 1), bytes: [200, 100, 50, 255])
    let colors = ColorManager()
    let expected = colors.sRGB(picture, from: source)
    #expect(expected != picture)
    await withTaskGroup(of: PixelBuffer.self) { group in
      let fresh = ColorManager()
      for _ in 0..<8 { group.addTask { fresh.sRGB(picture, from: source) } }
      for await result in group { #expect(result == expected) }
    }
  }
}
