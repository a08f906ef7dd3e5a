import Pixels

/// How often the colors of a picture occur, by 5 bits a channel, or by 7 where 5 tell too few apart.
struct ColorHistogram {
  /// The pixels whose colours share the upper bits of each channel.
  struct Bin {
    /// The mean of the pixels' channels, and in `w` how many they are.
    var mean: SIMD4<Float>
    /// The upper bits of each channel.
    var place: SIMD4<UInt8>
  }

  /// The bins that hold pixels.
  let bins: [Bin]
  /// How many values `place` can have in each channel.
  let placeCount: Int
  /// Smooth pictures have no more bins of 5 bits: a sky, a wall, a drawing.
  private static let fewBins = 2048
  /// Thumbnails, of which a screen has many, are counted by 5 bits: more would take a tenth of their time.
  private static let leastArea = 210 * 210

  /// Counts about `samples` pixels, spread over the whole picture.
  init(of picture: PixelBuffer, samples: Int) {
    // Coprime to most widths, so that the samples don't stand in columns.
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
    // Each bin is divided by the levels of sixels, of which at most four lie within one: the means of a gradient's coarse
    // bins are too few colors, and leave registers unused.
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

  /// For each value of a channel its level from 0 to 100, and which of the levels of its coarse bin that is.
  private static let levels: [(level: UInt8, part: UInt8)] = (0...255).map { value in
    func level(_ value: Int) -> Int { (value * 100 + 127) / 255 }
    return (UInt8(level(value)), UInt8(level(value) - level(value & ~7)))
  }

  /// The nearest level of the sixel scale, 0 to 100, of each channel.
  static func level(of color: SIMD4<Float>) -> SIMD4<UInt8> {
    let steps = color * (100 / 255) + 0.5
    return SIMD4(UInt8(min(100, steps.x)), UInt8(min(100, steps.y)), UInt8(min(100, steps.z)), 0)
  }

  /// Adds up every `step`th pixel in slots: the channels, and in `w` how many pixels there are.
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
