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
