import Pixels

/// Writes chosen colours as a sixel sequence.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14.
enum SixelStream {
  /// The complete sequence, from DCS to ST.
  ///
  /// - Parameter bands: which bands it has; nil = all.
  ///
  /// P2 = 1 leaves pixels that are not set as they were; the raster attributes say how many rows of the last band
  /// there are.
  static func bytes(
    of picture: SixelColumns, palette: ColorPalette, bands: Range<Int>? = nil
  ) -> [UInt8] {
    let bands = bands ?? 0..<picture.bandCount
    let width = picture.size.width
    let bottom = min(picture.size.height, bands.upperBound * SixelBand.rowCount)
    let height = bottom - bands.lowerBound * SixelBand.rowCount
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    bytes.reserveCapacity(width * height)
    var registers = [Int](repeating: 0, count: 256)
    // The colours that are named most often get the shortest names.
    let used = palette.levels.indices.filter { picture.starts[$0] > 0 }
    let order = used.sorted { (picture.starts[$1], $0) < (picture.starts[$0], $1) }
    let named = bands.count == picture.bandCount ? nil : picture.colors(in: bands)
    for (register, index) in order.enumerated() {
      registers[index] = register
      if let named, !named.contains(UInt8(index)) { continue }
      let level = palette.levels[index]
      bytes += "#\(register);2;\(level.x);\(level.y);\(level.z)".utf8
    }
    var band = SixelBand(width: width, registers: registers)
    picture.columns.withUnsafeBufferPointer { columns in
      for index in bands {
        if index > bands.lowerBound { bytes.append(UInt8(ascii: "-")) }
        band.write(
          UnsafeBufferPointer(rebasing: columns[index * width..<(index + 1) * width]),
          height: min(SixelBand.rowCount, picture.size.height - index * SixelBand.rowCount), to: &bytes)
      }
    }
    bytes += [0x1B, UInt8(ascii: "\\")]
    return bytes
  }
}
