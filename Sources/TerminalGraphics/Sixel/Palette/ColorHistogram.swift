import Pixels

/// How often the colours of a picture occur, 5 bits a channel.
struct ColorHistogram {
  /// The pixels whose colours share the upper bits of each channel.
  struct Bin {
    /// The mean of the pixels' channels, and in `w` how many they are.
    var mean: SIMD4<Float>
    /// The upper 5 bits of each channel.
    var place: SIMD4<UInt8>
  }

  /// The bins that hold pixels.
  let bins: [Bin]

  /// Counts about `samples` pixels, spread over the whole picture.
  init(of picture: PixelBuffer, samples: Int) {
    // Coprime to most widths, so that the samples don't stand in columns.
    let step = max(1, picture.size.area / samples) | 1
    var slots = [SIMD4<UInt32>](repeating: .zero, count: 1 << 15)
    slots.withUnsafeMutableBufferPointer { slots in
      picture.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let pixel = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
          let slot = Int((red >> 3) << 10 | (green >> 3) << 5 | blue >> 3)
          slots[slot] &+= SIMD4(red, green, blue, 1)
          offset += step * 4
        }
      }
    }
    var bins: [Bin] = []
    bins.reserveCapacity(4096)
    for (slot, sums) in slots.enumerated() where sums.w > 0 {
      let count = Float(sums.w)
      var mean = SIMD4<Float>(sums) / count
      mean.w = count
      bins.append(
        Bin(mean: mean, place: SIMD4(UInt8(slot >> 10), UInt8(slot >> 5 & 31), UInt8(slot & 31), 0)))
    }
    self.bins = bins
  }
}
