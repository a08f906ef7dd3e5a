/// Chooses among all patterns with the means of the two sides as colors, eight cells at a time.
///
/// If s is the sum of the k foreground parts' colors relative to the cell's mean, two colors save |s|² · n / (k ·
/// (n - k)) of the squared error of one: the pattern with the largest saving has the least error, and every pattern
/// is tried.
struct TrueColorChooser: CellChooser {
  /// The least saving that justifies two colors, in squared levels per part: below it the difference is invisible,
  /// and a blank with one color costs half the bytes.
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

  /// Returns the patterns with the largest savings; 0 if the saving does not justify two colors.
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

  /// Returns the means of the two sides.
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
