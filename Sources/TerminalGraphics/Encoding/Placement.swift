import Pixels

/// The escape sequences that place a picture.
enum Placement {
  /// Moves the cursor; rows and columns count from 0.
  static func move(row: Int, column: Int) -> [UInt8] {
    Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
  }

  /// The bytes that draw `picture` with its top left cell at a place.
  static func draw(_ picture: EncodedPicture, row: Int, column: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.cost + picture.strips.count * 12)
    for strip in picture.strips {
      bytes += move(row: row + strip.row, column: column)
      bytes += strip.bytes
    }
    return bytes
  }

  /// The bytes that print a blank over every cell of a rectangle: the only erasure of pictures that every
  /// terminal understands.
  ///
  /// The caller has reset the attributes.
  static func erase(_ rect: CellRect) -> [UInt8] {
    var bytes: [UInt8] = []
    let blanks = [UInt8](repeating: 0x20, count: rect.columns)
    for row in rect.row..<rect.endRow {
      bytes += move(row: row, column: rect.column)
      bytes += blanks
    }
    return bytes
  }
}
