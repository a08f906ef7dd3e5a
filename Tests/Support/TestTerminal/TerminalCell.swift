/// A color of a cell as the program chose it.
public enum TerminalColor: Equatable, Hashable, Sendable {
  /// The terminal's own foreground or background.
  case `default`
  /// One of the 256 colors of the palette.
  case indexed(UInt8)
  /// A direct color.
  case rgb(UInt8, UInt8, UInt8)
}

/// Red, green and blue, 0 to 255.
public struct TerminalRGB: Equatable, Hashable, Sendable {
  /// The red part.
  public var red: UInt8
  /// The green part.
  public var green: UInt8
  /// The blue part.
  public var blue: UInt8

  /// Makes a color of its three parts.
  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// One cell of the screen.
public struct TerminalCell: Equatable, Sendable {
  /// The character with its combining marks; a space when blank, empty in the right half of a wide one.
  public var text = " "
  /// How many columns the character takes: 1 or 2, 0 in the right half of a wide one.
  public var width = 1
  /// Whether something was printed here since the cell was last erased.
  public var isPrinted = false
  /// The color of the character, before reversing.
  public var foreground = TerminalColor.default
  /// The color behind the character, before reversing.
  public var background = TerminalColor.default
  /// Whether it is bold.
  public var bold = false
  /// Whether it is italic.
  public var italic = false
  /// Whether it is underlined.
  public var underline = false
  /// Whether its two colors are exchanged.
  public var reverse = false
  /// Whether it blinks.
  public var blink = false
  /// Whether it is struck out.
  public var strike = false

  /// Makes a blank cell.
  public init() {}
}

/// A place on the screen, counted from 0.
public struct TerminalPosition: Equatable, Hashable, Comparable, Sendable {
  /// The row, from the top.
  public var row: Int
  /// The column, from the left.
  public var column: Int

  /// Makes a place.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// Whether the left place comes first in reading order.
  public static func < (left: Self, right: Self) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}

/// A rectangle of cells.
public struct TerminalRectangle: Equatable, Hashable, Sendable {
  /// The top row.
  public var row: Int
  /// The left column.
  public var column: Int
  /// The height in rows.
  public var rows: Int
  /// The width in columns.
  public var columns: Int

  /// Makes a rectangle of its top left cell and its size.
  public init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
  }

  /// Whether the cell lies inside.
  public func contains(_ position: TerminalPosition) -> Bool {
    position.row >= row && position.row < row + rows && position.column >= column
      && position.column < column + columns
  }

  /// The part of the rectangle that lies on a screen of this size.
  public func clipped(rows screenRows: Int, columns screenColumns: Int) -> TerminalRectangle {
    let top = min(max(row, 0), screenRows)
    let left = min(max(column, 0), screenColumns)
    return TerminalRectangle(
      row: top, column: left, rows: max(0, min(row + rows, screenRows) - top),
      columns: max(0, min(column + columns, screenColumns) - left))
  }
}
