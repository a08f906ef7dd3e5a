// Conversions of the four channels of a pixel, which the standard library makes lane by lane through a generic
// function that costs more than all the arithmetic around it.

extension SIMD4<Float> {
  /// The levels nearest to these, which have to be from 0 to 255.
  @inlinable public var roundedToLevels: SIMD4<UInt8> {
    // Beyond 2^23 the last bit of a Float counts ones: the addition rounds, and the low bits are the number.
    SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(self + 8_388_608, to: SIMD4<UInt32>.self))
  }

  /// The numbers brought between 0 and 255.
  @inlinable public var clampedToLevels: SIMD4<Float> {
    let low = replacing(with: 0, where: self .< 0)
    return low.replacing(with: 255, where: low .> 255)
  }
}

extension SIMD4 where Scalar: BinaryInteger {
  /// The same numbers as floating-point ones.
  @inlinable public var asFloats: SIMD4<Float> { SIMD4<Float>(Float(x), Float(y), Float(z), Float(w)) }
}

extension SIMD4<UInt8> {
  /// The levels as floating-point numbers.
  @inlinable public var asFloats: SIMD4<Float> {
    // The way back of `roundedToLevels`: as the low bits of 2^23 they are its ones.
    unsafeBitCast(SIMD4<UInt32>(truncatingIfNeeded: self) | 0x4B00_0000, to: SIMD4<Float>.self) - 8_388_608
  }
}
