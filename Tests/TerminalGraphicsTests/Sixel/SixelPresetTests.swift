import Fixtures
import Foundation
import Pixels
import TerminalGraphics
import TestTerminal
import Testing

@Suite struct SixelPresetTests {
  private static let cell = PixelSize(width: 10, height: 20)

  /// Waves of different lengths with a little noise, always the same.
  private static func waves(width: Int, height: Int) -> PixelBuffer {
    var bytes: [UInt8] = []
    var noise: UInt32 = 1
    for y in 0..<height {
      for x in 0..<width {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let grain = Double(noise >> 28) / 4 - 2
        for (a, b) in [(37.0, 29.0), (53, 41), (23, 61)] {
          bytes.append(UInt8(127.5 + 55 * (sin(Double(x) / a) + cos(Double(y) / b)) + grain))
        }
        bytes.append(255)
      }
    }
    return PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
  }

  private func sequence(
    _ picture: PixelBuffer, registers: Int = 256, preset: SixelPreset
  ) throws -> [UInt8] {
    let encoder = SixelEncoder(cell: Self.cell, registers: registers, preset: preset)
    return try #require(encoder.encode(picture).strips.first).bytes
  }

  private func decoded(_ sequence: [UInt8]) throws -> SixelImage {
    try #require(SixelImage(payload: Array(sequence.dropFirst(2).dropLast(2))))
  }

  /// The peak signal-to-noise ratio in dB.
  private func signalToNoise(_ image: SixelImage, _ picture: PixelBuffer) throws -> Double {
    var sum = 0
    for y in 0..<image.height {
      for x in 0..<image.width {
        let seen = try #require(image.color(x: x, y: y))
        let color = Color(red: seen.red, green: seen.green, blue: seen.blue)
        sum += color.squaredDistance(to: picture[x, y])
      }
    }
    return 10 * log10(255 * 255 * 3 * Double(image.width * image.height) / Double(sum))
  }

  @Test(arguments: [
    (SixelPreset.quality, 256, 33.5), (.quality, 64, 28.2), (.quality, 16, 22.8), (.quality, 2, 13),
    (.speed, 256, 27.8), (.speed, 16, 22.8),
  ])
  func `A picture with many colors has the promised quality`(
    preset: SixelPreset, registers: Int, floor: Double
  ) throws {
    let picture = Self.waves(width: 160, height: 120)
    let image = try decoded(sequence(picture, registers: registers, preset: preset))
    let ratio = try signalToNoise(image, picture)
    #expect(ratio >= floor)
    #expect(Set(image.registers).count <= registers)
  }

  @Test(arguments: [(SixelPreset.quality, 256), (.speed, 64), (.draft, 24)])
  func `A preset limits the colors, however many registers the terminal has`(
    preset: SixelPreset, colors: Int
  ) throws {
    let image = try decoded(sequence(Self.waves(width: 160, height: 120), preset: preset))
    let count = Set(image.registers).count
    #expect(count <= colors && count > colors / 2)
  }

  @Test func `The speed preset takes less than two thirds of the bytes`() throws {
    let picture = Self.waves(width: 160, height: 120)
    let quality = try sequence(picture, preset: .quality).count
    let speed = try sequence(picture, preset: .speed).count
    #expect(speed * 3 < quality * 2)
  }

  @Test(arguments: SixelPreset.allCases)
  func `The default preset is quality, and the result is deterministic`(preset: SixelPreset) throws {
    let picture = Self.waves(width: 66, height: 36)
    #expect(try sequence(picture, preset: preset) == sequence(picture, preset: preset))
    #expect(
      SixelEncoder(cell: Self.cell).encode(picture)
        == SixelEncoder(cell: Self.cell, preset: .quality).encode(picture))
  }

  @Test(arguments: SixelPreset.allCases, [1, 2, 3, 4, 5, 6, 7, 8, 9, 101, 1001])
  func `Every pixel is set exactly once, at any width`(preset: SixelPreset, width: Int) throws {
    for height in [1, 6, 16, 17, 18] {
      let bytes = try sequence(Self.waves(width: width, height: height), preset: preset)
      let painted = try #require(SixelCanvas(bytes))
      #expect(painted.width == width)
      #expect(painted.height == height)
      #expect(painted.times.allSatisfy { $0 == 1 })
      #expect(painted.isTidy)
    }
  }

  @Test(arguments: SixelPreset.allCases, [2, 3, 256])
  func `Colors on the sixel scale are exact`(preset: SixelPreset, registers: Int) throws {
    let colors = [Color(red: 51, green: 102, blue: 204), Color(red: 255, green: 153, blue: 0)]
    var picture = PixelBuffer(size: PixelSize(width: 31, height: 12), filledWith: colors[0])
    for y in 0..<12 {
      for x in 0..<31 where (x / 4 + y / 3) % 2 == 0 { picture[x, y] = colors[1] }
    }
    let image = try decoded(sequence(picture, registers: registers, preset: preset))
    for y in 0..<12 {
      for x in 0..<31 {
        let seen = try #require(image.color(x: x, y: y))
        #expect(Color(red: seen.red, green: seen.green, blue: seen.blue) == picture[x, y])
      }
    }
  }

  @Test func `A plain picture is one run per band and one color`() throws {
    let picture = PixelBuffer(size: PixelSize(width: 40, height: 12), filledWith: .white)
    let text = String(decoding: try sequence(picture, preset: .quality), as: UTF8.self)
    #expect(text == "\u{1B}P0;1;0q\"1;1;40;12#0;2;100;100;100#0!40~-#0!40~\u{1B}\\")
  }

  @Test(arguments: SixelPreset.allCases)
  func `Alpha has no effect`(preset: SixelPreset) throws {
    let picture = Self.waves(width: 20, height: 12)
    var bytes = picture.bytes
    for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = UInt8(index % 251) }
    let transparent = PixelBuffer(size: picture.size, bytes: bytes)
    #expect(try sequence(picture, preset: preset) == sequence(transparent, preset: preset))
  }

  @Test(arguments: [(0, 0), (0, 6), (7, 0)])
  func `A picture without pixels yields nothing`(width: Int, height: Int) {
    let picture = PixelBuffer(size: PixelSize(width: width, height: height), bytes: [])
    #expect(SixelEncoder(cell: Self.cell).encode(picture).strips.isEmpty)
  }
}
