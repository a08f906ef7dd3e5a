import Fixtures
import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@Suite struct LibsixelEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)

  /// From dark to light and from red to blue, with more shades than any palette has.
  private static func slope(width: Int, height: Int) -> PixelBuffer {
    var picture = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .black)
    for y in 0..<height {
      for x in 0..<width {
        let light = UInt8(255 * x / max(1, width - 1))
        picture[x, y] = Color(red: light, green: light / 2, blue: UInt8(255 * y / max(1, height - 1)))
      }
    }
    return picture
  }

  private func sequence(of encoded: EncodedPicture) throws -> [UInt8] {
    try #require(encoded.strips.first).bytes
  }

  private func decoded(_ sequence: [UInt8]) throws -> SixelImage {
    try #require(SixelImage(payload: Array(sequence.dropFirst(2).dropLast(2))))
  }

  /// The mean difference of a channel between the means of squares of 8 pixels: the visible difference when single
  /// pixels blur.
  private func coarseError(of image: SixelImage, against picture: PixelBuffer) throws -> Double {
    var (sum, count) = (0, 0)
    for top in stride(from: 0, to: image.height - 7, by: 8) {
      for left in stride(from: 0, to: image.width - 7, by: 8) {
        var difference = SIMD4<Int>.zero
        for y in top..<top + 8 {
          for x in left..<left + 8 {
            let (seen, meant) = (try #require(image.color(x: x, y: y)), picture[x, y])
            difference &+= SIMD4(
              Int(seen.red) - Int(meant.red), Int(seen.green) - Int(meant.green),
              Int(seen.blue) - Int(meant.blue), 0)
          }
        }
        sum += (0..<3).reduce(0) { $0 + abs(difference[$1]) / 64 }
        count += 3
      }
    }
    return Double(sum) / Double(count)
  }

  @Test(arguments: [4, 8, 16])
  func `With few colors it is closer to the picture than the built-in encoder`(registers: Int) throws {
    let picture = Self.slope(width: 160, height: 96)
    let diffused = LibsixelEncoder(cell: Self.cell, registers: registers).encode(picture)
    let nearest = SixelEncoder(cell: Self.cell, registers: registers).encode(picture)
    let error = try coarseError(of: decoded(sequence(of: diffused)), against: picture)
    #expect(try error < 0.7 * coarseError(of: decoded(sequence(of: nearest)), against: picture))
  }

  @Test(arguments: [2, 16, 64, 256, 1024])
  func `No more registers are used than exist`(registers: Int) throws {
    let encoded = LibsixelEncoder(cell: Self.cell, registers: registers)
      .encode(Self.slope(width: 160, height: 96))
    #expect(Set(try decoded(sequence(of: encoded)).registers).count <= registers)
    let text = String(decoding: try sequence(of: encoded), as: UTF8.self)
    for definition in text.matches(of: /#(\d+);2;/) {
      #expect(try #require(Int(definition.1)) < min(registers, 256))
    }
  }

  @Test(arguments: [1, 5, 6, 7, 11, 12, 35, 60, 65], SixelPreset.allCases)
  func `No row is lost and none is added, at any height`(height: Int, preset: SixelPreset) throws {
    for width in [1, 2, 33] {
      let picture = Self.slope(width: width, height: height)
      let encoded = LibsixelEncoder(cell: Self.cell, registers: 16, preset: preset).encode(picture)
      let image = try decoded(sequence(of: encoded))
      #expect((image.width, image.height) == (width, height))
      #expect(image.registers.indices.allSatisfy { image.isSet(x: $0 % width, y: $0 / width) })
      #expect(encoded.size == SixelEncoder(cell: Self.cell).encode(picture).size)
      #expect(encoded.covered == SixelEncoder(cell: Self.cell).encode(picture).covered)
    }
  }

  @Test func `The sequence leaves other pixels unchanged and does not scroll`() throws {
    let encoded = LibsixelEncoder(cell: Self.cell).encode(TestPicture.make(width: 30, height: 36))
    let text = String(decoding: try sequence(of: encoded), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}P0;1;0q\"1;1;30;36"))
    #expect(text.hasSuffix("\u{1B}\\"))
    #expect(!text.hasSuffix("-\u{1B}\\"))
  }

  @Test(arguments: [2, 3, 256])
  func `Colors on the sixel scale are exact`(registers: Int) throws {
    let colors = [Color(red: 51, green: 102, blue: 204), Color(red: 255, green: 153, blue: 0)]
    var picture = PixelBuffer(size: PixelSize(width: 31, height: 12), filledWith: colors[0])
    for y in 0..<12 {
      for x in 0..<31 where (x / 4 + y / 3) % 2 == 0 { picture[x, y] = colors[1] }
    }
    let image = try decoded(
      sequence(of: LibsixelEncoder(cell: Self.cell, registers: registers).encode(picture)))
    for y in 0..<12 {
      for x in 0..<31 {
        let seen = try #require(image.color(x: x, y: y))
        #expect(Color(red: seen.red, green: seen.green, blue: seen.blue) == picture[x, y])
      }
    }
  }

  @Test func `The speed preset takes fewer bytes`() throws {
    let picture = Self.slope(width: 160, height: 96)
    let quality = LibsixelEncoder(cell: Self.cell, registers: 16).encode(picture)
    let speed = LibsixelEncoder(cell: Self.cell, registers: 16, preset: .speed).encode(picture)
    #expect(try sequence(of: speed).count < sequence(of: quality).count)
  }

  @Test func `The result is deterministic, and the same from several threads at once`() async throws {
    let picture = Self.slope(width: 99, height: 61)
    let encoder = LibsixelEncoder(cell: Self.cell, registers: 16)
    let first = encoder.encode(picture)
    let others = await withTaskGroup(of: EncodedPicture.self) { group in
      for _ in 0..<8 { group.addTask { encoder.encode(picture) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(others == Array(repeating: first, count: 8))
  }

  @Test(arguments: [(0, 0), (0, 6), (7, 0)])
  func `A picture without pixels yields nothing`(width: Int, height: Int) {
    let picture = PixelBuffer(size: PixelSize(width: width, height: height), bytes: [])
    #expect(LibsixelEncoder(cell: Self.cell).encode(picture).strips.isEmpty)
  }
}
