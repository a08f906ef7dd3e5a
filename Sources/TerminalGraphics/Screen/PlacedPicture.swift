package import Pixels

/// A picture at its place on the screen.
package struct PlacedPicture: Hashable, Sendable {
  /// Which encoding it is: another version of the same picture has another number.
  package var version: UInt64
  /// Tells places of the same version on one screen apart.
  package var copy: Int
  package var row: Int
  package var column: Int
  package var size: CellSize
  /// The cells, from the top left, that it covers to the last pixel.
  package var covered: CellSize
  /// Whether blanks erase it; else it is above the cells, moves when it is placed again, and stays until it
  /// is removed.
  package var livesInCells: Bool
  /// Cells of the screen that it leaves to text, where it is above the cells.
  package var holes: [CellRect]
  /// Whether it is shown for a moment only, as a frame of an animation: the terminal need not keep it.
  package var isTransient: Bool

  package init(
    version: UInt64, copy: Int = 0, row: Int, column: Int, size: CellSize, covered: CellSize,
    livesInCells: Bool = true, holes: [CellRect] = [], isTransient: Bool = false
  ) {
    self.version = version
    self.copy = copy
    self.row = row
    self.column = column
    self.size = size
    self.covered = covered
    self.livesInCells = livesInCells
    self.holes = holes
    self.isTransient = isTransient
  }

  /// The cells that it touches.
  package var rect: CellRect {
    CellRect(column: column, row: row, columns: size.columns, rows: size.rows)
  }

  /// What it is shown in: one part, or several around its holes.
  var parts: [CellRect] { holes.isEmpty ? [rect] : rect.parts(outside: holes) }

  /// The cells that it covers completely.
  var coveredRect: CellRect {
    CellRect(column: column, row: row, columns: covered.columns, rows: covered.rows)
  }

  /// Whether placing the one moves the other.
  func isSamePicture(as other: PlacedPicture) -> Bool {
    version == other.version && copy == other.copy && livesInCells == other.livesInCells
  }
}
