import Pixels

/// The colours of a picture, six pixels one above the other at a time.
struct SixelColumns {
  /// The picture's size, whose height need not fill the last band.
  let size: PixelSize
  /// Band by band, each from left to right.
  let columns: [ColumnChooser.Column]
  /// How often each colour begins where the column before has none of it.
  let starts: [Int]

  /// How many bands the picture takes.
  var bandCount: Int { size.isEmpty ? 0 : columns.count / size.width }

  /// The colours that occur in some bands.
  func colors(in bands: Range<Int>) -> Set<UInt8> {
    var found = [Bool](repeating: false, count: 256)
    for column in columns[bands.lowerBound * size.width..<bands.upperBound * size.width] {
      for row in 0..<SixelBand.rowCount { found[Int(UInt8(truncatingIfNeeded: column >> (row * 8)))] = true }
    }
    return Set(found.indices.filter { found[$0] }.map { UInt8($0) })
  }

  /// Chooses the colours.
  ///
  /// - Parameter thrift: the squared error of a pixel that a byte is worth.
  init(_ picture: PixelBuffer, _ palette: ColorPalette, thrift: Float) {
    size = picture.size
    let bands = (size.height + SixelBand.rowCount - 1) / SixelBand.rowCount
    // What is below the picture looks like its last row, so that it brings no colours of its own.
    let picture = picture.extended(toHeight: bands * SixelBand.rowCount)
    let width = size.width
    let pitch = width * PixelBuffer.bytesPerPixel
    var chooser = ColumnChooser(palette, thrift: thrift)
    columns = [ColumnChooser.Column](unsafeUninitializedCapacity: width * bands) { columns, count in
      picture.withUnsafeBytes { bytes in
        for band in 0..<bands {
          var offset = band &* SixelBand.rowCount &* pitch
          var column = chooser.first(bytes, at: offset, pitch: pitch)
          columns[count] = column
          for _ in 1..<width {
            offset &+= PixelBuffer.bytesPerPixel
            count &+= 1
            column = chooser.next(bytes, at: offset, pitch: pitch, after: column)
            columns[count] = column
          }
          count &+= 1
        }
      }
    }
    starts = chooser.starts
  }
}

extension PixelBuffer {
  /// The picture with its last row repeated below.
  fileprivate func extended(toHeight height: Int) -> PixelBuffer {
    if height == self.height { return self }
    var bytes = bytes
    let last = bytes.suffix(width * Self.bytesPerPixel)
    bytes.reserveCapacity(height * last.count)
    for _ in self.height..<height { bytes += last }
    return PixelBuffer(size: PixelSize(width: width, height: height), bytes: bytes)
  }
}
