import Pixels
import System

/// A color of a theme, reduced to those that the terminal has.
package enum ThemeColor: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of xterm's 256 colors: the terminal's 16, a 6x6x6 cube, 24 grays.
  case indexed(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red",
    "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Reads `default`, one of sixteen names, a number up to 255 or `#rrggbb`; nil for anything else.
  package init?(name: String) {
    if name == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: name) {
      self = .indexed(UInt8(index))
    } else if name.allSatisfy({ ("0"..."9").contains($0) }), let index = UInt8(name) {
      self = .indexed(index)
    } else if name.hasPrefix("#"), name.utf8.count == 7, name.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(name.dropFirst(), radix: 16)
    {
      self = .rgb(
        red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    } else {
      return nil
    }
  }

  /// The name of the color, in the syntax that `init(name:)` reads.
  package var name: String {
    switch self {
    case .standard: return "default"
    case .indexed(let index): return index < 16 ? Self.names[Int(index)] : String(index)
    case .rgb(let red, let green, let blue):
      let value = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
      return "#" + String(repeating: "0", count: 6 - value.count) + value
    }
  }

  /// Red, green and blue, with xterm's defaults for the named colors; nil for the terminal's default.
  var components: [Int]? {
    switch self {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return [Int(red), Int(green), Int(blue)]
    case .indexed(let index):
      let index = Int(index)
      if index < 16 { return Self.sixteen[index] }
      if index >= 232 { return Array(repeating: 8 + 10 * (index - 232), count: 3) }
      return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { Self.steps[$0] }
    }
  }

  /// The same as a color; nil for the terminal's default.
  var color: Color? {
    components.map { Color(red: UInt8($0[0]), green: UInt8($0[1]), blue: UInt8($0[2])) }
  }

  /// Whether it is a gray between black and white, other than the terminal's 16 colors.
  var isMidGray: Bool {
    if case .indexed(let index) = self, index < 16 { return false }
    guard let parts = components, let least = parts.min(), let most = parts.max() else { return false }
    return most - least < 16 && least > 40 && most < 215
  }

  /// The ncurses number of the nearest color on a terminal with `count` colors; -1 = the terminal's default.
  func number(among count: Int) -> Int32 {
    guard count >= 8, let parts = components else { return -1 }
    if count > 256 {
      // Direct color: the lowest eight numbers are still palette indexes (terminfo, xterm+direct).
      if case .indexed(let index) = self, index < 8 { return Int32(index) }
      return max(8, Int32(parts[0] << 16 | parts[1] << 8 | parts[2]))
    }
    if case .indexed(let index) = self, Int(index) < count { return Int32(index) }
    // With only eight colors, bright ones fall back to the plain ones.
    if case .indexed(let index) = self, index < 16 { return Int32(index) - 8 }
    let candidates = count >= 256 ? 16..<256 : 0..<(count >= 16 ? 16 : 8)
    let nearest = candidates.min { Self.distance($0, parts) < Self.distance($1, parts) }
    return nearest.map { Int32($0) } ?? -1
  }

  private static func distance(_ index: Int, _ parts: [Int]) -> Int {
    let other = ThemeColor.indexed(UInt8(index)).components ?? []
    return zip(other, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }

  /// The levels of the color cube (xterm, 256colres.pl).
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The default values of the 16 colors (xterm, XTerm-col.ad).
  private static let sixteen = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
    [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255],
    [255, 0, 255], [0, 255, 255], [255, 255, 255],
  ]
}

extension Color {
  /// The contrast to another color, from 1 to 21 (WCAG 2.1).
  func contrast(with other: Color) -> Double {
    let (a, b) = (relativeLuminance, other.relativeLuminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The light of the color, from 0 to 1 (WCAG 2.1, by the curve of sRGB).
  private var relativeLuminance: Double {
    func linear(_ value: UInt8) -> Double {
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
