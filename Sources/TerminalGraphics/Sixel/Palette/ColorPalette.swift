import Pixels

/// Up to 256 colours chosen for one picture, as sixels can name them: 101 levels a channel.
///
/// Boxes of the histogram's bins are cut until there are enough; then the colours move to the means of
/// what is nearest to them (k-means; Lloyd, Least squares quantization in PCM, 1982).
struct ColorPalette: Sendable {
  /// The levels of red, green and blue, 0 to 100.
  let levels: [SIMD4<UInt8>]
  /// What a terminal makes of the levels, 0 to 255.
  let colors: [SIMD4<Float>]

  /// Chooses at most `count` colours and moves them `refinements` times.
  init(for histogram: ColorHistogram, count: Int, refinements: Int) {
    var bins = histogram.bins
    var centers = bins.withUnsafeMutableBufferPointer {
      Self.centers($0, placeCount: histogram.placeCount, count: count)
    }
    for _ in 0..<refinements { centers = Self.refined(centers, bins) }
    var seen: Set<SIMD4<UInt8>> = []
    let steps = centers.map { ColorHistogram.level(of: $0) }
    levels = steps.filter { seen.insert($0).inserted }
    colors = levels.map { Self.color(of: $0) }
  }

  /// What a terminal makes of levels: the nearest of 256 values.
  static func color(of level: SIMD4<UInt8>) -> SIMD4<Float> {
    (SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: level)) * 2.55 + 0.5).rounded(.down)
  }

  private static func centers(
    _ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>, placeCount: Int, count: Int
  ) -> [SIMD4<Float>] {
    var boxes = [ColorBox(bins, in: 0..<bins.count, placeCount: placeCount)]
    boxes.reserveCapacity(count)
    while boxes.count < count {
      var widest = 0
      for index in boxes.indices where boxes[index].gain > boxes[widest].gain { widest = index }
      guard boxes[widest].gain > 0 else { break }
      let (low, high) = boxes[widest].split(bins)
      boxes[widest] = low
      boxes.append(high)
    }
    return boxes.map(\.center)
  }

  private static func refined(_ centers: [SIMD4<Float>], _ bins: [ColorHistogram.Bin]) -> [SIMD4<Float>] {
    var lookup = ColorLookup(centers)
    var sums = [SIMD4<Float>](repeating: .zero, count: centers.count)
    for bin in bins {
      var sum = bin.mean * bin.mean.w
      sum.w = bin.mean.w
      sums[lookup.nearest(to: bin.mean)] += sum
    }
    return zip(centers, sums).map { center, sum in sum.w > 0 ? sum / sum.w : center }
  }
}
