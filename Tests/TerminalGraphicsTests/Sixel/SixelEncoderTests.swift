import Fixtures
import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@Suite struct SixelEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)

  /// What a terminal would show.
  private func decoded(_ encoded: EncodedPicture) throws -> SixelImage {
    let strip = try #require(encoded.strips.first)
    #expect(encoded.strips.count == 1)
    return try #require(SixelImage(payload: Array(strip.bytes.dropFirst(2).dropLast(2))))
  }

  /// The mean difference of a channel.
  private func error(of image: SixelImage, against picture: PixelBuffer) throws -> Double {
    var sum = 0
    for y in 0..<image.height {
      for x in 0..<image.width {
        let seen = try #require(image.color(x: x, y: y))
        let meant = picture[x, y]
        sum += abs(Int(seen.red) - Int(meant.red)) + abs(Int(seen.green) - Int(meant.green))
        sum += abs(Int(seen.blue) - Int(meant.blue))
      }
    }
    return Double(sum) / Double(image.width * image.height * 3)
  }

  @Test(arguments: [(256, 3.0), (16, 12.0)])
  func `The picture comes back from a decoder nearly as it was`(registers: Int, bound: Double) throws {
    let picture = TestPicture.make(width: 96, height: 60)
    let image = try decoded(SixelEncoder(cell: Self.cell, registers: registers).encode(picture))
    #expect((image.width, image.height) == (96, 60))
    #expect(try error(of: image, against: picture) < bound)
  }

  @Test func `Many colours come close too`() throws {
    var picture = PixelBuffer(size: PixelSize(width: 64, height: 60), filledWith: .black)
    for y in 0..<60 {
      for x in 0..<64 { picture[x, y] = Color(red: UInt8(x * 4), green: UInt8(y * 4), blue: UInt8(x + y)) }
    }
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(picture))
    #expect(try error(of: image, against: picture) < 6)
  }

  @Test(arguments: [2, 16, 64, 256, 1024])
  func `No more registers are used than there are`(registers: Int) throws {
    let picture = TestPicture.make(width: 96, height: 60)
    let encoded = SixelEncoder(cell: Self.cell, registers: registers).encode(picture)
    #expect(Set(try decoded(encoded).registers).count <= registers)
    let text = String(decoding: try #require(encoded.strips.first).bytes, as: UTF8.self)
    for definition in text.matches(of: /#(\d+);2;/) {
      #expect(try #require(Int(definition.1)) < min(registers, 256))
    }
  }

  @Test(arguments: [1, 5, 6, 7, 11, 12, 35, 60, 65])
  func `No row is lost and none is added, whatever the height`(height: Int) throws {
    let picture = TestPicture.make(width: 33, height: height)
    let encoded = SixelEncoder(cell: Self.cell).encode(picture)
    let image = try decoded(encoded)
    #expect((image.width, image.height) == (33, height))
    #expect(image.registers.indices.allSatisfy { image.isSet(x: $0 % 33, y: $0 / 33) })
    #expect(try error(of: image, against: picture) < 3)
    #expect(encoded.size.rows == (height + 19) / 20)
  }

  @Test(arguments: [Color.black, .white, Color(red: 13, green: 200, blue: 77)])
  func `One colour stays that colour`(color: Color) throws {
    let picture = PixelBuffer(size: PixelSize(width: 20, height: 12), filledWith: color)
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(picture))
    // A component has 101 steps.
    #expect(try error(of: image, against: picture) <= 1.5)
  }

  @Test func `The sequence leaves other pixels alone and does not scroll`() throws {
    let encoded = SixelEncoder(cell: Self.cell).encode(TestPicture.make(width: 30, height: 36))
    let text = String(decoding: try #require(encoded.strips.first).bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}P0;1;0q\"1;1;30;36"))
    #expect(text.hasSuffix("\u{1B}\\"))
    #expect(!text.hasSuffix("-\u{1B}\\"))
  }

  @Test(arguments: [
    (40, 60, CellSize(columns: 4, rows: 3), CellSize(columns: 4, rows: 3)),
    (41, 60, CellSize(columns: 5, rows: 3), CellSize(columns: 4, rows: 3)),
    (40, 54, CellSize(columns: 4, rows: 3), CellSize(columns: 4, rows: 2)),
    (5, 6, CellSize(columns: 1, rows: 1), CellSize(columns: 0, rows: 0)),
  ])
  func `It knows which cells it touches and which it covers`(
    width: Int, height: Int, size: CellSize, covered: CellSize
  ) {
    let encoded = SixelEncoder(cell: Self.cell).encode(TestPicture.make(width: width, height: height))
    #expect(encoded.size == size)
    #expect(encoded.covered == covered)
  }

  @Test func `A picture made for its geometry stays in its box`() {
    for rows in 1...12 {
      let encoder = SixelEncoder(cell: Self.cell, largest: PixelSize(width: 100, height: 100))
      let pixels = encoder.geometry.pixels(for: CellSize(columns: 12, rows: rows))
      #expect(pixels.height % 6 == 0)
      #expect(pixels.width <= 100 && pixels.height <= 100)
      #expect(encoder.encode(TestPicture.make(pixels)).size.rows <= rows)
    }
  }
}
