/// Resizes images without aliasing.
///
/// Two passes of a Catmull-Rom kernel (Keys 1981, a = −½) whose support is widened by the scale factor, so
/// that every source pixel counts: linear time in the pixels read plus the pixels written. Only the rows
/// needed for one row of the result are kept between the passes, so that they stay in the processor's cache.
/// Colors are weighted by alpha, so that transparent pixels leave no fringe.
public struct Resampler: Sendable {
  private let source: PixelSize
  private let target: PixelSize
  private let columns: FilterBank
  private let rows: FilterBank

  /// Prepares the filters that resize `region` of a `source`-sized image to `target`.
  public init(from source: PixelSize, region: PixelRegion? = nil, to target: PixelSize) {
    let region = region ?? PixelRegion(source)
    self.source = source
    self.target = target
    columns = FilterBank(start: region.x, length: region.width, limit: source.width, count: target.width)
    rows = FilterBank(start: region.y, length: region.height, limit: source.height, count: target.height)
  }

  /// Returns the maximum working memory for shrinking an image, in bytes and without the result.
  ///
  /// It consists of six weights for each source column and row, a row of colors, and the rows on which one
  /// row of the result depends.
  ///
  /// Each column of the result depends on four times as many source columns as it covers, plus two at the
  /// edges.
  package static func workingBytes(from source: PixelSize) -> Int {
    let span = 6 * MemoryLayout<Float>.size + MemoryLayout<FilterBank.Span>.stride
    let colors = MemoryLayout<SIMD4<Float>>.size
    return (source.width + source.height) * (span + colors + 6 * colors)
  }

  /// Returns the resampled image.
  /// - Precondition: `picture` has the size `source`.
  public func callAsFunction(_ picture: PixelBuffer) -> PixelBuffer {
    precondition(picture.size == source, "the picture has another size than the source")
    if target.isEmpty { return PixelBuffer(size: .zero, bytes: []) }
    let isOpaque = picture.isOpaque(rows: rows.first..<rows.end)
    return PixelBuffer(size: target) { output in
      let output = UnsafeMutableRawBufferPointer(output)
      picture.withUnsafeBytes { bytes in
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: source.width) { line in
          let height = rows.longestSpan
          withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: height * target.width) { ring in
            resample(bytes, isOpaque, line, Ring(rows: ring, height: height, width: target.width), output)
          }
        }
      }
    }
  }

  /// A ring buffer of horizontally resampled source rows, which the vertical pass reads.
  private struct Ring {
    let rows: UnsafeMutableBufferPointer<SIMD4<Float>>
    let height: Int
    let width: Int

    subscript(row: Int) -> UnsafeMutableBufferPointer<SIMD4<Float>> {
      let start = row % height * width
      return UnsafeMutableBufferPointer(rebasing: rows[start..<start + width])
    }
  }

  private func resample(
    _ bytes: UnsafeRawBufferPointer, _ isOpaque: Bool, _ line: UnsafeMutableBufferPointer<SIMD4<Float>>,
    _ ring: Ring, _ output: UnsafeMutableRawBufferPointer
  ) {
    var next = rows.first
    rows.withTaps { weights, spans in
      for y in 0..<target.height {
        let span = spans[y]
        while next < span.first + span.count {
          let start = next * source.width * 4
          read(
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + source.width * 4]), isOpaque, into: line)
          horizontal(line, into: ring[next])
          next += 1
        }
        let taps = UnsafeBufferPointer(rebasing: weights[span.weights..<span.weights + span.count])
        let start = y * target.width * 4
        let end = start + target.width * 4
        let into = UnsafeMutableRawBufferPointer(rebasing: output[start..<end])
        if isOpaque {
          vertical(ring, span.first, taps, into: into)
        } else {
          weightedVertical(ring, span.first, taps, into: into)
        }
      }
    }
  }

  /// Converts a row to floating point, premultiplied by alpha unless the image is opaque.
  private func read(
    _ bytes: UnsafeRawBufferPointer, _ isOpaque: Bool, into line: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let span = columns.first..<columns.end
    if isOpaque {
      for x in span {
        line[x] = bytes.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self).asFloats
      }
      return
    }
    for x in span {
      let pixel = bytes.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self).asFloats
      let alpha = pixel.w / 255
      line[x] = pixel * SIMD4(alpha, alpha, alpha, 1)
    }
  }

  private func horizontal(
    _ line: UnsafeMutableBufferPointer<SIMD4<Float>>,
    into output: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    columns.withTaps { weights, spans in
      for x in 0..<target.width {
        let span = spans[x]
        var sum = SIMD4<Float>.zero
        for tap in 0..<span.count { sum += line[span.first + tap] * weights[span.weights + tap] }
        // Not clamped: the second pass may cancel overshoot of the first.
        output[x] = sum
      }
    }
  }

  private func vertical(
    _ ring: Ring, _ first: Int, _ taps: UnsafeBufferPointer<Float>,
    into output: UnsafeMutableRawBufferPointer
  ) {
    sums(ring, first, taps) { x, sum in
      output.storeBytes(of: sum.clampedToLevels.roundedToLevels, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
    }
  }

  private func weightedVertical(
    _ ring: Ring, _ first: Int, _ taps: UnsafeBufferPointer<Float>,
    into output: UnsafeMutableRawBufferPointer
  ) {
    sums(ring, first, taps) { x, sum in
      var value = sum
      let alpha = value.w
      if alpha >= 0.5 { value *= SIMD4(255 / alpha, 255 / alpha, 255 / alpha, 1) } else { value = .zero }
      output.storeBytes(
        of: value.clampedToLevels.roundedToLevels, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
    }
  }

  /// Passes the weighted sum of each column to `take`.
  @inline(__always)
  private func sums(
    _ ring: Ring, _ first: Int, _ taps: UnsafeBufferPointer<Float>, _ take: (Int, SIMD4<Float>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UnsafeMutableBufferPointer<SIMD4<Float>>.self, capacity: taps.count) {
      lines in
      for tap in taps.indices { lines[tap] = ring[first + tap] }
      for x in 0..<target.width {
        var sum = SIMD4<Float>.zero
        for tap in taps.indices { sum += lines[tap][x] * taps[tap] }
        take(x, sum)
      }
    }
  }
}

extension PixelBuffer {
  /// Returns the image resized to exactly `target`, cropped evenly if the aspect ratio differs.
  public func resampled(to target: PixelSize) -> PixelBuffer {
    guard target != size, !size.isEmpty else { return self }
    return Resampler(from: size, region: PixelRegion(centeredIn: size, shapedLike: target), to: target)(self)
  }

  /// Returns the part of the image inside whole-pixel bounds.
  public func cropped(x: Int, y: Int, to target: PixelSize) -> PixelBuffer {
    var cropped = [UInt8]()
    cropped.reserveCapacity(target.area * Self.bytesPerPixel)
    withUnsafeBytes { bytes in
      for row in y..<(y + target.height) {
        let start = (row * width + x) * Self.bytesPerPixel
        cropped.append(contentsOf: bytes[start..<(start + target.width * Self.bytesPerPixel)])
      }
    }
    return PixelBuffer(size: target, bytes: cropped)
  }
}

/// The resampling weights along one axis.
struct FilterBank: Sendable {
  /// The source pixels that contribute to one result pixel.
  struct Span: Sendable {
    var first: Int
    var count: Int
    /// The index of the span's first weight.
    var weights: Int
  }

  private var weights: [Float] = []
  private var spans: [Span] = []
  /// The first source pixel that any result pixel reads.
  private(set) var first = 0
  /// One past the last source pixel that any result pixel reads.
  private(set) var end = 0
  /// The largest number of source pixels in a span.
  private(set) var longestSpan = 0

  /// Creates the weights that map `length` source pixels from `start` to `count` result pixels, reading only
  /// inside `0..<limit`: at the borders the kernel is truncated and renormalized.
  init(start: Double, length: Double, limit: Int, count: Int) {
    guard limit > 0 else { return }
    let scale = length / Double(count)
    // Shrinking widens the kernel to prevent aliasing; enlarging keeps its width.
    let stretch = max(1, scale)
    let support = 2 * stretch
    spans.reserveCapacity(count)
    var raw: [Double] = []
    for index in 0..<count {
      let center = start + (Double(index) + 0.5) * scale
      let low = min(limit - 1, max(0, Int((center - support).rounded(.down))))
      let high = max(low + 1, min(limit, Int((center + support).rounded(.up))))
      raw.removeAll(keepingCapacity: true)
      var total = 0.0
      for position in low..<high {
        let weight = Self.catmullRom((Double(position) + 0.5 - center) / stretch)
        raw.append(weight)
        total += weight
      }
      if abs(total) < 1e-9 {  // a region outside the picture: repeat the border
        raw = raw.indices.map { $0 == 0 ? 1 : 0 }
        total = 1
      }
      spans.append(Span(first: low, count: raw.count, weights: weights.count))
      weights += raw.map { Float($0 / total) }
    }
    first = spans.map(\.first).min() ?? 0
    end = spans.map { $0.first + $0.count }.max() ?? 0
    longestSpan = spans.map(\.count).max() ?? 0
  }

  func withTaps<Result>(
    _ body: (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Span>) -> Result
  ) -> Result {
    weights.withUnsafeBufferPointer { weights in
      spans.withUnsafeBufferPointer { spans in body(weights, spans) }
    }
  }

  private static func catmullRom(_ x: Double) -> Double {
    let x = abs(x)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }
}
