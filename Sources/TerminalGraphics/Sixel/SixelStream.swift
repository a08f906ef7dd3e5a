import Pixels

/// Writes chosen colours as a sixel sequence.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14.
enum SixelStream {
  /// The complete sequence, from DCS to ST.
  ///
  /// P2 = 1 leaves pixels that are not set as they were; the raster attributes say how many rows of the last band
  /// there are.
  static func bytes(of picture: SixelColumns, palette: ColorPalette) -> [UInt8] {
    let (width, height) = (picture.size.width, picture.size.height)
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    bytes.reserveCapacity(width * height)
    var registers = [Int](repeating: 0, count: 256)
    // The colours that are named most often get the shortest names.
    let used = palette.levels.indices.filter { picture.starts[$0] > 0 }
    let order = used.sorted { (picture.starts[$1], $0) < (picture.starts[$0], $1) }
    for (register, index) in order.enumerated() {
      let level = palette.levels[index]
      bytes += "#\(register);2;\(level.x);\(level.y);\(level.z)".utf8
      registers[index] = register
    }
    var band = SixelBand(width: width, registers: registers)
    picture.columns.withUnsafeBufferPointer { columns in
      for (index, start) in stride(from: 0, to: columns.count, by: width).enumerated() {
        if start > 0 { bytes.append(UInt8(ascii: "-")) }
        band.write(
          UnsafeBufferPointer(rebasing: columns[start..<start + width]),
          height: min(SixelBand.rowCount, height - index * SixelBand.rowCount), to: &bytes)
      }
    }
    bytes += [0x1B, UInt8(ascii: "\\")]
    return bytes
  }
}
