/// The nearest palette colour of pixels, told by the upper 6 bits of each channel and worked out when first
/// asked for.
struct NearestColors {
  private var lookup: ColorLookup
  /// The index plus one; 0 = not known yet.
  private var known = [UInt16](repeating: 0, count: 1 << 18)

  init(_ palette: ColorPalette) {
    lookup = ColorLookup(palette.colors)
  }

  /// The index of the colour nearest to an RGBA pixel, which is read as a little-endian word.
  @inline(__always)
  mutating func index(of pixel: UInt32) -> UInt8 {
    let (red, green, blue) = (pixel >> 2 & 0x3F, pixel >> 4 & 0xFC0, pixel >> 6 & 0x3F000)
    let slot = Int(red | green | blue)
    let found = known[slot]
    return found != 0 ? UInt8(truncatingIfNeeded: found &- 1) : find(pixel, slot)
  }

  @inline(never)
  private mutating func find(_ pixel: UInt32, _ slot: Int) -> UInt8 {
    let found = lookup.nearest(to: SIMD4<Float>(pixel: pixel & 0xFCFC_FCFC) + 1.5)
    known[slot] = UInt16(truncatingIfNeeded: found) &+ 1
    return UInt8(truncatingIfNeeded: found)
  }
}

extension SIMD4<Float> {
  /// Red, green and blue of an RGBA pixel that was read as a little-endian word; `w` is 0.
  @inline(__always)
  init(pixel: UInt32) {
    let channels = SIMD4<UInt32>(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, 0)
    self.init(SIMD4<Int32>(truncatingIfNeeded: channels))
  }
}
