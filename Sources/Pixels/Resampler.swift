/// Shrinks (and, where asked, enlarges) pictures without aliasing.
///
/// Two passes of a Catmull-Rom kernel (Keys 1981, a = −½) whose support is widened by the scale factor,
/// so that every source pixel counts: linear time in the pixels read plus the pixels written. Weights are
/// 14-bit fixed point; each tap is one SIMD multiply-add over the four channels of a pixel.
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
    return withUnsafeTemporaryAllocation(of: SIMD4<Int16>.self, capacity: rowCount * target.width) { middle in
      picture.bytes.withUnsafeBufferPointer { bytes in
        for row in 0..<rowCount {
          let line = UnsafeBufferPointer(
            rebasing: bytes[((firstRow + row) * source.width * 4)..<((firstRow + row + 1) * source.width * 4)]
          )
          horizontal(
            line,
            into: UnsafeMutableBufferPointer(
              rebasing: middle[(row * target.width)..<((row + 1) * target.width)]))
        }
      }
      return PixelBuffer(size: target) { output in
        for y in 0..<target.height {
          vertical(y, middle: middle, firstRow: firstRow, into: output)
        }
      }
    }
  }

  private func horizontal(
    _ line: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<SIMD4<Int16>>
  ) {
    guard let pixels = UnsafeRawPointer(line.baseAddress) else { return }
    columns.withTaps { weights, spans in
      for x in 0..<target.width {
        let span = spans[x]
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        for tap in 0..<span.count {
          let pixel = pixels.loadUnaligned(fromByteOffset: (span.first + tap) * 4, as: SIMD4<UInt8>.self)
          sum &+= SIMD4<Int32>(truncatingIfNeeded: pixel) &* weights[span.weights + tap]
        }
        // Kept signed and unclamped: overshoot of the first pass may be taken back by the second.
        output[x] = SIMD4<Int16>(truncatingIfNeeded: sum &>> FilterBank.bits)
      }
    }
  }

  private func vertical(
    _ y: Int, middle: UnsafeMutableBufferPointer<SIMD4<Int16>>, firstRow: Int,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let out = UnsafeMutableRawPointer(output.baseAddress) else { return }
    rows.withTaps { weights, spans in
      let span = spans[y]
      let base = (span.first - firstRow) * target.width
      for x in 0..<target.width {
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        var index = base + x
        for tap in 0..<span.count {
          sum &+= SIMD4<Int32>(truncatingIfNeeded: middle[index]) &* weights[span.weights + tap]
          index += target.width
        }
        let value = (sum &>> FilterBank.bits).clamped(
          lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
        out.storeBytes(
          of: SIMD4<UInt8>(truncatingIfNeeded: value), toByteOffset: (y * target.width + x) * 4,
          as: SIMD4<UInt8>.self)
      }
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
