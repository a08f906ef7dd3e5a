package import Pixels

/// A picture as bytes for the terminal, ready to be sent at any place.
package struct EncodedPicture: Hashable, Sendable {
  /// The bytes for one row of cells, or for the whole picture from that row on.
  package struct Strip: Hashable, Sendable {
    /// Counted from the picture's top.
    package var row: Int
    package var bytes: [UInt8]
  }

  /// How many cells it touches.
  package var size: CellSize
  /// How many cells, from the top left, it covers to the last pixel: what was there before is gone.
  package var covered: CellSize
  package var strips: [Strip]
  /// What the terminal keeps under a number, and shows where it is told to; such a picture has no strips.
  package var image: KittyImage?
  /// Whether it lives in the cells, where blanks erase it; else above them, until it is removed.
  package var livesInCells: Bool

  /// A picture that is drawn into cells and lives as long as nothing else is written there.
  package init(size: CellSize, covered: CellSize, strips: [Strip]) {
    self.size = size
    self.covered = covered
    self.strips = strips
    livesInCells = true
  }

  /// A picture that the terminal keeps.
  /// - Parameter isPlacedAsText: it stands where its placeholders are, else above the text.
  package init(size: CellSize, image: KittyImage, isPlacedAsText: Bool) {
    self.size = size
    covered = size
    strips = []
    self.image = image
    livesInCells = isPlacedAsText
  }

  /// The bytes that it takes in all.
  package var cost: Int { strips.reduce(image?.cost ?? 0) { $0 + $1.bytes.count } }
}

extension EncodedPicture {
  /// A picture in one sequence of sixels.
  /// - Parameters:
  ///   - size: its size in pixels; an empty one has no sequence.
  ///   - cell: the size of a character cell in pixels.
  init(sixels: [UInt8], of size: PixelSize, cell: PixelSize) {
    if size.isEmpty {
      let none = CellSize(columns: 0, rows: 0)
      self.init(size: none, covered: none, strips: [])
    } else {
      self.init(
        size: CellSize(
          columns: (size.width + cell.width - 1) / cell.width,
          rows: (size.height + cell.height - 1) / cell.height),
        covered: CellSize(columns: size.width / cell.width, rows: size.height / cell.height),
        strips: [Strip(row: 0, bytes: sixels)])
    }
  }
}

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
