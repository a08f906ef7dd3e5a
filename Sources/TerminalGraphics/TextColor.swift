public import Pixels

/// A colour as text can have it, by the depth of the terminal.
enum TextColor: Hashable, Sendable {
  case rgb(Color)
  /// An index into xterm's 256 colours.
  case indexed(UInt8)
  /// One of the sixteen.
  case named(UInt8)

  init(_ color: Color, depth: ColorDepth) {
    switch depth {
    case .trueColor: self = .rgb(color)
    case .palette256: self = .indexed(Self.nearest256(color))
    case .sixteen: self = .named(Self.nearest(color, among: 16))
    case .eight, .monochrome: self = .named(Self.nearest(color, among: 8))
    }
  }

  /// The parameters of SGR for text in this colour.
  var foreground: String { parameters(base: 30) }

  /// The parameters of SGR for a background of this colour.
  var background: String { parameters(base: 40) }

  private func parameters(base: Int) -> String {
    switch self {
    case .rgb(let color): "\(base + 8);2;\(color.red);\(color.green);\(color.blue)"
    case .indexed(let index): "\(base + 8);5;\(index)"
    case .named(let index) where index < 8: "\(base + Int(index))"
    case .named(let index): "\(base + 60 + Int(index) - 8)"
    }
  }

  /// xterm's colours: a cube of 6x6x6 from index 16, 24 greys from 232.
  private static func nearest256(_ color: Color) -> UInt8 {
    let steps: [Int] = [0, 95, 135, 175, 215, 255]
    func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
    let (r, g, b) = (step(color.red), step(color.green), step(color.blue))
    let cube = Color(red: UInt8(steps[r]), green: UInt8(steps[g]), blue: UInt8(steps[b]))
    let average = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let grey = min(23, max(0, (average - 3) / 10))
    let level = UInt8(8 + grey * 10)
    let greyColor = Color(red: level, green: level, blue: level)
    return color.squaredDistance(to: greyColor) < color.squaredDistance(to: cube)
      ? UInt8(232 + grey) : UInt8(16 + 36 * r + 6 * g + b)
  }

  /// xterm's defaults for the sixteen; themes differ, their order does not.
  private static let sixteen: [Color] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ].map { Color(red: $0.0, green: $0.1, blue: $0.2) }

  private static func nearest(_ color: Color, among count: Int) -> UInt8 {
    let best = (0..<count).min {
      color.squaredDistance(to: sixteen[$0]) < color.squaredDistance(to: sixteen[$1])
    }
    return UInt8(best ?? 0)
  }
}

extension Color {
  /// Brightness from 0 to 255 (ITU-R BT.601 weights).
  public var luminance: Int { (Int(red) * 299 + Int(green) * 587 + Int(blue) * 114) / 1000 }
}
