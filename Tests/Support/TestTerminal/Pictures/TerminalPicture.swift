/// A picture on the screen and what is left of it.
package struct TerminalPicture: Equatable, Sendable {
  /// Its serial number: pictures are counted from 1 in drawing order.
  package let serial: Int
  /// The cells it covered when it was drawn, within the screen, including partly covered ones.
  package let area: TerminalRectangle
  /// How many rows it would cover on an unlimited screen.
  package let rowsWanted: Int
  /// Its pixels.
  package let image: SixelImage
  /// The size of a cell in pixels when it was drawn.
  let cell: TerminalRectangle
  /// The terminal's background, visible through transparency.
  let background: TerminalRGB
  /// The number of bytes that drew it.
  package let byteCount: Int
  /// Whether it was drawn within a synchronized update.
  package let synchronized: Bool
  /// The covered cells that were overwritten since.
  package internal(set) var destroyedCells: Set<TerminalPosition> = []

  /// The top row.
  package var row: Int { area.row }
  /// The left column.
  package var column: Int { area.column }
  /// The number of rows it covers.
  package var rowsCovered: Int { area.rows }
  /// The number of columns it covers.
  package var columnsCovered: Int { area.columns }
  /// The width in pixels.
  package var pixelWidth: Int { image.width }
  /// The height in pixels.
  package var pixelHeight: Int { image.height }
  /// Red, green and blue of all pixels; the background where none was set.
  package var rgb: [UInt8] { image.rgb(unset: background) }
  /// The number of destroyed cells.
  package var damagedCells: Int { destroyedCells.count }
  /// Whether nothing of it is left.
  package var isGone: Bool { damagedCells >= area.rows * area.columns }

  /// Whether the picture is still visible in this cell.
  package func isLiving(at position: TerminalPosition) -> Bool {
    area.contains(position) && !destroyedCells.contains(position)
  }

  /// The cells in which the picture is still visible, in reading order.
  package var livingCells: [TerminalPosition] {
    (area.row..<area.row + area.rows).flatMap { row in
      (area.column..<area.column + area.columns).map { TerminalPosition(row: row, column: $0) }
    }.filter { !destroyedCells.contains($0) }
  }

  /// The mean color of its pixels in a cell, `nil` if it has none.
  package func meanColor(at position: TerminalPosition) -> TerminalRGB? {
    let left = (position.column - area.column) * cell.columns
    let top = (position.row - area.row) * cell.rows
    var (red, green, blue, count) = (0, 0, 0, 0)
    for y in max(top, 0)..<max(top, 0, min(top + cell.rows, pixelHeight)) {
      for x in max(left, 0)..<max(left, 0, min(left + cell.columns, pixelWidth)) {
        let color = image.color(x: x, y: y) ?? background
        red += Int(color.red)
        green += Int(color.green)
        blue += Int(color.blue)
        count += 1
      }
    }
    if count == 0 { return nil }
    return TerminalRGB(UInt8(red / count), UInt8(green / count), UInt8(blue / count))
  }
}

/// A picture that was drawn at some time, whether or not anything of it is left.
package struct DrawnPicture: Equatable, Sendable {
  /// Its number.
  package let serial: Int
  /// The cells it covered within the screen.
  package let area: TerminalRectangle
  /// The width in pixels.
  package let pixelWidth: Int
  /// The height in pixels.
  package let pixelHeight: Int
  /// The number of bytes that drew it.
  package let byteCount: Int
  /// Whether it was drawn within a synchronized update.
  package let synchronized: Bool
  /// Whether it extended below the last row, where most terminals scroll.
  package let reachedBelowScreen: Bool
  /// Whether it covered the last row, where some terminals scroll.
  package let touchedLastRow: Bool
}
