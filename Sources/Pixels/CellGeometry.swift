/// A width and a height in character cells.
public struct CellSize: Hashable, Sendable {
  /// The width in columns.
  public var columns: Int
  /// The height in rows.
  public var rows: Int

  /// Creates a size in character cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of character cells; rows and columns count from 0 at the top left.
public struct CellRect: Hashable, Sendable {
  /// The leftmost column.
  public var column: Int
  /// The top row.
  public var row: Int
  /// The width in columns; 0 for an empty rectangle.
  public var columns: Int
  /// The height in rows; 0 for an empty rectangle.
  public var rows: Int

  /// Creates a rectangle; a negative width or height becomes 0.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The width and the height.
  public var size: CellSize { CellSize(columns: columns, rows: rows) }
  /// Whether the rectangle contains no cells.
  public var isEmpty: Bool { columns == 0 || rows == 0 }
  /// The column after the last one.
  public var endColumn: Int { column + columns }
  /// The row after the last one.
  public var endRow: Int { row + rows }

  /// Returns whether the rectangles have a cell in common.
  public func intersects(_ other: CellRect) -> Bool {
    column < other.endColumn && other.column < endColumn && row < other.endRow && other.row < endRow
      && !isEmpty && !other.isEmpty
  }

  /// Returns whether the cell is inside the rectangle.
  public func contains(row: Int, column: Int) -> Bool {
    (self.row..<endRow).contains(row) && (self.column..<endColumn).contains(column)
  }

  /// Returns the rectangle shrunk by numbers of cells at its sides.
  public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRect {
    CellRect(
      column: column + left, row: row + top, columns: columns - left - right, rows: rows - top - bottom)
  }
}

/// The picture sizes that a graphics protocol uses for boxes of cells.
public struct PictureGeometry: Hashable, Sendable {
  /// The size of a cell in pixels.
  public var cell: PixelSize
  /// Heights are multiples of this number of pixels.
  public var heightStep: Int
  /// The maximum size of a picture; nil = unlimited.
  public var largest: PixelSize?
  /// Whether cells are drawn pixel by pixel, so that pictures of a few cells are recognizable.
  public var isFine: Bool

  /// Creates a geometry.
  public init(cell: PixelSize, heightStep: Int = 1, largest: PixelSize? = nil, isFine: Bool = true) {
    self.cell = cell
    self.heightStep = heightStep
    self.largest = largest
    self.isFine = isFine
  }

  /// Returns the size in pixels of a picture for a box of cells.
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
