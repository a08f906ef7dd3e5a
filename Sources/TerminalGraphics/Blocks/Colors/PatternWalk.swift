/// A walk through all the ways to part a cell in two, one part changing its side at every step.
///
/// A pattern and its complement are the same way; the last part is always at the back. The order is that of
/// the reflected binary code (Gray, US patent 2,632,058), so that a step costs one addition.
struct PatternWalk: Sendable {
  struct Step: Sendable {
    /// The part that comes to the front, or its number and that of all parts where it goes back.
    var point: Int
    var pattern: UInt32
    /// The number of parts in front.
    var count: Int
    /// What the squared sum of the parts in front, taken from the mean of the cell, has to be multiplied by
    /// to give the squared error that two colours save over one: n / (count · (n - count)).
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

  /// The walk for a cell of 2, 4, 6 or 8 parts.
  static func of(_ parts: Int) -> PatternWalk { walks[parts] }

  private static let walks = (0...8).map { PatternWalk(parts: max(1, $0)) }
}
