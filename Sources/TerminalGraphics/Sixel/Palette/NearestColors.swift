/// The nearest palette color for pixels, by the upper 6 bits of each channel, computed on first use.
struct NearestColors {
  private var lookup: ColorLookup
  /// The index plus one; 0 means not computed yet.
  private var known = [UInt16](repeating: 0, count: 1 << 18)

  init(_ palette: ColorPalette) {
    lookup = ColorLookup(palette.colors)
  }

  /// Returns the index of the color nearest to an RGBA pixel, read as a little-endian word.
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

/// Finds the nearest of up to 256 colors.
///
/// The color cube is divided into cells 16 levels wide. On first use, a cell gets the list of colors that can
/// be the nearest to some point of it. For every color, the least and the largest distance to points of the
/// cell are computed: a color whose least distance exceeds another color's largest one is never the nearest.
struct ColorLookup {
  private let colors: [SIMD4<Float>]
  private let reds: [SIMD8<Float>]
  private let greens: [SIMD8<Float>]
  private let blues: [SIMD8<Float>]
  /// For each cell, the start and end of its list in `lists`; not computed yet if the end is 0.
  private var cells = [SIMD2<UInt32>](repeating: .zero, count: 1 << 12)
  private var lists: [Candidate] = []

  /// A color with its index in `w`.
  private typealias Candidate = SIMD4<Float>

  init(_ colors: [SIMD4<Float>]) {
    self.colors = colors
    // Far away from every color, so that the padding of the last vector is never the nearest.
    func packed(_ channel: Int) -> [SIMD8<Float>] {
      stride(from: 0, to: colors.count, by: 8).map { start in
        var vector = SIMD8<Float>(repeating: 10_000)
        for lane in 0..<min(8, colors.count - start) { vector[lane] = colors[start + lane][channel] }
        return vector
      }
    }
    reds = packed(0)
    greens = packed(1)
    blues = packed(2)
    lists.reserveCapacity(1 << 12)
  }

  /// Returns the index of the color nearest to `color`, whose channels are 0 to 255.
  mutating func nearest(to color: SIMD4<Float>) -> Int {
    withCandidates(for: color) { candidates in
      var best = Float.infinity
      var found: Float = 0
      for candidate in candidates {
        let difference = candidate - color
        let square = difference * difference
        let distance = square.x + square.y + square.z
        if distance < best {
          best = distance
          found = candidate.w
        }
      }
      return Int(found)
    }
  }

  /// Calls `body` with the colors that can be the nearest somewhere in the cell of `color`, each with its index in
  /// `w`.
  @inline(__always)
  mutating func withCandidates<Result>(
    for color: SIMD4<Float>, _ body: (UnsafeBufferPointer<SIMD4<Float>>) -> Result
  ) -> Result {
    let place = SIMD4<Int32>(Int32(color.x), Int32(color.y), Int32(color.z), 0) &>> 4
    let cell = Int(place.x &<< 8 | place.y &<< 4 | place.z)
    if cells[cell].y == 0 { makeList(cell, low: SIMD4<Float>(place &<< 4)) }
    let range = Int(cells[cell].x)..<Int(cells[cell].y)
    return lists.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  private mutating func makeList(_ cell: Int, low: SIMD4<Float>) {
    let start = lists.count
    withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: reds.count) { least in
      var bound = SIMD8<Float>(repeating: .infinity)
      for group in reds.indices {
        let red = Self.distances(reds[group], low.x)
        let green = Self.distances(greens[group], low.y)
        let blue = Self.distances(blues[group], low.z)
        least.initializeElement(at: group, to: red.least + green.least + blue.least)
        let most = red.most + green.most + blue.most
        bound = bound.replacing(with: most, where: most .< bound)
      }
      let limit = bound.min()
      for group in reds.indices {
        let near = least[group] .<= limit
        for lane in 0..<8 where near[lane] {
          let index = group * 8 + lane
          var candidate = colors[index]
          candidate.w = Float(index)
          lists.append(candidate)
        }
      }
    }
    cells[cell] = SIMD2(UInt32(start), UInt32(lists.count))
  }

  /// Returns the squares of the least and the largest distance of each value from a cell that starts at `low`.
  private static func distances(
    _ values: SIMD8<Float>, _ low: Float
  ) -> (least: SIMD8<Float>, most: SIMD8<Float>) {
    // From the middle of the cell; its sides are 7.5 away.
    let offset = values - (low + 7.5)
    let distance = offset.replacing(with: -offset, where: offset .< 0)
    let outside = distance - 7.5
    let least = outside.replacing(with: 0, where: outside .< 0)
    let most = distance + 7.5
    return (least * least, most * most)
  }
}
