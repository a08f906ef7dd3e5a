import Pixels

/// Reduces a picture while its rows arrive, by averaging square blocks of pixels.
///
/// It needs memory for one row of blocks and for the result, whatever the picture's height.
///
/// Rows arrive in order, from the top or from the bottom. Colors are weighted by their alpha. Use from one thread.
final class RowAverager {
  /// Samples of a row's pixels.
  enum Layout: Int {
    case rgb = 3
    case rgba = 4
  }

  let reduction: Reduction
  private let layout: Layout
  private var output: [UInt8]
  /// For each sample of a row, the sum over the received rows of the block; used until a row is not opaque.
  private let columns: UnsafeMutableBufferPointer<UInt16>
  /// For each pixel of a row, the sums of its colors times their alpha, and of its alphas; nil until a row is
  /// not opaque.
  private var weighted: UnsafeMutableBufferPointer<SIMD4<UInt32>>?
  /// For each block, the sums of its samples, moved here from `columns` at the block's end, or before their
  /// 16 bits overflow.
  private let squares: UnsafeMutableBufferPointer<SIMD4<UInt32>>
  private var square = -1
  private var rowsInColumns = 0
  private var rowsInSquare = 0

  /// The most rows whose sum fits into a column's 16 bits.
  private static let mostRows = 257
  private static let lanes = 32

  /// Returns the upper bound of the bytes that the sums of a picture take.
  static func workingBytes(_ reduction: Reduction, _ layout: Layout) -> Int {
    if reduction.factor == 1 { return 0 }
    let column = layout.rawValue * MemoryLayout<UInt16>.size
    let weighted = layout == .rgba ? MemoryLayout<SIMD4<UInt32>>.size : 0
    return reduction.source.width * (column + weighted)
      + reduction.size.width * MemoryLayout<SIMD4<UInt32>>.size
  }

  init(_ reduction: Reduction, _ layout: Layout) {
    self.reduction = reduction
    self.layout = layout
    output = [UInt8](repeating: 0, count: reduction.size.area * PixelBuffer.bytesPerPixel)
    let samples = reduction.factor == 1 ? 0 : reduction.source.width * layout.rawValue
    columns = .allocate(capacity: samples + 2 * Self.lanes)
    columns.initialize(repeating: 0)
    squares = .allocate(capacity: reduction.factor == 1 ? 0 : reduction.size.width)
    squares.initialize(repeating: .zero)
    // Blocks of more rows move their sums to `squares` early, after which they can't be weighted by alpha any
    // more: start with weighted sums.
    if layout == .rgba, reduction.factor > Self.mostRows { weigh() }
  }

  deinit {
    columns.deallocate()
    squares.deallocate()
    weighted?.deallocate()
  }

  /// Adds row `y` of the source, which has at least the source's width in pixels.
  func add(_ row: UnsafeRawBufferPointer, at y: Int) {
    guard reduction.factor > 1 else { return copy(row, to: y) }
    if y / reduction.factor != square {
      finishSquares()
      square = y / reduction.factor
    }
    if layout == .rgba, weighted == nil,
      !UnsafeRawBufferPointer(rebasing: row[..<(reduction.source.width * 4)]).isOpaque
    {
      weigh()
    }
    rowsInSquare += 1
    if let weighted {
      Self.addWeighted(row, to: weighted)
    } else {
      if rowsInColumns == Self.mostRows { foldColumns() }
      addPlain(row)
      rowsInColumns += 1
    }
  }

  /// Returns the picture of all rows received; missing rows are transparent.
  func finish() -> PixelBuffer {
    finishSquares()
    return PixelBuffer(size: reduction.size, bytes: output)
  }

  // MARK: Rows

  private func copy(_ row: UnsafeRawBufferPointer, to y: Int) {
    let width = reduction.source.width
    output.withUnsafeMutableBytes { output in
      let target = UnsafeMutableRawBufferPointer(rebasing: output[(y * width * 4)..<((y + 1) * width * 4)])
      switch layout {
      case .rgba: target.copyMemory(from: UnsafeRawBufferPointer(rebasing: row[..<(width * 4)]))
      case .rgb: Self.widen(row, to: target, count: width)
      }
    }
  }

  private static func widen(
    _ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, count: Int
  ) {
    for x in 0..<count {
      let (red, green, blue) = (row[x * 3], row[x * 3 + 1], row[x * 3 + 2])
      target.storeBytes(of: SIMD4(red, green, blue, 255), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
    }
  }

  private func addPlain(_ row: UnsafeRawBufferPointer) {
    guard let sums = UnsafeMutableRawPointer(columns.baseAddress), let row = row.baseAddress else { return }
    let count = reduction.source.width * layout.rawValue
    var index = 0
    while index + Self.lanes <= count {
      let samples = SIMD32<UInt16>(
        truncatingIfNeeded: row.loadUnaligned(fromByteOffset: index, as: SIMD32<UInt8>.self))
      let sum = sums.loadUnaligned(fromByteOffset: index * 2, as: SIMD32<UInt16>.self) &+ samples
      sums.storeBytes(of: sum, toByteOffset: index * 2, as: SIMD32<UInt16>.self)
      index += Self.lanes
    }
    while index < count {
      columns[index] &+= UInt16(row.load(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
  }

  private static func addWeighted(
    _ row: UnsafeRawBufferPointer, to sums: UnsafeMutableBufferPointer<SIMD4<UInt32>>
  ) {
    for x in 0..<sums.count {
      let pixel = SIMD4<UInt32>(
        truncatingIfNeeded: row.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self))
      let alpha = pixel.w
      sums[x] &+= pixel &* SIMD4(alpha, alpha, alpha, 1)
    }
  }

  // MARK: Squares

  /// Switches to sums weighted by alpha.
  private func weigh() {
    let sums = UnsafeMutableBufferPointer<SIMD4<UInt32>>.allocate(
      capacity: reduction.factor == 1 ? 0 : reduction.source.width)
    for x in sums.indices {
      let sum = (0..<4).map { UInt32(columns[x * 4 + $0]) }
      sums.initializeElement(at: x, to: SIMD4(sum[0] * 255, sum[1] * 255, sum[2] * 255, sum[3]))
    }
    weighted = sums
    columns.update(repeating: 0)
    rowsInColumns = 0
  }

  private func foldColumns() {
    guard let sums = UnsafeRawPointer(columns.baseAddress) else { return }
    let stride = layout.rawValue * 2
    var offset = 0
    for x in squares.indices {
      var sum = SIMD4<UInt32>.zero
      for _ in 0..<reduction.columns(at: x) {
        sum &+= SIMD4<UInt32>(
          truncatingIfNeeded: sums.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt16>.self))
        offset += stride
      }
      squares[x] &+= sum
    }
    columns.update(repeating: 0)
    rowsInColumns = 0
  }

  private func finishSquares() {
    guard rowsInSquare > 0 else { return }
    if let weighted {
      finishWeighted(weighted)
    } else {
      foldColumns()
      finishPlain()
    }
    rowsInSquare = 0
  }

  private func finishPlain() {
    let start = square * squares.count * 4
    output.withUnsafeMutableBytes { output in
      for x in squares.indices {
        let scale = 1 / Float(rowsInSquare * reduction.columns(at: x))
        var mean = squares[x].asFloats * scale
        if layout == .rgb { mean.w = 255 }
        output.storeBytes(
          of: mean.roundedToLevels, toByteOffset: start + x * 4, as: SIMD4<UInt8>.self)
      }
    }
    squares.update(repeating: .zero)
  }

  private func finishWeighted(_ sums: UnsafeMutableBufferPointer<SIMD4<UInt32>>) {
    let start = square * squares.count * 4
    output.withUnsafeMutableBytes { output in
      for x in squares.indices {
        let from = x * reduction.factor
        let count = reduction.columns(at: x)
        var sum = SIMD4<UInt64>.zero
        for column in from..<from + count { sum &+= SIMD4<UInt64>(truncatingIfNeeded: sums[column]) }
        output.storeBytes(
          of: WeightedMean.pixel(sum.asFloats, count: rowsInSquare * count),
          toByteOffset: start + x * 4, as: SIMD4<UInt8>.self)
      }
    }
    sums.update(repeating: .zero)
  }
}

/// The integer factor by which a picture is reduced while it is read, and the resulting size.
///
/// The result is the smallest that is no smaller than needed; the resampler does the rest.
struct Reduction: Hashable, Sendable {
  let source: PixelSize
  let factor: Int

  /// - Parameter limit: the largest factor that the averager supports.
  init(of source: PixelSize, covering needed: PixelSize, limit: Int = 4096) {
    self.source = source
    let most = min(source.width / max(1, needed.width), source.height / max(1, needed.height))
    factor = min(limit, max(1, most))
  }

  /// Size of the result; its last column and row may cover fewer pixels than the others.
  var size: PixelSize {
    PixelSize(
      width: (source.width + factor - 1) / factor, height: (source.height + factor - 1) / factor)
  }

  /// Returns the number of source columns that column `x` of the result covers.
  func columns(at x: Int) -> Int { min(factor, source.width - x * factor) }
}

/// The mean of pixels whose colors were summed up times their alpha.
enum WeightedMean {
  /// - Parameters:
  ///   - sum: sums of the colors times their alpha, and of the alphas, both from 0 to 255.
  ///   - count: number of pixels summed up.
  static func pixel(_ sum: SIMD4<Float>, count: Int) -> SIMD4<UInt8> {
    guard sum.w > 0, count > 0 else { return .zero }
    var mean = sum / sum.w
    mean.w = sum.w / Float(count)
    return mean.roundedToLevels
  }
}
