/// Chooses among all patterns with the nearest of xterm's 256 colors for each side, eight cells at a time.
///
/// The error of a pattern is the error with the exact means as colors plus, for each side, the squared
/// distance from its mean to the palette color times the number of its parts. The first sixteen colors are
/// not used, because themes change them.
struct IndexedColorChooser: CellChooser {
  func choose(_ samples: CellSamples, into cells: UnsafeMutableBufferPointer<BlockCell>) {
    let walk = PatternWalk.of(samples.parts)
    withUnsafeTemporaryAllocation(of: ColorLanes.self, capacity: samples.parts * 2) { points in
      for column in stride(from: 0, to: samples.columns, by: 8) {
        let mean = samples.centre(from: column, into: points)
        let choice = best(walk, mean, points)
        for lane in 0..<min(8, samples.columns - column) {
          cells[column + lane] = BlockCell(
            pattern: choice.patterns[lane], front: choice.fronts[lane], back: choice.backs[lane])
        }
      }
    }
  }

  private func best(
    _ walk: PatternWalk, _ mean: ColorLanes, _ points: UnsafeMutableBufferPointer<ColorLanes>
  ) -> (patterns: SIMD8<UInt32>, fronts: SIMD8<UInt32>, backs: SIMD8<UInt32>) {
    // The error with one color; two colors reduce it.
    var spread = CellLanes.zero
    for part in 0..<walk.parts { spread += points[part].square }
    let flat = IndexedColors.nearest(to: mean)
    var least = spread + flat.distance * Float(walk.parts)
    var patterns = SIMD8<UInt32>.zero
    var fronts = CellLanes.zero
    var backs = flat.index
    var side = ColorLanes()
    walk.steps.withUnsafeBufferPointer { steps in
      for step in steps {
        side = side + points[step.point]
        let (front, back) = (Float(step.count), Float(walk.parts - step.count))
        let near = IndexedColors.nearest(to: mean + side * CellLanes(repeating: 1 / front))
        let far = IndexedColors.nearest(to: mean - side * CellLanes(repeating: 1 / back))
        let error = spread - side.square * step.gain + near.distance * front + far.distance * back
        let isLess = error .< least
        least.replace(with: error, where: isLess)
        patterns.replace(with: step.pattern, where: isLess)
        fronts.replace(with: near.index, where: isLess)
        backs.replace(with: far.index, where: isLess)
      }
    }
    return (patterns, fronts.numbers, backs.numbers)
  }
}

/// xterm's colors from 16 on: a cube of 6x6x6, then 24 grays.
private enum IndexedColors {
  /// Returns the nearest of them for each of eight cells, and its squared distance.
  static func nearest(to color: ColorLanes) -> (index: CellLanes, distance: CellLanes) {
    let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
    let cube = ColorLanes(red: level(red), green: level(green), blue: level(blue)) - color
    var index = 16 + red * 36 + green * 6 + blue
    var distance = cube.square
    // The nearest gray is the one nearest to the mean.
    let mean = (color.red + color.green + color.blue) * (1 / 3)
    var number = ((mean - 8) * 0.1).wholes
    number.replace(with: 0, where: number .< 0)
    number.replace(with: 23, where: number .> 23)
    let tone = 8 + number * 10
    let grey = (ColorLanes(red: tone, green: tone, blue: tone) - color).square
    let isGrey = grey .< distance
    index.replace(with: 232 + number, where: isGrey)
    distance.replace(with: grey, where: isGrey)
    return (index, distance)
  }

  /// The levels of the cube are 0, 95, 135, 175, 215, 255; the borders are halfway.
  private static func step(_ value: CellLanes) -> CellLanes {
    var step = ((value - 55) * 0.025).wholes
    step.replace(with: 1, where: (step .< 1) .& (value .>= 47.5))
    step.replace(with: 0, where: value .< 47.5)
    return step
  }

  private static func level(_ step: CellLanes) -> CellLanes {
    (55 + step * 40).replacing(with: 0, where: step .== 0)
  }
}

/// One color for each of eight adjacent cells, from 0 to 255.
struct ColorLanes {
  var red = CellLanes.zero
  var green = CellLanes.zero
  var blue = CellLanes.zero

  /// The squared length.
  var square: CellLanes { red * red + green * green + blue * blue }

  /// The colors rounded to levels, red in the lowest byte.
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

  /// Returns these colors, with zero where a condition holds.
  func cleared(where isCleared: SIMDMask<SIMD8<Int32>>) -> ColorLanes {
    ColorLanes(
      red: red.replacing(with: 0, where: isCleared), green: green.replacing(with: 0, where: isCleared),
      blue: blue.replacing(with: 0, where: isCleared))
  }
}

/// An enumeration of all divisions of a cell into two sides; one part changes its side at every step.
///
/// A pattern and its complement are the same division, so the last part is always in the background. The order is
/// that of the reflected binary code (Gray, US patent 2,632,058), so that a step costs one addition.
struct PatternWalk: Sendable {
  struct Step: Sendable {
    /// The part that moves to the foreground; plus the number of all parts if it moves to the background.
    var point: Int
    var pattern: UInt32
    /// Number of parts in the foreground.
    var count: Int
    /// Factor from the squared sum of the foreground parts, relative to the cell's mean, to the squared error that
    /// two colors save over one: n / (count · (n - count)).
    var gain: Float
  }

  let parts: Int
  let steps: [Step]

  private init(parts: Int) {
    self.parts = parts
    steps = (1..<(1 << (parts - 1))).map { number in
      let pattern = number ^ (number >> 1)
      let part = number.trailingZeroBitCount
      let count = pattern.nonzeroBitCount
      return Step(
        point: pattern >> part & 1 == 1 ? part : part + parts, pattern: UInt32(pattern), count: count,
        gain: Float(parts) / Float(count * (parts - count)))
    }
  }

  /// Returns the walk for a cell of 2, 4, 6 or 8 parts.
  static func of(_ parts: Int) -> PatternWalk { walks[parts] }

  private static let walks = (0...8).map { PatternWalk(parts: max(1, $0)) }
}
