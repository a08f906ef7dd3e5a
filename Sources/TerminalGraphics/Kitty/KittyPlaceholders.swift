import Pixels

/// Characters that stand for parts of a picture, as kitty draws them.
///
/// Format: kitty's documentation, "Unicode placeholders". Text as any other for a multiplexer between: it
/// scrolls, clips and erases them.
enum KittyPlaceholders {
  /// The most rows and columns that can be numbered.
  static let limit = 256

  /// The placeholders of one row of cells; its colour is reset at the end.
  static func row(_ row: Int, of cells: CellSize, _ number: KittyNumber) -> [UInt8] {
    guard row < limit else { return [] }
    // Everything is told of every cell: a multiplexer that redraws one draws it without its neighbours.
    var bytes = Array("\u{1B}[38;5;\(number.low)m".utf8)
    let sign = Array("\u{10EEEE}".utf8) + marks[row]
    for column in 0..<min(cells.columns, limit) {
      bytes += sign
      bytes += marks[column]
      bytes += marks[Int(number.high)]
    }
    bytes += "\u{1B}[39m".utf8
    return bytes
  }

  /// The marks that stand for numbers, by number, in UTF-8.
  ///
  /// They are the marks above a letter (combining class 230) of Unicode 6.0 that never melt into one
  /// character with their letter and are no other character's short form.
  static let marks: [[UInt8]] = {
    let excluded: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313,
      0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    var marks: [[UInt8]] = []
    for value in UInt32(0x300)... {
      if marks.count == limit { break }
      guard let scalar = Unicode.Scalar(value), !excluded.contains(value) else { continue }
      let properties = scalar.properties
      guard properties.canonicalCombiningClass == .above, properties.generalCategory == .nonspacingMark,
        let age = properties.age, (age.major, age.minor) <= (6, 0)
      else { continue }
      marks.append(Array(String(scalar).utf8))
    }
    return marks
  }()
}
