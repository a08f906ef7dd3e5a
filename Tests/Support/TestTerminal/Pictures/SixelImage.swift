import CSixel
import Glibc

/// The pixels of a sixel picture, as decoded by libsixel.
package struct SixelImage: Equatable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels: that of the raster attributes, or more if sixels were set below.
  package let height: Int
  /// The register of every pixel, row by row.
  package let registers: [UInt8]
  /// Red, green and blue of the registers.
  package let palette: [UInt8]
  /// Whether each pixel was set, if the register alone does not show it; libsixel marks unset ones with 255.
  private let coverage: SixelCoverage?

  /// Decodes the payload of a DCS; `nil` if it is no sixel picture or libsixel refuses it.
  package init?(payload: [UInt8]) {
    guard SixelImage.isSixel(payload) else { return nil }
    var stream: [UInt8] = [0x1B, UInt8(ascii: "P")] + payload + [0x1B, UInt8(ascii: "\\")]
    var pixels: UnsafeMutablePointer<UInt8>?
    var colors: UnsafeMutablePointer<UInt8>?
    var (width, height, colorCount): (Int32, Int32, Int32) = (0, 0, 0)
    let status = sixel_decode_raw(
      &stream, Int32(stream.count), &pixels, &width, &height, &colors, &colorCount, nil)
    defer {
      free(pixels)
      free(colors)
    }
    guard status & 0x1000 == 0, let pixels, let colors, width > 0, height > 0 else { return nil }
    self.width = Int(width)
    self.height = Int(height)
    registers = Array(UnsafeBufferPointer(start: pixels, count: Int(width) * Int(height)))
    palette = Array(UnsafeBufferPointer(start: colors, count: Int(colorCount) * 3))
    coverage =
      colorCount > 255 ? SixelCoverage(payload: payload, width: Int(width), height: Int(height)) : nil
  }

  /// A picture of which only the size is known, as other protocols send compressed files.
  init?(width: Int, height: Int) {
    guard (1...10_000).contains(width), (1...10_000).contains(height) else { return nil }
    self.width = width
    self.height = height
    registers = Array(repeating: 0, count: width * height)
    palette = [0, 0, 0]
    coverage = nil
  }

  /// Whether the payload of a DCS is a sixel picture: parameters and the letter `q`.
  package static func isSixel(_ payload: [UInt8]) -> Bool {
    payload.first { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: ";") } == UInt8(ascii: "q")
  }

  /// Whether the picture sets this pixel.
  package func isSet(x: Int, y: Int) -> Bool {
    if let coverage { return coverage.contains(x: x, y: y) }
    return registers[y * width + x] != 255
  }

  /// The color of a pixel, `nil` if it was not set.
  package func color(x: Int, y: Int) -> TerminalRGB? {
    let base = Int(registers[y * width + x]) * 3
    guard isSet(x: x, y: y), base + 2 < palette.count else { return nil }
    return TerminalRGB(palette[base], palette[base + 1], palette[base + 2])
  }

  /// Red, green and blue of all pixels; unset ones get the given color.
  package func rgb(unset: TerminalRGB) -> [UInt8] {
    let filler = [unset.red, unset.green, unset.blue]
    let known = min(palette.count / 3, coverage == nil ? 255 : 256)
    let colors = palette.prefix(known * 3) + (known..<256).flatMap { _ in filler }
    var pixels = [UInt8](unsafeUninitializedCapacity: registers.count * 3) { buffer, count in
      colors.withUnsafeBufferPointer { colors in
        var index = 0
        for register in registers {
          let base = Int(register) * 3
          buffer[index] = colors[base]
          buffer[index + 1] = colors[base + 1]
          buffer[index + 2] = colors[base + 2]
          index += 3
        }
      }
      count = registers.count * 3
    }
    if let coverage {
      for index in registers.indices where !coverage.contains(x: index % width, y: index / width) {
        pixels.replaceSubrange(index * 3..<index * 3 + 3, with: filler)
      }
    }
    return pixels
  }
}

/// Which pixels of a sixel picture are set by any register.
struct SixelCoverage: Equatable, Sendable {
  private var isSet: [Bool]
  private let width: Int
  private let height: Int

  init(payload: [UInt8], width: Int, height: Int) {
    self.width = width
    self.height = height
    isSet = Array(repeating: false, count: width * height)
    guard let start = payload.firstIndex(of: UInt8(ascii: "q")) else { return }
    var (x, top, count) = (0, 0, 1)
    var index = start + 1
    while index < payload.count {
      let byte = payload[index]
      index += 1
      switch byte {
      case 0x3F...0x7E:
        if byte > 0x3F { mark(byte - 0x3F, x: x, top: top, count: count) }
        x += count
        count = 1
      case UInt8(ascii: "!"):
        count = 0
        while index < payload.count, (0x30...0x39).contains(payload[index]) {
          count = min(count * 10 + Int(payload[index] - 0x30), 1 << 16)
          index += 1
        }
        count = max(count, 1)
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, top) = (0, top + 6)
      default: break  // Color introducers and raster attributes, with their digits.
      }
    }
  }

  func contains(x: Int, y: Int) -> Bool { isSet[y * width + x] }

  private mutating func mark(_ bits: UInt8, x: Int, top: Int, count: Int) {
    for bit in 0..<6 where bits & (1 << bit) != 0 && top + bit < height && x < width {
      let row = (top + bit) * width
      for column in x..<min(x + count, width) { isSet[row + column] = true }
    }
  }
}
