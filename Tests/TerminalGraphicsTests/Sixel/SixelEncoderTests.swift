import Fixtures
import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@Suite struct SixelEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)

  /// What a terminal would display.
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
  func `A decoded picture is nearly unchanged`(registers: Int, bound: Double) throws {
    let picture = TestPicture.make(width: 96, height: 60)
    let image = try decoded(SixelEncoder(cell: Self.cell, registers: registers).encode(picture))
    #expect((image.width, image.height) == (96, 60))
    #expect(try error(of: image, against: picture) < bound)
  }

  @Test func `Pictures with many colors come close too`() throws {
    var picture = PixelBuffer(size: PixelSize(width: 64, height: 60), filledWith: .black)
    for y in 0..<60 {
      for x in 0..<64 { picture[x, y] = Color(red: UInt8(x * 4), green: UInt8(y * 4), blue: UInt8(x + y)) }
    }
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(picture))
    #expect(try error(of: image, against: picture) < 6)
  }

  @Test(arguments: [2, 16, 64, 256, 1024])
  func `No more registers are used than exist`(registers: Int) throws {
    let picture = TestPicture.make(width: 96, height: 60)
    let encoded = SixelEncoder(cell: Self.cell, registers: registers).encode(picture)
    #expect(Set(try decoded(encoded).registers).count <= registers)
    let text = String(decoding: try #require(encoded.strips.first).bytes, as: UTF8.self)
    for definition in text.matches(of: /#(\d+);2;/) {
      #expect(try #require(Int(definition.1)) < min(registers, 256))
    }
  }

  @Test(arguments: [2, 16, 256])
  func `A register for the rest of the cells leaves one color less, and is not used`(registers: Int) throws {
    let picture = TestPicture.make(width: 96, height: 60)
    let encoder = SixelEncoder(cell: Self.cell, registers: registers, ground: .white)
    let bytes = try #require(encoder.encode(picture).strips.first).bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let defined = text.matches(of: /#(\d+);2;/).compactMap { Int($0.1) }
    #expect(defined.count <= registers && defined.allSatisfy { $0 < registers } && defined.contains(0))
    #expect(text.matches(of: /#0(?![0-9;])/).isEmpty)
  }

  @Test(arguments: [1, 5, 6, 7, 11, 12, 35, 60, 65])
  func `No row is lost and none is added, at any height`(height: Int) throws {
    let picture = TestPicture.make(width: 33, height: height)
    let encoded = SixelEncoder(cell: Self.cell).encode(picture)
    let image = try decoded(encoded)
    #expect((image.width, image.height) == (33, height))
    #expect(image.registers.indices.allSatisfy { image.isSet(x: $0 % 33, y: $0 / 33) })
    #expect(try error(of: image, against: picture) < 3)
    #expect(encoded.size.rows == (height + 19) / 20)
  }

  @Test(arguments: [Color.black, .white, Color(red: 13, green: 200, blue: 77)])
  func `A single color is reproduced`(color: Color) throws {
    let picture = PixelBuffer(size: PixelSize(width: 20, height: 12), filledWith: color)
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(picture))
    // A component has 101 steps.
    #expect(try error(of: image, against: picture) <= 1.5)
  }

  @Test func `The sequence leaves other pixels unchanged and does not scroll`() throws {
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
  func `It knows which cells it touches and which it covers completely`(
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

  /// Smooth gradients as in skies, walls and shadows: between two colors, along a curve.
  private static let gradients: [(from: SIMD3<Double>, to: SIMD3<Double>, shape: Shape)] = [
    ([90, 150, 220], [200, 220, 240], .down), ([20, 20, 60], [240, 150, 90], .down),
    ([0, 0, 0], [255, 255, 255], .right), ([10, 10, 12], [60, 60, 70], .diagonal),
    ([250, 240, 230], [180, 190, 220], .diagonal), ([255, 250, 220], [60, 120, 210], .around),
    ([225, 222, 215], [170, 165, 160], .around), ([128, 140, 128], [40, 50, 60], .vignette),
    ([60, 100, 160], [180, 180, 220], .bothWays), ([200, 60, 60], [120, 30, 90], .down),
  ]

  enum Shape {
    case down, right, diagonal, around, vignette, bothWays

    /// The position of each channel along the gradient, from 0 to 1.
    func way(_ x: Double, _ y: Double) -> SIMD3<Double> {
      func all(_ value: Double) -> SIMD3<Double> { SIMD3(repeating: min(1, value)) }
      switch self {
      case .down: return all(y)
      case .right: return all(x)
      case .diagonal: return all((x + y) / 2)
      case .around: return all(((x - 0.5) * (x - 0.5) + (y - 0.3) * (y - 0.3)).squareRoot())
      case .vignette: return all(2 * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)))
      case .bothWays: return SIMD3(x, y, (x + y) / 2)
      }
    }
  }

  private static func gradient(_ from: SIMD3<Double>, _ to: SIMD3<Double>, _ shape: Shape) -> PixelBuffer {
    let size = PixelSize(width: 320, height: 240)
    var picture = PixelBuffer(size: size, filledWith: .black)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let way = shape.way(Double(x) / Double(size.width), Double(y) / Double(size.height))
        let value = (from + (to - from) * way).rounded(.toNearestOrEven)
        picture[x, y] = Color(red: UInt8(value.x), green: UInt8(value.y), blue: UInt8(value.z))
      }
    }
    return picture
  }

  @Test(arguments: 0..<10) func `A smooth picture has no bands`(number: Int) throws {
    let (from, to, shape) = Self.gradients[number]
    let picture = Self.gradient(from, to, shape)
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(picture))
    // At viewing distance single pixels can't be distinguished: both pictures are blurred by 1 2 1 in both directions,
    // twice.
    var difference = (0..<picture.size.area).map { place -> SIMD3<Double> in
      let (x, y) = (place % picture.width, place / picture.width)
      guard let seen = image.color(x: x, y: y) else { return [255, 255, 255] }
      let meant = picture[x, y]
      return [
        Double(seen.red) - Double(meant.red), Double(seen.green) - Double(meant.green),
        Double(seen.blue) - Double(meant.blue),
      ]
    }
    for _ in 0..<2 { difference = Self.blurred(difference, width: picture.width) }
    let sum = difference.reduce(0) { $0 + ($1 * $1).sum() }
    // 50 dB.
    #expect(sum / Double(picture.size.area * 3) <= 255 * 255 / 100_000)
  }

  private static func blurred(_ values: [SIMD3<Double>], width: Int) -> [SIMD3<Double>] {
    func pass(_ values: [SIMD3<Double>], _ step: Int, _ place: (Int) -> Int, _ count: Int) -> [SIMD3<Double>]
    {
      values.indices.map { index in
        let before = values[place(index) == 0 ? index : index - step]
        let after = values[place(index) == count - 1 ? index : index + step]
        return (before + 2 * values[index] + after) / 4
      }
    }
    let across = pass(values, 1, { $0 % width }, width)
    return pass(across, width, { $0 / width }, values.count / width)
  }

  @Test func `A gradient uses the available registers`() throws {
    let (from, to, shape) = Self.gradients[8]
    let image = try decoded(SixelEncoder(cell: Self.cell).encode(Self.gradient(from, to, shape)))
    #expect(Set(image.registers).count > 240)
  }

  @Test(arguments: SixelPreset.allCases)
  func `Objects beside another color keep their own color`(preset: SixelPreset) throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      func color() -> Color {
        func channel() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
        return Color(red: channel(), green: channel(), blue: channel())
      }
      // A background with a bar, a disc and intermediate colors, as in a film.
      let (ground, bar) = (color(), color())
      var picture = PixelBuffer(size: PixelSize(width: 160, height: 60), filledWith: ground)
      for y in 0..<60 {
        for x in 20..<32 { picture[x, y] = bar }
        for x in 32..<36 {
          func mean(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Int(a) * (36 - x) + Int(b) * (x - 32)) / 4) }
          picture[x, y] = Color(
            red: mean(bar.red, ground.red), green: mean(bar.green, ground.green),
            blue: mean(bar.blue, ground.blue))
        }
      }
      let image = try decoded(SixelEncoder(cell: Self.cell, preset: preset).encode(picture))
      var largest = 0
      for x in 60..<160 {
        for y in 0..<60 {
          let seen = try #require(image.color(x: x, y: y))
          largest = max(
            largest, abs(Int(seen.red) - Int(ground.red)), abs(Int(seen.green) - Int(ground.green)),
            abs(Int(seen.blue) - Int(ground.blue)))
        }
      }
      // Half a step of the sixel scale.
      #expect(largest <= 2)
    }
  }
}
