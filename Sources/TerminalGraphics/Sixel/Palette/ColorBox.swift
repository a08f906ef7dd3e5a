/// A group of bins, a range of a list that boxes share, that becomes one colour.
///
/// Heckbert, Color image quantization for frame buffer display, 1982; cut where Wu, Color quantization by
/// dynamic programming and principal analysis, 1992, cuts: where the squared error falls most.
struct ColorBox {
  private let range: Range<Int>
  private let placeCount: Int
  /// What a cut saves of the squared error.
  let gain: Float
  /// Where to cut: the channel and the last place before the cut.
  private let axis: Int
  private let place: UInt8
  /// The mean of its pixels.
  let center: SIMD4<Float>

  /// - Parameter placeCount: how many places each axis has.
  init(
    _ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>, in range: Range<Int>, placeCount: Int
  ) {
    self.range = range
    self.placeCount = placeCount
    // Sums of the bins by their place on each axis: red, then green, then blue.
    let found = withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 3 * placeCount) { slices in
      slices.initialize(repeating: .zero)
      var total = SIMD4<Float>.zero
      for index in range {
        let bin = bins[index]
        var sum = bin.mean * bin.mean.w
        sum.w = bin.mean.w
        slices[Int(bin.place.x)] += sum
        slices[placeCount + Int(bin.place.y)] += sum
        slices[2 * placeCount + Int(bin.place.z)] += sum
        total += sum
      }
      let whole = Self.weight(of: total)
      var best = (gain: Float(0), axis: 0, place: UInt8(0))
      for axis in 0..<3 {
        var low = SIMD4<Float>.zero
        for place in 0..<placeCount - 1 {
          let slice = slices[axis * placeCount + place]
          if slice.w == 0 { continue }
          low += slice
          if low.w >= total.w { break }
          let gain = Self.weight(of: low) + Self.weight(of: total - low) - whole
          if gain > best.gain { best = (gain, axis, UInt8(place)) }
        }
      }
      return (best, total / max(total.w, 1))
    }
    (gain, axis, place) = found.0
    center = found.1
  }

  /// The squared length of the sum over the count: the less of it, the more error.
  private static func weight(of sum: SIMD4<Float>) -> Float {
    (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / sum.w
  }

  /// The two boxes after the cut; sorts the bins of this box.
  func split(_ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>) -> (ColorBox, ColorBox) {
    var middle = range.lowerBound
    for index in range where bins[index].place[axis] <= place {
      bins.swapAt(index, middle)
      middle += 1
    }
    return (
      ColorBox(bins, in: range.lowerBound..<middle, placeCount: placeCount),
      ColorBox(bins, in: middle..<range.upperBound, placeCount: placeCount)
    )
  }
}
