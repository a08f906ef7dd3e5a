import Pixels

/// The mean of pixels whose colours were summed up times their alpha.
enum WeightedMean {
  /// - Parameters:
  ///   - sum: of the colours times their alpha, and of the alphas, both from 0 to 255.
  ///   - count: how many pixels were summed up.
  static func pixel(_ sum: SIMD4<Float>, count: Int) -> SIMD4<UInt8> {
    guard sum.w > 0, count > 0 else { return .zero }
    var mean = sum / sum.w
    mean.w = sum.w / Float(count)
    return mean.roundedToLevels
  }
}
