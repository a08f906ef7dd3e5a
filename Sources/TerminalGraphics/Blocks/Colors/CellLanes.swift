/// One number for each of eight cells side by side.
typealias CellLanes = SIMD8<Float>

extension CellLanes {
  /// From 2^23 on the last bit of a Float counts ones: an addition rounds, and the low bits are the number.
  private static let ones: Float = 8_388_608

  /// The nearest whole numbers of ones from 0 on, in the low bits.
  var numbers: SIMD8<UInt32> { unsafeBitCast(self + Self.ones, to: SIMD8<UInt32>.self) & 0x7F_FFFF }

  /// The nearest whole numbers, negative ones too.
  var wholes: CellLanes { (self + Self.ones * 1.5) - Self.ones * 1.5 }
}
