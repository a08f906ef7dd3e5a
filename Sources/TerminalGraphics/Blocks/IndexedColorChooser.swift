/// Chooses among all patterns with the nearest of xterm's 256 colours for each side, eight cells at a time.
///
/// The palette adds to a pattern's error with the means the squared distance of each side's mean to its
/// colour, as often as the side has parts. The first sixteen colours are left out: themes change them.
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
    // What one colour leaves; two take away from it.
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

/// xterm's colours from 16 on: a cube of 6x6x6, then 24 greys.
enum IndexedColors {
  /// The nearest of them for each of eight cells, and how far it is, squared.
  static func nearest(to color: ColorLanes) -> (index: CellLanes, distance: CellLanes) {
    let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
    let cube = ColorLanes(red: level(red), green: level(green), blue: level(blue)) - color
    var index = 16 + red * 36 + green * 6 + blue
    var distance = cube.square
    // The nearest grey is the one nearest to the mean.
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

  /// The steps are 0, 95, 135, 175, 215, 255; the borders lie halfway.
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
