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
