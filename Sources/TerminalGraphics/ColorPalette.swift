import Pixels

/// Up to 256 colours chosen for one picture, and the nearest of them for every pixel.
///
/// Median cut (Heckbert 1982) over a histogram of 5 bits a channel, cutting where the squared error is
/// largest; the colour of a box is the mean of its pixels. The nearest colour is looked up by 6 bits a
/// channel and worked out only for the cells that occur.
struct ColorPalette: Sendable {
  let colors: [Color]

  /// Chooses the colours.
  init(for picture: PixelBuffer, count: Int) {
    let histogram = ColorHistogram(of: picture)
    var boxes = [ColorBox(histogram.bins)]
    while boxes.count < count {
      guard let index = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
        let (low, high) = boxes[index].split()
      else { break }
      boxes[index] = low
      boxes.append(high)
    }
    colors = boxes.map(\.mean)
  }

  /// The index of the nearest colour for every pixel, row by row.
  func indices(of picture: PixelBuffer) -> [UInt8] {
    var table = NearestColorTable(colors)
    return picture.bytes.withUnsafeBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: picture.size.area) { output, count in
        for index in 0..<picture.size.area {
          output[index] = table.nearest(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        count = picture.size.area
      }
    }
  }
}

/// How often the colours of a picture occur, 5 bits a channel.
private struct ColorHistogram {
  struct Bin {
    /// Sums of the channels over the bin's pixels.
    var sum: SIMD4<Float> = .zero
    var count: Float = 0

    var mean: SIMD4<Float> { sum / count }
  }

  let bins: [Bin]

  init(of picture: PixelBuffer) {
    // About 20,000 samples tell the colours of any picture well enough.
    let area = picture.size.area
    let step = max(1, area / 20_000)
    var slots = [Bin](repeating: Bin(), count: 1 << 15)
    picture.bytes.withUnsafeBytes { bytes in
      // A stride that shares no factor with the width would be better still; an odd one is good enough.
      for index in stride(from: 0, to: area, by: step | 1) {
        let pixel = bytes.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<UInt8>.self)
        let slot = Int(pixel.x >> 3) << 10 | Int(pixel.y >> 3) << 5 | Int(pixel.z >> 3)
        slots[slot].sum += SIMD4<Float>(pixel)
        slots[slot].count += 1
      }
    }
    bins = slots.filter { $0.count > 0 }
  }
}

/// A group of bins that becomes one colour.
private struct ColorBox {
  private var bins: [ColorHistogram.Bin]
  private let total: Float
  private let center: SIMD4<Float>
  private let spread: SIMD4<Float>

  init(_ bins: [ColorHistogram.Bin]) {
    self.bins = bins
    var sum = SIMD4<Float>.zero
    var squares = SIMD4<Float>.zero
    var total: Float = 0
    for bin in bins {
      let mean = bin.mean
      sum += bin.sum
      squares += mean * bin.sum
      total += bin.count
    }
    self.total = total
    center = total > 0 ? sum / total : .zero
    spread = squares - center * sum
  }

  /// What it costs that all these pixels get one colour: the sum of squared differences.
  var error: Float { bins.count > 1 ? spread.x + spread.y + spread.z : 0 }

  var mean: Color {
    let value = center.rounded(.toNearestOrAwayFromZero)
    return Color(red: UInt8(value.x), green: UInt8(value.y), blue: UInt8(value.z))
  }

  /// Cuts across the axis along which the colours differ most, at their mean.
  func split() -> (ColorBox, ColorBox)? {
    guard bins.count > 1 else { return nil }
    let axis = spread.x >= spread.y ? (spread.x >= spread.z ? 0 : 2) : (spread.y >= spread.z ? 1 : 2)
    var bins = bins
    let middle = bins.partition { $0.mean[axis] > center[axis] }
    guard middle > 0, middle < bins.count else { return nil }
    return (ColorBox(Array(bins[..<middle])), ColorBox(Array(bins[middle...])))
  }
}

/// The nearest palette colour by the upper 6 bits of each channel, worked out when first asked for.
private struct NearestColorTable {
  private let reds: [SIMD16<Int16>]
  private let greens: [SIMD16<Int16>]
  private let blues: [SIMD16<Int16>]
  /// The index plus one; 0 = not known yet.
  private var known = [UInt16](repeating: 0, count: 1 << 18)

  init(_ colors: [Color]) {
    // Far away from every colour, so that the filling of the last vector is never the nearest.
    func packed(_ channel: (Color) -> UInt8) -> [SIMD16<Int16>] {
      stride(from: 0, to: colors.count, by: 16).map { start in
        var vector = SIMD16<Int16>(repeating: 1000)
        for lane in 0..<min(16, colors.count - start) { vector[lane] = Int16(channel(colors[start + lane])) }
        return vector
      }
    }
    reds = packed(\.red)
    greens = packed(\.green)
    blues = packed(\.blue)
  }

  /// The nearest colour of an RGBA pixel as a little-endian word.
  mutating func nearest(_ pixel: UInt32) -> UInt8 {
    let slot = Int(pixel >> 2 & 63) << 12 | Int(pixel >> 10 & 63) << 6 | Int(pixel >> 18 & 63)
    let index = known[slot]
    if index != 0 { return UInt8(truncatingIfNeeded: index &- 1) }
    let found = search(
      red: Int16(pixel >> 2 & 63) * 4 + 2, green: Int16(pixel >> 10 & 63) * 4 + 2,
      blue: Int16(pixel >> 18 & 63) * 4 + 2)
    known[slot] = UInt16(found) + 1
    return UInt8(found)
  }

  private func search(red: Int16, green: Int16, blue: Int16) -> Int {
    var best = Int32.max
    var found = 0
    for group in reds.indices {
      let r = SIMD16<Int32>(truncatingIfNeeded: reds[group] &- red)
      let g = SIMD16<Int32>(truncatingIfNeeded: greens[group] &- green)
      let b = SIMD16<Int32>(truncatingIfNeeded: blues[group] &- blue)
      let distance = r &* r &+ g &* g &+ b &* b
      let least = distance.min()
      if least < best {
        best = least
        for lane in 0..<16 where distance[lane] == least {
          found = group * 16 + lane
          break
        }
      }
    }
    return found
  }
}
