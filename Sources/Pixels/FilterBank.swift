/// The resampling weights along one axis.
struct FilterBank: Sendable {
  /// The source pixels that contribute to one result pixel.
  struct Span: Sendable {
    var first: Int
    var count: Int
    /// The index of the span's first weight.
    var weights: Int
  }

  private var weights: [Float] = []
  private var spans: [Span] = []
  /// The first source pixel that any result pixel reads.
  private(set) var first = 0
  /// One past the last source pixel that any result pixel reads.
  private(set) var end = 0
  /// The largest number of source pixels in a span.
  private(set) var longestSpan = 0

  /// Makes the weights that map `length` source pixels from `start` to `count` result pixels, reading only
  /// inside `0..<limit`: at the borders the kernel is truncated and renormalized.
  init(start: Double, length: Double, limit: Int, count: Int) {
    guard limit > 0 else { return }
    let scale = length / Double(count)
    // Shrinking widens the kernel to prevent aliasing; enlarging keeps its width.
    let stretch = max(1, scale)
    let support = 2 * stretch
    spans.reserveCapacity(count)
    var raw: [Double] = []
    for index in 0..<count {
      let center = start + (Double(index) + 0.5) * scale
      let low = min(limit - 1, max(0, Int((center - support).rounded(.down))))
      let high = max(low + 1, min(limit, Int((center + support).rounded(.up))))
      raw.removeAll(keepingCapacity: true)
      var total = 0.0
      for position in low..<high {
        let weight = Self.catmullRom((Double(position) + 0.5 - center) / stretch)
        raw.append(weight)
        total += weight
      }
      if abs(total) < 1e-9 {  // a region outside the picture: repeat the border
        raw = raw.indices.map { $0 == 0 ? 1 : 0 }
        total = 1
      }
      spans.append(Span(first: low, count: raw.count, weights: weights.count))
      weights += raw.map { Float($0 / total) }
    }
    first = spans.map(\.first).min() ?? 0
    end = spans.map { $0.first + $0.count }.max() ?? 0
    longestSpan = spans.map(\.count).max() ?? 0
  }

  func withTaps<Result>(
    _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Span>) -> Result
  ) -> Result {
    weights.withUnsafeBufferPointer { weights in
      spans.withUnsafeBufferPointer { spans in body(weights, spans) }
    }
  }

  private static func catmullRom(_ x: Double) -> Double {
    let x = abs(x)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }
}
