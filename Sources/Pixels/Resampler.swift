/// Shrinks (and, where asked, enlarges) pictures without aliasing.
///
/// Two passes of a Catmull-Rom kernel (Keys 1981, a = −½) whose support is widened by the scale factor,
/// so that every source pixel counts: linear time in the pixels read plus the pixels written. Weights are
/// 14-bit fixed point; each tap is one SIMD multiply-add over the four channels of a pixel. Colours count as
/// much as their pixel is opaque: what stands under an alpha of 0 leaves no fringe.
public struct Resampler: Sendable {
  private let source: PixelSize
  private let target: PixelSize
  private let columns: FilterBank
  private let rows: FilterBank

  /// Prepares the filters that bring `region` of a `source`-sized picture to `target`.
  public init(from source: PixelSize, region: PixelRegion? = nil, to target: PixelSize) {
    let region = region ?? PixelRegion(source)
    self.source = source
    self.target = target
    columns = FilterBank(start: region.x, length: region.width, limit: source.width, count: target.width)
    rows = FilterBank(start: region.y, length: region.height, limit: source.height, count: target.height)
  }

  /// The resampled picture.
  /// - Precondition: `picture` has the source size the resampler was made for.
  public func callAsFunction(_ picture: PixelBuffer) -> PixelBuffer {
    precondition(picture.size == source, "made for another size")
    if target.isEmpty { return PixelBuffer(size: .zero, bytes: []) }
    // Horizontal first, only over the rows that the vertical pass reads.
    let firstRow = rows.first
    let rowCount = rows.end - firstRow
    let isOpaque = picture.isOpaque(rows: firstRow..<rows.end)
    return withUnsafeTemporaryAllocation(of: SIMD4<Int16>.self, capacity: rowCount * target.width) { middle in
      picture.bytes.withUnsafeBytes { bytes in
        for row in 0..<rowCount {
          let start = (firstRow + row) * source.width * 4
          let line = UnsafeRawBufferPointer(rebasing: bytes[start..<start + source.width * 4])
          let output = UnsafeMutableBufferPointer(
            rebasing: middle[(row * target.width)..<((row + 1) * target.width)])
          if isOpaque { horizontal(line, into: output) } else { weightedHorizontal(line, into: output) }
        }
      }
      return PixelBuffer(size: target) { output in
        for y in 0..<target.height {
          let line = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(output)[
              (y * target.width * 4)..<((y + 1) * target.width * 4)])
          if isOpaque {
            vertical(y, middle, into: line)
          } else {
            weightedVertical(y, middle, into: line)
          }
        }
      }
    }
  }

  // MARK: Opaque pictures

  private func horizontal(
    _ line: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<SIMD4<Int16>>
  ) {
    columns.withTaps { weights, spans in
      for x in 0..<target.width {
        let span = spans[x]
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        for tap in 0..<span.count {
          let pixel = line.loadUnaligned(fromByteOffset: (span.first + tap) * 4, as: SIMD4<UInt8>.self)
          sum &+= SIMD4<Int32>(truncatingIfNeeded: pixel) &* weights[span.weights + tap]
        }
        // Kept signed and unclamped: overshoot of the first pass may be taken back by the second.
        output[x] = SIMD4<Int16>(truncatingIfNeeded: sum &>> FilterBank.bits)
      }
    }
  }

  private func vertical(
    _ y: Int, _ middle: UnsafeMutableBufferPointer<SIMD4<Int16>>, into line: UnsafeMutableRawBufferPointer
  ) {
    sums(y, middle) { x, sum in
      let value = (sum &>> FilterBank.bits).clamped(
        lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
      line.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: value), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
    }
  }

  /// The weighted sums of the columns for row `y`, with one half added.
  @inline(__always)
  private func sums(
    _ y: Int, _ middle: UnsafeMutableBufferPointer<SIMD4<Int16>>, _ take: (Int, SIMD4<Int32>) -> Void
  ) {
    rows.withTaps { weights, spans in
      let span = spans[y]
      let base = (span.first - rows.first) * target.width
      for x in 0..<target.width {
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        var index = base + x
        for tap in 0..<span.count {
          sum &+= SIMD4<Int32>(truncatingIfNeeded: middle[index]) &* weights[span.weights + tap]
          index += target.width
        }
        take(x, sum)
      }
    }
  }

  // MARK: Pictures with alpha

  /// Bits that are kept of a fraction between the passes: of dark, nearly transparent pixels little else
  /// is left.
  private static let fractionBits: Int32 = 5

  private func weightedHorizontal(
    _ line: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<SIMD4<Int16>>
  ) {
    columns.withTaps { weights, spans in
      for x in 0..<target.width {
        let span = spans[x]
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        for tap in 0..<span.count {
          let pixel = SIMD4<Int32>(
            truncatingIfNeeded: line.loadUnaligned(
              fromByteOffset: (span.first + tap) * 4, as: SIMD4<UInt8>.self))
          let alpha = pixel.w
          // Times 32/255, rounded, by a multiplication: 8224/65536 is 31.9996/255.
          let weighed = (pixel &* SIMD4(alpha, alpha, alpha, 255) &* 8224 &+ 32768) &>> 16
          sum &+= weighed &* weights[span.weights + tap]
        }
        output[x] = SIMD4<Int16>(truncatingIfNeeded: sum &>> FilterBank.bits)
      }
    }
  }

  private func weightedVertical(
    _ y: Int, _ middle: UnsafeMutableBufferPointer<SIMD4<Int16>>, into line: UnsafeMutableRawBufferPointer
  ) {
    let scale = 1 / Float(Int32(1) << (FilterBank.bits + Self.fractionBits))
    sums(y, middle) { x, sum in
      var value = sum.asFloats * scale
      let alpha = value.w
      if alpha >= 0.5 { value *= SIMD4(255 / alpha, 255 / alpha, 255 / alpha, 1) } else { value = .zero }
      value.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      line.storeBytes(of: value.roundedToLevels, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
    }
  }
}

extension PixelBuffer {
  /// The picture at exactly `target`, the overhang of another shape cut off evenly.
  public func resampled(to target: PixelSize) -> PixelBuffer {
    guard target != size, !size.isEmpty else { return self }
    return Resampler(from: size, region: PixelRegion(centredIn: size, shapedLike: target), to: target)(self)
  }

  /// The part of the picture inside whole-pixel bounds.
  public func cropped(x: Int, y: Int, to target: PixelSize) -> PixelBuffer {
    var cropped = [UInt8]()
    cropped.reserveCapacity(target.area * Self.bytesPerPixel)
    for row in y..<(y + target.height) {
      let start = (row * width + x) * Self.bytesPerPixel
      cropped.append(contentsOf: bytes[start..<(start + target.width * Self.bytesPerPixel)])
    }
    return PixelBuffer(size: target, bytes: cropped)
  }
}
