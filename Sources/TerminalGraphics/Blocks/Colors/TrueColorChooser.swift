/// Chooses among all patterns with the means of the two sides as colours, eight cells at a time.
///
/// With s the sum of the front parts' colours, taken from the mean of the cell, two colours save
/// |s|² · n / (k · (n - k)) of the squared error over one: the pattern with the largest saving has the least
/// error, and every pattern is tried.
struct TrueColorChooser: CellChooser {
  /// What two colours have to save at least, squared levels a part: below nobody sees the difference, and a
  /// blank with one colour costs half the bytes.
  private static let flatness: Float = 1.5

  func choose(_ samples: CellSamples, into cells: UnsafeMutableBufferPointer<BlockCell>) {
    let walk = PatternWalk.of(samples.parts)
    withUnsafeTemporaryAllocation(of: ColorLanes.self, capacity: samples.parts * 2) { points in
      for column in stride(from: 0, to: samples.columns, by: 8) {
        let mean = samples.centre(from: column, into: points)
        let patterns = bestPatterns(walk, points)
        let (front, back) = colors(
          patterns, mean, UnsafeMutableBufferPointer(rebasing: points[..<samples.parts]))
        for lane in 0..<min(8, samples.columns - column) {
          cells[column + lane] = BlockCell(pattern: patterns[lane], front: front[lane], back: back[lane])
        }
      }
    }
  }

  /// The patterns with the largest savings; none where the saving is not worth two colours.
  private func bestPatterns(
    _ walk: PatternWalk, _ points: UnsafeMutableBufferPointer<ColorLanes>
  ) -> SIMD8<UInt32> {
    var side = ColorLanes()
    var largest = CellLanes(repeating: Self.flatness * Float(walk.parts))
    var patterns = SIMD8<UInt32>.zero
    walk.steps.withUnsafeBufferPointer { steps in
      for step in steps {
        side = side + points[step.point]
        let saved = side.square * step.gain
        let isLarger = saved .> largest
        largest.replace(with: saved, where: isLarger)
        patterns.replace(with: step.pattern, where: isLarger)
      }
    }
    return patterns
  }

  /// The means of the two sides.
  private func colors(
    _ patterns: SIMD8<UInt32>, _ mean: ColorLanes, _ points: UnsafeMutableBufferPointer<ColorLanes>
  ) -> (front: SIMD8<UInt32>, back: SIMD8<UInt32>) {
    var side = ColorLanes()
    var count = CellLanes.zero
    for (part, point) in points.enumerated() {
      let isBack = (patterns &>> UInt32(truncatingIfNeeded: part)) & 1 .== 0
      side = side + point.cleared(where: isBack)
      count += CellLanes(repeating: 1).replacing(with: 0, where: isBack)
    }
    let front = mean + side * (1 / count.replacing(with: 1, where: count .== 0))
    let back = mean - side * (1 / (Float(points.count) - count))
    return (front.packed, back.packed)
  }
}
