/// One number for each of eight cells side by side.
typealias CellLanes = SIMD8<Float>

/// One colour for each of eight cells side by side, from 0 to 255.
struct ColorLanes {
  var red = CellLanes.zero
  var green = CellLanes.zero
  var blue = CellLanes.zero

  /// The squared length.
  var square: CellLanes { red * red + green * green + blue * blue }

  /// The colours rounded to levels, red in the lowest byte.
  var packed: SIMD8<UInt32> {
    red.numbers & 0xFF | (green.numbers & 0xFF) &<< 8 | (blue.numbers & 0xFF) &<< 16
  }

  static func + (a: ColorLanes, b: ColorLanes) -> ColorLanes {
    ColorLanes(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue)
  }

  static func - (a: ColorLanes, b: ColorLanes) -> ColorLanes {
    ColorLanes(red: a.red - b.red, green: a.green - b.green, blue: a.blue - b.blue)
  }

  static func * (a: ColorLanes, b: CellLanes) -> ColorLanes {
    ColorLanes(red: a.red * b, green: a.green * b, blue: a.blue * b)
  }

  /// These where a condition is not met, and zero where it is.
  func cleared(where isCleared: SIMDMask<SIMD8<Int32>>) -> ColorLanes {
    ColorLanes(
      red: red.replacing(with: 0, where: isCleared), green: green.replacing(with: 0, where: isCleared),
      blue: blue.replacing(with: 0, where: isCleared))
  }
}

extension CellLanes {
  /// From 2^23 on the last bit of a Float counts ones: an addition rounds, and the low bits are the number.
  private static let ones: Float = 8_388_608

  /// The nearest whole numbers of ones from 0 on, in the low bits.
  var numbers: SIMD8<UInt32> { unsafeBitCast(self + Self.ones, to: SIMD8<UInt32>.self) & 0x7F_FFFF }

  /// The nearest whole numbers, negative ones too.
  var wholes: CellLanes { (self + Self.ones * 1.5) - Self.ones * 1.5 }
}

extension CellSamples {
  /// Takes the mean of each of eight cells from its parts.
  /// - Parameter points: receives every part's difference from the mean, then every part's with its sign
  ///   changed, for the steps of a walk that take it back.
  /// - Returns: the means.
  func centre(from column: Int, into points: UnsafeMutableBufferPointer<ColorLanes>) -> ColorLanes {
    var mean = ColorLanes()
    for part in 0..<parts {
      points[part] = ColorLanes(
        red: lanes(part: part, channel: 0, from: column), green: lanes(part: part, channel: 1, from: column),
        blue: lanes(part: part, channel: 2, from: column))
      mean = mean + points[part]
    }
    mean = mean * CellLanes(repeating: 1 / Float(parts))
    for part in 0..<parts {
      points[part] = points[part] - mean
      points[parts + part] = ColorLanes() - points[part]
    }
    return mean
  }
}
