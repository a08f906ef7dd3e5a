package import Pixels

/// A picture as bytes for the terminal, which can be drawn at any position.
package struct EncodedPicture: Hashable, Sendable {
  /// The bytes for one row of cells, or for the whole picture from that row on.
  package struct Strip: Hashable, Sendable {
    /// Counted from the picture's top.
    package var row: Int
    package var bytes: [UInt8]
  }

  /// Number of cells that it touches.
  package var size: CellSize
  /// Number of cells, from the top left, that it covers to the last pixel, hiding their previous content.
  package var covered: CellSize
  package var strips: [Strip]
  /// A picture that the terminal stores under a number and shows on command; such a picture has no strips.
  package var image: KittyImage?
  /// Whether it lives in the cells, where blanks erase it; otherwise it is above them until it is removed.
  package var livesInCells: Bool

  /// Creates a picture that is drawn into cells and stays until something else is written there.
  package init(size: CellSize, covered: CellSize, strips: [Strip]) {
    self.size = size
    self.covered = covered
    self.strips = strips
    livesInCells = true
  }

  /// Creates a picture that the terminal stores.
  /// - Parameter isPlacedAsText: whether it is placed by placeholder characters; otherwise it is above the text.
  package init(size: CellSize, image: KittyImage, isPlacedAsText: Bool) {
    self.size = size
    covered = size
    strips = []
    self.image = image
    livesInCells = isPlacedAsText
  }

  /// Total size in bytes.
  package var cost: Int { strips.reduce(image?.cost ?? 0) { $0 + $1.bytes.count } }
}

extension EncodedPicture {
  /// Creates a picture from one sixel sequence.
  /// - Parameters:
  ///   - size: size in pixels; an empty picture has no sequence.
  ///   - cell: size of a character cell in pixels.
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

/// Escape sequences that place a picture.
enum Placement {
  /// Returns the sequence that moves the cursor; rows and columns count from 0.
  static func move(row: Int, column: Int) -> [UInt8] {
    Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
  }

  /// Returns the bytes that draw `picture` with its top left cell at a position.
  static func draw(_ picture: EncodedPicture, row: Int, column: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.cost + picture.strips.count * 12)
    for strip in picture.strips {
      bytes += move(row: row + strip.row, column: column)
      bytes += strip.bytes
    }
    return bytes
  }

  /// Returns the bytes that print a blank over every cell of a rectangle: the only way to erase pictures that every
  /// terminal supports.
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
