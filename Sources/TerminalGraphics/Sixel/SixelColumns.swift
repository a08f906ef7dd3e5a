import Pixels

/// The colors of a picture, in columns of six pixels.
struct SixelColumns {
  /// The picture's size, whose height need not fill the last band.
  let size: PixelSize
  /// Band by band, each from left to right.
  let columns: [ColumnChooser.Column]
  /// For each color, the number of columns that have it although the previous column does not.
  let starts: [Int]

  /// Number of bands.
  var bandCount: Int { size.isEmpty ? 0 : columns.count / size.width }

  /// Returns the colors that occur in some bands.
  func colors(in bands: Range<Int>) -> Set<UInt8> {
    var found = [Bool](repeating: false, count: 256)
    for column in columns[bands.lowerBound * size.width..<bands.upperBound * size.width] {
      for row in 0..<SixelBand.rowCount { found[Int(UInt8(truncatingIfNeeded: column >> (row * 8)))] = true }
    }
    return Set(found.indices.filter { found[$0] }.map { UInt8($0) })
  }

  /// Chooses the colors.
  /// - Parameters:
  ///   - thrift: the squared error of a pixel that is accepted to save one byte.
  ///   - isDithered: whether smooth areas are dithered, which costs bytes.
  init(_ picture: PixelBuffer, _ palette: ColorPalette, thrift: Float, isDithered: Bool = false) {
    size = picture.size
    let bands = (size.height + SixelBand.rowCount - 1) / SixelBand.rowCount
    // Rows below the picture repeat its last row, so that they add no colors.
    let picture = picture.extended(toHeight: bands * SixelBand.rowCount)
    let width = size.width
    let pitch = width * PixelBuffer.bytesPerPixel
    var chooser = ColumnChooser(palette, thrift: thrift)
    columns = [ColumnChooser.Column](unsafeUninitializedCapacity: width * bands) { columns, count in
      picture.withUnsafeBytes { bytes in
        for band in 0..<bands {
          let start = band &* SixelBand.rowCount &* pitch
          var column = chooser.first(bytes, at: start, pitch: pitch)
          var left = 0
          while left < width {
            let right = min(left &+ Self.blockWidth, width)
            let offset = start &+ left &* PixelBuffer.bytesPerPixel
            if isDithered, right &- left == Self.blockWidth, Self.isSmooth(bytes, at: offset, pitch: pitch) {
              for x in left..<right {
                column = chooser.dithered(
                  bytes, at: start &+ x &* PixelBuffer.bytesPerPixel, pitch: pitch, x: x,
                  y: band &* SixelBand.rowCount, after: column)
                columns[count] = column
                count &+= 1
              }
            } else {
              for x in left..<right {
                if x > 0 {
                  column = chooser.next(
                    bytes, at: start &+ x &* PixelBuffer.bytesPerPixel, pitch: pitch, after: column)
                }
                columns[count] = column
                count &+= 1
              }
            }
            left = right
          }
        }
      }
    }
    starts = chooser.starts
  }

  /// Number of columns that are examined together.
  private static let blockWidth = 8
  /// Upper bound of a channel's range in a block in which steps between colors would be visible.
  private static let smoothRange: UInt8 = 6

  /// Returns whether a block of `blockWidth` columns of a band hardly varies.
  @inline(__always)
  private static func isSmooth(_ bytes: UnsafeRawBufferPointer, at offset: Int, pitch: Int) -> Bool {
    // Four pixels each; `pointwiseMin` handles them one by one.
    typealias Pixels = SIMD16<UInt8>
    var (low, high) = (Pixels(repeating: 255), Pixels.zero)
    for row in 0..<SixelBand.rowCount {
      for half in 0..<2 {
        let pixels = bytes.loadUnaligned(
          fromByteOffset: offset &+ row &* pitch &+ half &* 16, as: Pixels.self)
        low.replace(with: pixels, where: pixels .< low)
        high.replace(with: pixels, where: pixels .> high)
      }
    }
    var (low8, high8) = (low.lowHalf, high.lowHalf)
    low8.replace(with: low.highHalf, where: low.highHalf .< low8)
    high8.replace(with: high.highHalf, where: high.highHalf .> high8)
    var (low4, high4) = (low8.lowHalf, high8.lowHalf)
    low4.replace(with: low8.highHalf, where: low8.highHalf .< low4)
    high4.replace(with: high8.highHalf, where: high8.highHalf .> high4)
    return all((high4 &- low4) .<= smoothRange)
  }
}

extension PixelBuffer {
  /// Returns the picture with its last row repeated below.
  fileprivate func extended(toHeight height: Int) -> PixelBuffer {
    if height == self.height { return self }
    var bytes = bytes
    let last = bytes.suffix(width * Self.bytesPerPixel)
    bytes.reserveCapacity(height * last.count)
    for _ in self.height..<height { bytes += last }
    return PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
  }
}
