/// A color of a cell as chosen by the program.
package enum TerminalColor: Equatable, Hashable, Sendable {
  /// The terminal's default foreground or background.
  case `default`
  /// One of the 256 colors of the palette.
  case indexed(UInt8)
  /// A direct color.
  case rgb(UInt8, UInt8, UInt8)
}

/// Red, green and blue, 0 to 255.
package struct TerminalRGB: Equatable, Hashable, Sendable {
  /// The red part.
  package var red: UInt8
  /// The green part.
  package var green: UInt8
  /// The blue part.
  package var blue: UInt8

  /// Creates a color from its components.
  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// One cell of the screen.
package struct TerminalCell: Equatable, Sendable {
  /// The character with its combining marks; a space if blank, empty in the right half of a wide one.
  package var text = " "
  /// The number of columns of the character: 1 or 2, 0 in the right half of a wide one.
  package var width = 1
  /// Whether a character was printed since the cell was last erased.
  package var isPrinted = false
  /// The color of the character, before reversing.
  package var foreground = TerminalColor.default
  /// The color behind the character, before reversing.
  package var background = TerminalColor.default
  /// Whether it is bold.
  package var bold = false
  /// Whether it is italic.
  package var italic = false
  /// Whether it is underlined.
  package var underline = false
  /// Whether its two colors are swapped.
  package var reverse = false
  /// Whether it blinks.
  package var blink = false
  /// Whether it is struck out.
  package var strike = false

  /// Creates a blank cell.
  package init() {}
}

/// A position on the screen, counted from 0.
package struct TerminalPosition: Equatable, Hashable, Comparable, Sendable {
  /// The row, from the top.
  package var row: Int
  /// The column, from the left.
  package var column: Int

  /// Creates a position.
  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// Whether the left position comes first in reading order.
  package static func < (left: Self, right: Self) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}

/// A rectangle of cells.
package struct TerminalRectangle: Equatable, Hashable, Sendable {
  /// The top row.
  package var row: Int
  /// The left column.
  package var column: Int
  /// The height in rows.
  package var rows: Int
  /// The width in columns.
  package var columns: Int

  /// Creates a rectangle from its top left cell and its size.
  package init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = rows
    self.columns = columns
  }

  /// Whether the cell is inside.
  package func contains(_ position: TerminalPosition) -> Bool {
    position.row >= row && position.row < row + rows && position.column >= column
      && position.column < column + columns
  }

  /// The part of the rectangle within a screen of this size.
  package func clipped(rows screenRows: Int, columns screenColumns: Int) -> TerminalRectangle {
    let top = min(max(row, 0), screenRows)
    let left = min(max(column, 0), screenColumns)
    return TerminalRectangle(
      row: top, column: left, rows: max(0, min(row + rows, screenRows) - top),
      columns: max(0, min(column + columns, screenColumns) - left))
  }
}
