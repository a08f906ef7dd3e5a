import Pixels

/// Reduces an interlaced picture, whose pixels arrive out of order, by averaging square blocks of pixels.
///
/// Takes 20 bytes for each pixel of the result. Use from one thread.
struct InterlaceAverager {
  /// The largest factor for which the sums of a block can't overflow.
  static let largestFactor = 256

  private let reduction: Reduction
  /// For each block, the sums of the colors times their alpha, and of the alphas.
  private var sums: [SIMD4<UInt32>]
  private var counts: [UInt32]

  /// Returns the bytes that the sums of a picture take.
  static func workingBytes(_ reduction: Reduction) -> Int { reduction.size.area * 20 }

  init(_ reduction: Reduction) {
    self.reduction = reduction
    sums = Array(repeating: .zero, count: reduction.size.area)
    counts = Array(repeating: 0, count: reduction.size.area)
  }

  /// Adds `count` RGBA pixels of row `y`, starting at column `x`, each `step` columns after the previous one.
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

  /// Returns the picture; blocks without a pixel repeat their left neighbor, or the row above.
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
