import Pixels

/// Cuts a picture into cells and their parts, whatever its size.
struct CellSampler {
  private let size: PixelSize
  private let cells: CellSize
  private let grid: PixelSize
  private let across: AreaShares
  private let down: AreaShares

  /// - Parameters:
  ///   - size: of the pictures, in pixels.
  ///   - grid: the parts of a cell.
  init(_ size: PixelSize, cells: CellSize, grid: PixelSize) {
    self.size = size
    self.cells = cells
    self.grid = grid
    across = AreaShares(length: size.width, parts: cells.columns * grid.width)
    down = AreaShares(length: size.height, parts: cells.rows * grid.height)
  }

  /// Goes through the rows of cells of a picture, from the top.
  /// - Precondition: `picture` has the size that the sampler was made for, and at least one pixel.
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

  /// Adds up the rows of pixels that make one row of parts: first red and blue of all pixels, then green and
  /// alpha.
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
      // Two channels in a word of 16 bits: the compiler makes vectors of this.
      let pixels = (bytes + (span.first + tap) * size.width * 4).assumingMemoryBound(to: UInt16.self)
      for at in 0..<count {
        let word = UInt16(littleEndian: pixels[at])
        evens[at] &+= (word & 0xFF) &* share
        odds[at] &+= (word &>> 8) &* share
      }
    }
  }

  /// Adds up the columns that make each part, and puts the means where they belong.
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
