import Metadata
import Pixels

/// A painted landscape: sky, sun or moon, ridges, and optionally water.
struct DemoScene: Sendable {
  /// The colors of a time of day.
  struct Light: Sendable {
    var zenith: Color
    var horizon: Color
    var far: Color
    var near: Color
    var orb: Color
    var hasStars = false
  }

  var album: String
  var name: String
  var time: CivilTime
  var light: Light
  var seed: UInt64
  var ridges: Int
  /// How rugged the ridges are: 0 = dunes, 1 = alps.
  var roughness: Double
  var hasWater: Bool
  var isPortrait = false
  /// The denominator of the exposure time.
  var shutter = 250.0

  static let all: [DemoScene] = {
    var scenes: [DemoScene] = []
    let albums: [(String, [(String, Light, Int, Double, Bool)])] = [
      (
        "Alps",
        [
          ("First light", .dawn, 5, 1, false), ("Above the clouds", .noon, 4, 0.9, false),
          ("Lake at dusk", .dusk, 4, 0.9, true), ("Night on the ridge", .night, 5, 1, false),
          ("Valley", .meadow, 5, 0.7, false), ("Föhn", .storm, 6, 1, false),
        ]
      ),
      (
        "Atlantic",
        [
          ("Swell", .noon, 2, 0.2, true), ("Lighthouse evening", .dusk, 2, 0.3, true),
          ("Before the storm", .storm, 3, 0.4, true), ("Morning calm", .dawn, 2, 0.2, true),
          ("Moonrise", .night, 3, 0.3, true), ("Green coast", .meadow, 4, 0.4, true),
        ]
      ),
      (
        "Desert",
        [
          ("Dunes", .sand, 5, 0.15, false), ("Heat", .noon, 3, 0.2, false),
          ("Camp", .night, 4, 0.2, false), ("Red evening", .dusk, 6, 0.25, false),
          ("Caravan road", .sand, 4, 0.2, false), ("Dawn over the sand", .dawn, 5, 0.15, false),
        ]
      ),
    ]
    for (albumIndex, (album, pictures)) in albums.enumerated() {
      for (index, picture) in pictures.enumerated() {
        let number = albumIndex * 6 + index
        scenes.append(
          DemoScene(
            album: album, name: picture.0,
            time: CivilTime(
              year: 2024, month: 3 + albumIndex * 3, day: 4 + index * 3, hour: 6 + (index * 5) % 15,
              minute: (number * 17) % 60, second: 20, utcOffset: 3600),
            light: picture.1, seed: UInt64(number) &* 7919 &+ 17, ridges: picture.2,
            roughness: picture.3, hasWater: picture.4, isPortrait: index == 3,
            shutter: picture.1.hasStars ? 2 : 250))
      }
    }
    return scenes
  }()

  /// The upright picture.
  func paint() -> PixelBuffer {
    let size =
      isPortrait ? PixelSize(width: 900, height: 1200) : PixelSize(width: 1200, height: 900)
    let shore = Double(size.height) * (hasWater ? 0.66 : 1.2)
    let heights = (0..<ridges).map { ridgeLine($0, size: size) }
    var noise = DemoNoise(seed: seed)
    let orb = (
      x: Double(size.width) * (0.2 + 0.6 * noise.next()),
      y: Double(size.height) * (0.16 + 0.2 * noise.next()), radius: Double(size.width) * 0.035
    )
    var bytes = [UInt8](repeating: 255, count: size.area * 4)
    for y in 0..<size.height {
      // Water mirrors what is above the shore, compressed and darkened.
      let isWater = Double(y) > shore
      let source = isWater ? shore - (Double(y) - shore) * 1.7 : Double(y)
      let ripple = isWater ? (Double(y) - shore) * 0.06 : 0
      let sky = light.zenith.mixed(light.horizon, max(0, source) / (Double(size.height) * 0.62))
      for x in 0..<size.width {
        let shift = isWater ? Int(ripple * (noise.next() - 0.5) * 8) : 0
        let column = min(size.width - 1, max(0, x + shift))
        var color = skyColor(sky, x: Double(column), y: source, orb: orb, noise: &noise)
        for ridge in stride(from: ridges - 1, through: 0, by: -1)
        where source > heights[ridge][column] && source < shore + 1 {
          color = ridgeColor(ridge, depth: source - heights[ridge][column], size: size)
          break
        }
        if isWater { color = color.mixed(light.zenith, 0.35) }
        let grain = Int(noise.next() * 7) - 3
        let at = (y * size.width + x) * 4
        bytes[at] = color.red.shifted(grain)
        bytes[at + 1] = color.green.shifted(grain)
        bytes[at + 2] = color.blue.shifted(grain)
      }
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  private func skyColor(
    _ sky: Color, x: Double, y: Double, orb: (x: Double, y: Double, radius: Double),
    noise: inout DemoNoise
  ) -> Color {
    let dx = x - orb.x
    let dy = y - orb.y
    let distance = (dx * dx + dy * dy).squareRoot()
    if distance < orb.radius { return light.orb }
    if light.hasStars, noise.next() > 0.9994 { return light.orb.mixed(.white, 0.5) }
    let glow = orb.radius * (light.hasStars ? 3 : 9)
    return distance < glow ? light.orb.mixed(sky, 0.35 + 0.65 * (distance / glow)) : sky
  }

  private func ridgeColor(_ ridge: Int, depth: Double, size: PixelSize) -> Color {
    let nearness = Double(ridge + 1) / Double(ridges)
    let base = light.far.mixed(light.near, nearness)
    // Mist gathers at the foot of each ridge.
    return base.mixed(light.horizon, min(0.35, depth / Double(size.height) * (1.1 - nearness)))
  }

  /// The height of a ridge at every column: layered value noise.
  private func ridgeLine(_ ridge: Int, size: PixelSize) -> [Double] {
    var noise = DemoNoise(seed: seed &+ UInt64(ridge) &* 104_729 &+ 1)
    let base = Double(size.height) * (0.42 + 0.5 * Double(ridge) / Double(ridges))
    let amplitude = Double(size.height) * (0.05 + 0.13 * roughness)
    var octaves: [(step: Double, values: [Double])] = []
    var step = Double(size.width) / 2.5
    while step > 6 {
      let values = (0...Int(Double(size.width) / step) + 2).map { _ in noise.next() - 0.5 }
      octaves.append((step, values))
      step /= 2
    }
    return (0..<size.width).map { x in
      var height = 0.0
      var weight = 1.0
      for octave in octaves {
        let position = Double(x) / octave.step
        let index = Int(position)
        let t = position - Double(index)
        let smooth = roughness > 0.6 ? t : t * t * (3 - 2 * t)
        height += weight * (octave.values[index] * (1 - smooth) + octave.values[index + 1] * smooth)
        weight *= 0.3 + 0.22 * roughness
      }
      return base - height * amplitude * 2
    }
  }
}

/// A reproducible pseudorandom generator (SplitMix64, Steele, Lea and Flood 2014).
struct DemoNoise {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The next number, from 0 to 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }
}

extension DemoScene.Light {
  fileprivate static let dawn = Self(
    zenith: Color(0x4A6FA5), horizon: Color(0xFFD6A5), far: Color(0xB08EA2), near: Color(0x2F2A4A),
    orb: Color(0xFFF1C9))
  fileprivate static let noon = Self(
    zenith: Color(0x2B6CB0), horizon: Color(0xCFE8F7), far: Color(0x9DB4C7), near: Color(0x2F4A3A),
    orb: Color(0xFFFDF0))
  fileprivate static let dusk = Self(
    zenith: Color(0x35295C), horizon: Color(0xFF9E6D), far: Color(0xA2567A), near: Color(0x1F1533),
    orb: Color(0xFFD28A))
  fileprivate static let night = Self(
    zenith: Color(0x070B1C), horizon: Color(0x2A3A63), far: Color(0x24304F), near: Color(0x05070F),
    orb: Color(0xE9EEF9), hasStars: true)
  fileprivate static let meadow = Self(
    zenith: Color(0x4F9BD9), horizon: Color(0xE7F3E1), far: Color(0x9CC39B), near: Color(0x2E5E2A),
    orb: Color(0xFFFBE0))
  fileprivate static let storm = Self(
    zenith: Color(0x3A434F), horizon: Color(0xB7BEC2), far: Color(0x76838C), near: Color(0x1E262B),
    orb: Color(0xDADFE0))
  fileprivate static let sand = Self(
    zenith: Color(0x3F83B8), horizon: Color(0xF7E3BF), far: Color(0xE3B778), near: Color(0x9A5A28),
    orb: Color(0xFFF7DA))
}

extension Color {
  fileprivate init(_ hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  /// Interpolates to another color, from 0 (this one) to 1.
  fileprivate func mixed(_ other: Color, _ part: Double) -> Color {
    let part = min(1, max(0, part))
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Double(a) + (Double(b) - Double(a)) * part) }
    return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}

extension UInt8 {
  fileprivate func shifted(_ by: Int) -> UInt8 { UInt8(clamping: Int(self) + by) }
}
