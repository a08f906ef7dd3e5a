import Pixels

/// Up to 256 colors chosen for one picture, in the precision of sixels: 101 levels per channel.
///
/// Boxes of histogram bins are split until there are enough; then each color moves to the mean of the bins nearest
/// to it (k-means; Lloyd, Least squares quantization in PCM, 1982).
struct ColorPalette: Sendable {
  /// Levels of red, green and blue, 0 to 100.
  let levels: [SIMD4<UInt8>]
  /// The colors that a terminal shows for the levels, 0 to 255.
  let colors: [SIMD4<Float>]

  /// Chooses at most `count` colors and refines them `refinements` times.
  init(for histogram: ColorHistogram, count: Int, refinements: Int) {
    var bins = histogram.bins
    var centers = bins.withUnsafeMutableBufferPointer {
      Self.centers($0, placeCount: histogram.placeCount, count: count)
    }
    for _ in 0..<refinements { centers = Self.refined(centers, bins) }
    var seen: Set<SIMD4<UInt8>> = []
    let steps = centers.map { ColorHistogram.level(of: $0) }
    levels = steps.filter { seen.insert($0).inserted }
    colors = levels.map { Self.color(of: $0) }
  }

  /// Returns the color that a terminal shows for levels: the nearest of 256 values.
  static func color(of level: SIMD4<UInt8>) -> SIMD4<Float> {
    (SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: level)) * 2.55 + 0.5).rounded(.down)
  }

  private static func centers(
    _ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>, placeCount: Int, count: Int
  ) -> [SIMD4<Float>] {
    var boxes = [ColorBox(bins, in: 0..<bins.count, placeCount: placeCount)]
    boxes.reserveCapacity(count)
    while boxes.count < count {
      var widest = 0
      for index in boxes.indices where boxes[index].gain > boxes[widest].gain { widest = index }
      guard boxes[widest].gain > 0 else { break }
      let (low, high) = boxes[widest].split(bins)
      boxes[widest] = low
      boxes.append(high)
    }
    return boxes.map(\.center)
  }

  private static func refined(_ centers: [SIMD4<Float>], _ bins: [ColorHistogram.Bin]) -> [SIMD4<Float>] {
    var lookup = ColorLookup(centers)
    var sums = [SIMD4<Float>](repeating: .zero, count: centers.count)
    for bin in bins {
      var sum = bin.mean * bin.mean.w
      sum.w = bin.mean.w
      sums[lookup.nearest(to: bin.mean)] += sum
    }
    return zip(centers, sums).map { center, sum in sum.w > 0 ? sum / sum.w : center }
  }
}

/// How often the colors of a picture occur, by 5 bits per channel, or by 7 if 5 distinguish too few.
struct ColorHistogram {
  /// The pixels whose colors share the upper bits of each channel.
  struct Bin {
    /// The mean of the pixels' channels, and their number in `w`.
    var mean: SIMD4<Float>
    /// The upper bits of each channel.
    var place: SIMD4<UInt8>
  }

  /// The bins that contain pixels.
  let bins: [Bin]
  /// Number of possible values of `place` in each channel.
  let placeCount: Int
  /// The most bins of 5 bits of a smooth picture, such as a sky, a wall or a drawing.
  private static let fewBins = 2048
  /// Thumbnails, of which a screen has many, use 5 bits: more would take a tenth of their time.
  private static let leastArea = 210 * 210

  /// Counts about `samples` pixels, spread over the whole picture.
  init(of picture: PixelBuffer, samples: Int) {
    // Coprime to most widths, so that the samples do not line up in columns.
    let step = max(1, picture.size.area / samples) | 1
    let coarse = Self.sums(of: picture, step: step, slotCount: 1 << 15) { red, green, blue in
      Int((red >> 3) << 10 | (green >> 3) << 5 | blue >> 3)
    }
    let used = coarse.indices.filter { coarse[$0].w > 0 }
    if used.count > Self.fewBins || picture.size.area < Self.leastArea {
      placeCount = 32
      bins = used.map { slot in
        Bin(coarse[slot], place: SIMD4(UInt8(slot >> 10), UInt8(slot >> 5 & 31), UInt8(slot & 31), 0))
      }
      return
    }
    // Divide each coarse bin by sixel levels, at most four per channel: a gradient has so few coarse bins
    // that registers would remain unused.
    var numbers = [UInt16](repeating: 0, count: coarse.count)
    for (number, slot) in used.enumerated() { numbers[slot] = UInt16(number) }
    let fine = Self.sums(of: picture, step: step, slotCount: used.count << 6) { red, green, blue in
      let slot: UInt32 = (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
      let (r, g, b) = (Self.levels[Int(red)], Self.levels[Int(green)], Self.levels[Int(blue)])
      return Int(numbers[Int(slot)]) << 6 | Int(r.part) << 4 | Int(g.part) << 2 | Int(b.part)
    }
    placeCount = 101
    bins = fine.filter { $0.w > 0 }.map { sums in
      Bin(sums, place: Self.level(of: SIMD4<Float>(sums) / Float(sums.w)))
    }
  }

  /// For each value of a channel, its level from 0 to 100, and the index of that level within its coarse bin.
  private static let levels: [(level: UInt8, part: UInt8)] = (0...255).map { value in
    func level(_ value: Int) -> Int { (value * 100 + 127) / 255 }
    return (UInt8(level(value)), UInt8(level(value) - level(value & ~7)))
  }

  /// Returns the nearest sixel level, 0 to 100, of each channel.
  static func level(of color: SIMD4<Float>) -> SIMD4<UInt8> {
    let steps = color * (100 / 255) + 0.5
    return SIMD4(UInt8(min(100, steps.x)), UInt8(min(100, steps.y)), UInt8(min(100, steps.z)), 0)
  }

  /// Sums up every `step`th pixel in slots: the channels, and the number of pixels in `w`.
  @inline(__always)
  private static func sums(
    of picture: PixelBuffer, step: Int, slotCount: Int, slot: (UInt32, UInt32, UInt32) -> Int
  ) -> [SIMD4<UInt32>] {
    var slots = [SIMD4<UInt32>](repeating: .zero, count: slotCount)
    slots.withUnsafeMutableBufferPointer { slots in
      picture.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let pixel = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
          slots[slot(red, green, blue)] &+= SIMD4(red, green, blue, 1)
          offset += step * 4
        }
      }
    }
    return slots
  }
}

extension ColorHistogram.Bin {
  fileprivate init(_ sums: SIMD4<UInt32>, place: SIMD4<UInt8>) {
    let count = Float(sums.w)
    mean = SIMD4<Float>(sums) / count
    mean.w = count
    self.place = place
  }
}

/// A group of bins that becomes one color; a range of a list that boxes share.
///
/// Heckbert, Color image quantization for frame buffer display, 1982; split where Wu, Color quantization by dynamic
/// programming and principal analysis, 1992, splits: where the squared error falls most.
struct ColorBox {
  private let range: Range<Int>
  private let placeCount: Int
  /// The squared error that a split saves.
  let gain: Float
  /// Where to split: the channel, and the last place before the split.
  private let axis: Int
  private let place: UInt8
  /// The mean of its pixels.
  let center: SIMD4<Float>

  /// - Parameter placeCount: number of places on each axis.
  init(
    _ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>, in range: Range<Int>, placeCount: Int
  ) {
    self.range = range
    self.placeCount = placeCount
    // Sums of the bins by their place on each axis: red, then green, then blue.
    let found = withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 3 * placeCount) { slices in
      slices.initialize(repeating: .zero)
      var total = SIMD4<Float>.zero
      for index in range {
        let bin = bins[index]
        var sum = bin.mean * bin.mean.w
        sum.w = bin.mean.w
        slices[Int(bin.place.x)] += sum
        slices[placeCount + Int(bin.place.y)] += sum
        slices[2 * placeCount + Int(bin.place.z)] += sum
        total += sum
      }
      let whole = Self.weight(of: total)
      var best = (gain: Float(0), axis: 0, place: UInt8(0))
      for axis in 0..<3 {
        var low = SIMD4<Float>.zero
        for place in 0..<placeCount - 1 {
          let slice = slices[axis * placeCount + place]
          if slice.w == 0 { continue }
          low += slice
          if low.w >= total.w { break }
          let gain = Self.weight(of: low) + Self.weight(of: total - low) - whole
          if gain > best.gain { best = (gain, axis, UInt8(place)) }
        }
      }
      return (best, total / max(total.w, 1))
    }
    (gain, axis, place) = found.0
    center = found.1
  }

  /// Returns the squared length of the sum divided by the count: the smaller it is, the larger the error.
  private static func weight(of sum: SIMD4<Float>) -> Float {
    (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / sum.w
  }

  /// Returns the two boxes after the split; partitions the bins of this box.
  func split(_ bins: UnsafeMutableBufferPointer<ColorHistogram.Bin>) -> (ColorBox, ColorBox) {
    var middle = range.lowerBound
    for index in range where bins[index].place[axis] <= place {
      bins.swapAt(index, middle)
      middle += 1
    }
    return (
      ColorBox(bins, in: range.lowerBound..<middle, placeCount: placeCount),
      ColorBox(bins, in: middle..<range.upperBound, placeCount: placeCount)
    )
  }
}
