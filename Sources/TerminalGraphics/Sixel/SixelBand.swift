/// Writes bands, six rows of pixels each.
///
/// A band is painted in passes, each from left to right, with `$` between them. A pass is not bound to a
/// colour: where one has ended another goes on in its place, so that few columns have to be skipped. There
/// are never more passes than colours in a column, which are six at most.
struct SixelBand {
  /// Rows of pixels in one band.
  static let rowCount = 6

  private static let mostPasses = 6

  private let width: Int
  /// Bytes that one pass can need: a name of four and a sixel for each column, and a word beyond the last.
  private let room: Int
  private var buffer: [UInt8]
  private var passes = [SixelPass](repeating: SixelPass(), count: mostPasses)
  /// For each colour the pass that it was last written in.
  private var homes = [UInt8](repeating: 0, count: 256)
  /// All numbers up to the width.
  private let numbers: [SixelNumber]
  /// For each colour its register.
  private let names: [SixelNumber]

  /// - Parameter registers: for each of 256 colours its register.
  init(width: Int, registers: [Int]) {
    self.width = width
    room = width * 6 + 32
    buffer = [UInt8](repeating: 0, count: room * Self.mostPasses)
    numbers = (0...width).map { SixelNumber($0) }
    names = registers.map { SixelNumber($0) }
  }

  /// Adds the band with these columns to `bytes`.
  /// - Parameter height: how many rows of it belong to the picture, 1 to 6; pixels of the others are not set.
  mutating func write(
    _ columns: UnsafeBufferPointer<ColumnChooser.Column>, height: Int, to bytes: inout [UInt8]
  ) {
    let rows = UInt8(1 << height - 1)
    let (width, room, numbers, names) = (width, room, numbers, names)
    buffer.withUnsafeMutableBytes { buffer in
      passes.withUnsafeMutableBufferPointer { passes in
        homes.withUnsafeMutableBufferPointer { homes in
          numbers.withUnsafeBufferPointer { numbers in
            names.withUnsafeBufferPointer { names in
              var painter = SixelPainter(
                buffer: buffer, room: room, passes: passes, homes: homes, numbers: numbers, names: names,
                rows: rows)
              for x in 0..<width { painter.paint(columns[x], at: x) }
              painter.finish(at: width)
              for index in 0..<painter.count {
                if index > 0 { bytes.append(UInt8(ascii: "$")) }
                let text = buffer[index * room..<passes[index].end]
                bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text))
              }
            }
          }
        }
      }
    }
  }
}
