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
