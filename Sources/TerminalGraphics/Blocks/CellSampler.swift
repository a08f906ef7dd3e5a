import Pixels

/// Divides a picture of any size into cells and their parts.
struct CellSampler {
  private let size: PixelSize
  private let cells: CellSize
  private let grid: PixelSize
  private let across: AreaShares
  private let down: AreaShares

  /// - Parameters:
  ///   - size: size of the pictures in pixels.
  ///   - grid: number of parts of a cell.
  init(_ size: PixelSize, cells: CellSize, grid: PixelSize) {
    self.size = size
    self.cells = cells
    self.grid = grid
    across = AreaShares(length: size.width, parts: cells.columns * grid.width)
    down = AreaShares(length: size.height, parts: cells.rows * grid.height)
  }

  /// Iterates over a picture's rows of cells from the top.
  /// - Precondition: `picture` has the sampler's size and at least one pixel.
  func forEachRow(of picture: PixelBuffer, _ body: (_ row: Int, _ samples: CellSamples) -> Void) {
    precondition(picture.size == size && !size.isEmpty, "made for another size")
    let stride = (cells.columns + 7) / 8 * 8
    let parts = grid.area
    picture.withUnsafeBytes { bytes in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: parts * 3 * stride) { planes in
        planes.initialize(repeating: 0)
        guard let planes = planes.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: size.width * 4) { line in
          let samples = CellSamples(planes: planes, stride: stride, columns: cells.columns, parts: parts)
          for row in 0..<cells.rows {
            for part in 0..<grid.height {
              gather(row * grid.height + part, bytes, into: line)
              spread(line, part: part, into: samples)
            }
            body(row, samples)
          }
        }
      }
    }
  }

  /// Sums up the rows of pixels that make one row of parts: first red and blue of all pixels, then green and alpha.
  private func gather(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, into line: UnsafeMutableBufferPointer<UInt16>
  ) {
    line.initialize(repeating: 0)
    guard let bytes = bytes.baseAddress, let evens = line.baseAddress else { return }
    let count = size.width * 2
    let odds = evens + count
    let span = down.spans[index]
    for tap in 0..<span.count {
      let share = down.shares[span.shares + tap]
      // Two channels per 16-bit word, so that the compiler vectorizes the loop.
      let pixels = (bytes + (span.first + tap) * size.width * 4).assumingMemoryBound(to: UInt16.self)
      for at in 0..<count {
        let word = UInt16(littleEndian: pixels[at])
        evens[at] &+= (word & 0xFF) &* share
        odds[at] &+= (word &>> 8) &* share
      }
    }
  }

  /// Sums up the columns of each part, and stores the means in `samples`.
  private func spread(
    _ line: UnsafeMutableBufferPointer<UInt16>, part row: Int, into samples: CellSamples
  ) {
    guard let evens = line.baseAddress else { return }
    let odds = evens + size.width * 2
    let scale = 1 / Float(AreaShares.one * AreaShares.one)
    across.shares.withUnsafeBufferPointer { shares in
      across.spans.withUnsafeBufferPointer { spans in
        for part in 0..<grid.width {
          let plane = samples.planes + (row * grid.width + part) * 3 * samples.stride
          for column in 0..<cells.columns {
            let span = spans[column * grid.width + part]
            var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
            for tap in 0..<span.count {
              let share = UInt32(shares[span.shares + tap])
              let pixel = (span.first + tap) * 2
              red &+= UInt32(evens[pixel]) &* share
              blue &+= UInt32(evens[pixel + 1]) &* share
              green &+= UInt32(odds[pixel]) &* share
            }
            plane[column] = Float(red) * scale
            plane[column + samples.stride] = Float(green) * scale
            plane[column + 2 * samples.stride] = Float(blue) * scale
          }
        }
      }
    }
  }
}

/// The mean colors of the parts of one row of cells, in planes: by part, then channel, then cell.
///
/// A view into the sampler's storage, valid only while the row is being drawn.
struct CellSamples {
  let planes: UnsafeMutablePointer<Float>
  /// Distance between planes; a multiple of a vector's lanes, padded with zeros.
  let stride: Int
  let columns: Int
  /// Number of parts of a cell.
  let parts: Int

  /// Returns a channel (0 red, 1 green, 2 blue) of a part of eight adjacent cells.
  func lanes(part: Int, channel: Int, from column: Int) -> SIMD8<Float> {
    UnsafeRawPointer(planes + ((part * 3 + channel) * stride + column))
      .loadUnaligned(as: SIMD8<Float>.self)
  }

  /// Returns the color of a part of one cell; the last lane is zero.
  func color(part: Int, column: Int) -> SIMD4<Float> {
    let red = planes + (part * 3 * stride + column)
    return SIMD4(red[0], red[stride], red[2 * stride], 0)
  }
}

extension CellSamples {
  /// Computes the mean of each of eight cells, and the parts relative to it.
  /// - Parameter points: receives every part's difference from the mean, then all of them negated, for the steps of
  ///   a walk that remove a part.
  /// - Returns: the means.
  func centre(from column: Int, into points: UnsafeMutableBufferPointer<ColorLanes>) -> ColorLanes {
    var mean = ColorLanes()
    for part in 0..<parts {
      points[part] = ColorLanes(
        red: lanes(part: part, channel: 0, from: column), green: lanes(part: part, channel: 1, from: column),
        blue: lanes(part: part, channel: 2, from: column))
      mean = mean + points[part]
    }
    mean = mean * CellLanes(repeating: 1 / Float(parts))
    for part in 0..<parts {
      points[part] = points[part] - mean
      points[parts + part] = ColorLanes() - points[part]
    }
    return mean
  }
}

/// One number for each of eight adjacent cells.
typealias CellLanes = SIMD8<Float>

extension CellLanes {
  /// From 2^23 on, the last bit of a Float is worth one: an addition rounds, and the low bits are the number.
  private static let ones: Float = 8_388_608

  /// The nearest integers of non-negative numbers, in the low bits.
  var numbers: SIMD8<UInt32> { unsafeBitCast(self + Self.ones, to: SIMD8<UInt32>.self) & 0x7F_FFFF }

  /// The nearest integers, also of negative numbers.
  var wholes: CellLanes { (self + Self.ones * 1.5) - Self.ones * 1.5 }
}

/// The weights of pixels along one axis in each of a number of equal parts.
///
/// A part's color is the mean over its area, border pixels weighted by the fraction inside: the single color with
/// the least squared error.
private struct AreaShares: Sendable {
  /// The weights of a part add up to this: with 8 bits of color they fill 16.
  static let one = 256

  /// The pixels of one part.
  struct Span: Sendable {
    var first: Int
    var count: Int
    /// Index of its first weight in the common list.
    var shares: Int
  }

  private(set) var spans: [Span] = []
  private(set) var shares: [UInt16] = []

  init(length: Int, parts: Int) {
    guard length > 0 else { return }
    spans.reserveCapacity(parts)
    for part in 0..<parts {
      // In units of 1/parts of a pixel, all numbers are integers.
      let (start, end) = (part * length, (part + 1) * length)
      let (first, last) = (start / parts, (end - 1) / parts)
      spans.append(Span(first: first, count: last - first + 1, shares: shares.count))
      var done = 0
      for pixel in first...last {
        // Round the running sums instead of the weights: the weights then add up to `one` exactly, and a flat
        // area stays flat.
        let sum = ((min(end, (pixel + 1) * parts) - start) * Self.one + length / 2) / length
        shares.append(UInt16(sum - done))
        done = sum
      }
    }
  }
}
