import Pixels

/// The colours of a picture, six pixels one above the other at a time.
struct SixelColumns {
  let size: PixelSize
  /// Band by band, each from left to right.
  let columns: [ColumnChooser.Column]
  /// How often each colour begins where the column before has none of it.
  let starts: [Int]

  /// Chooses the colours.
  ///
  /// - Parameter thrift: the squared error of a pixel that a byte is worth.
  /// - Precondition: the height is a multiple of six.
  init(_ picture: PixelBuffer, _ palette: ColorPalette, thrift: Float) {
    size = picture.size
    let (width, bands) = (size.width, size.height / SixelEncoder.band)
    let pitch = width * PixelBuffer.bytesPerPixel
    var chooser = ColumnChooser(palette, thrift: thrift)
    columns = [ColumnChooser.Column](unsafeUninitializedCapacity: width * bands) { columns, count in
      picture.bytes.withUnsafeBytes { bytes in
        for band in 0..<bands {
          var offset = band &* SixelEncoder.band &* pitch
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
