// Conversions of the four channels of a pixel, which the standard library makes lane by lane through a generic
// function that costs more than all the arithmetic around it.

extension SIMD4<Float> {
  /// The levels nearest to these, which have to be from 0 to 255.
  @inlinable public var roundedToLevels: SIMD4<UInt8> {
    // Beyond 2^23 the last bit of a Float counts ones: the addition rounds, and the low bits are the number.
    SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(self + 8_388_608, to: SIMD4<UInt32>.self))
  }
}

extension SIMD4 where Scalar: BinaryInteger {
  /// The same numbers as floating-point ones.
  @inlinable public var asFloats: SIMD4<Float> { SIMD4<Float>(Float(x), Float(y), Float(z), Float(w)) }
}
