/// A width and a height in character cells.
public struct CellSize: Hashable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of character cells; rows and columns count from 0 at the top left.
public struct CellRect: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var columns: Int
  public var rows: Int

  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  public var size: CellSize { CellSize(columns: columns, rows: rows) }
  public var isEmpty: Bool { columns == 0 || rows == 0 }
  public var endColumn: Int { column + columns }
  public var endRow: Int { row + rows }

  /// Whether the two have a cell in common.
  public func intersects(_ other: CellRect) -> Bool {
    column < other.endColumn && other.column < endColumn && row < other.endRow && other.row < endRow
      && !isEmpty && !other.isEmpty
  }

  /// Whether the cell is inside.
  public func contains(row: Int, column: Int) -> Bool {
    (self.row..<endRow).contains(row) && (self.column..<endColumn).contains(column)
  }

  /// The rectangle without the given numbers of cells at its sides.
  public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRect {
    CellRect(
      column: column + left, row: row + top, columns: columns - left - right, rows: rows - top - bottom)
  }
}

/// How many pixels a way of drawing wants for a box of cells.
public struct PictureGeometry: Hashable, Sendable {
  /// Pixels of one cell.
  public var cell: PixelSize
  /// Heights are a multiple of this.
  public var heightStep: Int
  /// No picture is larger.
  public var largest: PixelSize?
  /// Whether single pixels are seen, so that a picture of a few cells still shows something.
  public var isFine: Bool

  public init(cell: PixelSize, heightStep: Int = 1, largest: PixelSize? = nil, isFine: Bool = true) {
    self.cell = cell
    self.heightStep = heightStep
    self.largest = largest
    self.isFine = isFine
  }

  /// The pixels that fill a box of cells.
  public func pixels(for cells: CellSize) -> PixelSize {
    var size = PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height)
    if let largest, !largest.isEmpty {
      size.width = min(size.width, largest.width)
      size.height = min(size.height, largest.height)
    }
    if size.height > heightStep { size.height -= size.height % heightStep }
    return size
  }
}
