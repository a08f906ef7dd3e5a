/// The number of pixels of an image at each level of luminance, red, green and blue.
///
/// Fully transparent pixels don't count.
public struct LevelHistogram: Hashable, Sendable {
  /// The number of levels of an 8-bit channel.
  public static let levels = 256

  /// Luminance with the weights of ITU-R BT.601, section 2.5.1, from 0 to 255.
  public private(set) var luminance = [UInt32](repeating: 0, count: levels)
  /// The number of pixels at each level of red, from 0 to 255.
  public private(set) var red = [UInt32](repeating: 0, count: levels)
  /// The number of pixels at each level of green, from 0 to 255.
  public private(set) var green = [UInt32](repeating: 0, count: levels)
  /// The number of pixels at each level of blue, from 0 to 255.
  public private(set) var blue = [UInt32](repeating: 0, count: levels)

  /// Counts the pixels of an image, in about a millisecond per million.
  public init(of picture: PixelBuffer) {
    let levels = Self.levels
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * levels) { counts in
      counts.initialize(repeating: 0)
      picture.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 3, by: PixelBuffer.bytesPerPixel) {
          let (red, green) = (Int(bytes[offset]), Int(bytes[offset + 1]))
          let (blue, alpha) = (Int(bytes[offset + 2]), bytes[offset + 3])
          if alpha == 0 { continue }
          // 0.299, 0.587 and 0.114 in 65,536ths.
          let luminance = (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16
          counts[luminance] += 1
          counts[levels + red] += 1
          counts[2 * levels + green] += 1
          counts[3 * levels + blue] += 1
        }
      }
      luminance = Array(counts[..<levels])
      red = Array(counts[levels..<2 * levels])
      green = Array(counts[2 * levels..<3 * levels])
      blue = Array(counts[(3 * levels)...])
    }
  }

  /// Returns the counts of adjacent levels summed into `count` columns.
  public static func columns(_ counts: [UInt32], _ count: Int) -> [Int] {
    guard count > 0 else { return [] }
    return (0..<count).map { column in
      let range = column * counts.count / count..<(column + 1) * counts.count / count
      // With more columns than levels, adjacent columns show the same level.
      let levels = range.isEmpty ? range.lowerBound..<min(counts.count, range.lowerBound + 1) : range
      return counts[levels].reduce(0) { $0 + Int($1) }
    }
  }
}

// Conversions of the four channels of a pixel. Those of the standard library go lane by lane through a
// generic function that costs more than all the surrounding arithmetic.

extension SIMD4<Float> {
  /// The values rounded to levels; they must be from 0 to 255.
  @inlinable public var roundedToLevels: SIMD4<UInt8> {
    // From 2^23 on, the last bit of a Float has the value 1: the addition rounds, and the low bits are the
    // integer.
    SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(self + 8_388_608, to: SIMD4<UInt32>.self))
  }

  /// The values clamped to 0...255.
  @inlinable public var clampedToLevels: SIMD4<Float> {
    let low = replacing(with: 0, where: self .< 0)
    return low.replacing(with: 255, where: low .> 255)
  }
}

extension SIMD4 where Scalar: BinaryInteger {
  /// The values as floating-point numbers.
  @inlinable public var asFloats: SIMD4<Float> { SIMD4<Float>(Float(x), Float(y), Float(z), Float(w)) }
}

extension SIMD4<UInt8> {
  /// The levels as floating-point numbers.
  @inlinable public var asFloats: SIMD4<Float> {
    // The inverse of `roundedToLevels`: the levels become the low bits of 2^23, which is then subtracted.
    unsafeBitCast(SIMD4<UInt32>(truncatingIfNeeded: self) | 0x4B00_0000, to: SIMD4<Float>.self) - 8_388_608
  }
}
