import Fixtures
import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct BoundedEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)
  private static let picture = TestScene.make(PixelSize(width: 400, height: 300))

  @Test func `A picture within the limit is unchanged`() {
    let encoder = SixelEncoder(cell: Self.cell)
    let bounded = encoder.bounded(to: 1 << 20) { SixelEncoder(cell: Self.cell, preset: .speed) }
    #expect(bounded.encode(Self.picture) == encoder.encode(Self.picture))
    #expect(bounded.geometry == encoder.geometry)
  }

  @Test func `Quality is reduced first, then the number of pixels`() {
    let coarse = SixelEncoder(cell: Self.cell, preset: .speed)
    let (full, less) = (SixelEncoder(cell: Self.cell).encode(Self.picture), coarse.encode(Self.picture))
    #expect(less.longestSequence < full.longestSequence)
    for limit in [full.longestSequence, less.longestSequence + 1, 20_000, 2_000] {
      let encoded = SixelEncoder(cell: Self.cell).bounded(to: limit) { coarse }.encode(Self.picture)
      #expect(encoded.longestSequence < limit && encoded.longestSequence > 0)
      if limit > less.longestSequence { #expect(encoded == less) }
      #expect(encoded.size.columns <= full.size.columns && encoded.size.rows <= full.size.rows)
    }
  }

  @Test func `A picture that can't fit is not sent at all`() {
    let files = InlineImageEncoder(cell: Self.cell) { _ in [UInt8](repeating: 1, count: 5000) }
    let encoded = files.bounded(to: 4000) { files }.encode(Self.picture)
    #expect(encoded.strips.isEmpty)
    #expect(encoded.size == CellSize(columns: 40, rows: 15))
  }

  @Test(arguments: ["tmux 3.3a", "tmux 3.4"])
  func `tmux accepts no sequence of a megabyte`(name: String) {
    let quirks = TerminalQuirks(of: TerminalName(name), in: TerminalEnvironment())
    #expect(quirks.longestSequence == 1_048_576)
    let file = [UInt8](repeating: 1, count: 1 << 20)
    let picture = InlineImageEncoder(cell: Self.cell, needsPassthrough: true) { $0.width > 100 ? file : [1] }
    let encoded = picture.bounded(to: quirks.longestSequence) { picture }.encode(Self.picture)
    #expect((1..<1_048_576).contains(encoded.longestSequence))
  }
}
