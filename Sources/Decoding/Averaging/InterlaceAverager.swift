import Pixels

/// Shrinks a picture whose pixels come in no simple order, by averaging squares of them.
///
/// Takes 20 bytes for each pixel of the result. One thread's own.
struct InterlaceAverager {
  /// As large as a square's sums can be.
  static let largestFactor = 256

  private let reduction: Reduction
  /// The sums of each square's colours times their alpha, and of the alphas.
  private var sums: [SIMD4<UInt32>]
  private var counts: [UInt32]

  /// What the sums of a picture take, in bytes.
  static func workingBytes(_ reduction: Reduction) -> Int { reduction.size.area * 20 }

  init(_ reduction: Reduction) {
    self.reduction = reduction
    sums = Array(repeating: .zero, count: reduction.size.area)
    counts = Array(repeating: 0, count: reduction.size.area)
  }

  /// Takes `count` RGBA pixels of row `y`, the first from column `x`, the others each `step` farther right.
  mutating func add(_ pixels: UnsafeRawBufferPointer, count: Int, x: Int, step: Int, y: Int) {
    guard count > 0, x >= 0, x + (count - 1) * step < reduction.source.width,
      (0..<reduction.source.height).contains(y), pixels.count >= count * 4
    else { return }
    let row = y / reduction.factor * reduction.size.width
    sums.withUnsafeMutableBufferPointer { sums in
      counts.withUnsafeMutableBufferPointer { counts in
        var square = x / reduction.factor
        var left = (square + 1) * reduction.factor - x
        for index in 0..<count {
          let pixel = SIMD4<UInt32>(
            truncatingIfNeeded: pixels.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<UInt8>.self))
          let alpha = pixel.w
          sums[row + square] &+= pixel &* SIMD4(alpha, alpha, alpha, 1)
          counts[row + square] &+= 1
          left -= step
          while left <= 0 {
            left += reduction.factor
            square += 1
          }
        }
      }
    }
  }

  /// The picture; squares without a pixel look like their neighbours to the left or above.
  consuming func finish() -> PixelBuffer {
    let (width, height) = (reduction.size.width, reduction.size.height)
    return PixelBuffer(size: reduction.size) { output in
      let output = UnsafeMutableRawBufferPointer(output)
      for y in 0..<height {
        var last: SIMD4<UInt8>?
        for x in 0..<width {
          let index = y * width + x
          if counts[index] > 0 {
            last = WeightedMean.pixel(sums[index].asFloats, count: Int(counts[index]))
          }
          output.storeBytes(of: last ?? .zero, toByteOffset: index * 4, as: SIMD4<UInt8>.self)
        }
        guard last == nil, y > 0 else { continue }
        let above = UnsafeRawBufferPointer(rebasing: output[((y - 1) * width * 4)..<(y * width * 4)])
        UnsafeMutableRawBufferPointer(rebasing: output[(y * width * 4)..<((y + 1) * width * 4)])
          .copyMemory(from: above)
      }
    }
  }
}
