/// A picture on the screen and what is left of it.
public struct TerminalPicture: Equatable, Sendable {
  /// Its number: pictures are counted from 1 in the order they are drawn.
  public let serial: Int
  /// The cells it covered when it was drawn, as far as they lie on the screen; cells covered in part count.
  public let area: TerminalRectangle
  /// How many rows it would cover on a screen without end.
  public let rowsWanted: Int
  /// Its pixels.
  public let image: SixelImage
  /// The size of a cell in pixels when it was drawn.
  let cell: TerminalRectangle
  /// The terminal's background, which shows through.
  let background: TerminalRGB
  /// The number of bytes that drew it.
  public let byteCount: Int
  /// Whether it was drawn inside a synchronized update.
  public let synchronized: Bool
  /// The covered cells that something else was drawn on since.
  public internal(set) var destroyedCells: Set<TerminalPosition> = []

  /// The top row.
  public var row: Int { area.row }
  /// The left column.
  public var column: Int { area.column }
  /// How many rows it covers.
  public var rowsCovered: Int { area.rows }
  /// How many columns it covers.
  public var columnsCovered: Int { area.columns }
  /// The width in pixels.
  public var pixelWidth: Int { image.width }
  /// The height in pixels.
  public var pixelHeight: Int { image.height }
  /// Red, green and blue of all pixels; the background where none was set.
  public var rgb: [UInt8] { image.rgb(unset: background) }
  /// How many of its cells are destroyed.
  public var damagedCells: Int { destroyedCells.count }
  /// Whether nothing of it is left.
  public var isGone: Bool { damagedCells >= area.rows * area.columns }

  /// Whether the picture still shows in this cell.
  public func isLiving(at position: TerminalPosition) -> Bool {
    area.contains(position) && !destroyedCells.contains(position)
  }

  /// The cells in which the picture still shows, in reading order.
  public var livingCells: [TerminalPosition] {
    (area.row..<area.row + area.rows).flatMap { row in
      (area.column..<area.column + area.columns).map { TerminalPosition(row: row, column: $0) }
    }.filter { !destroyedCells.contains($0) }
  }

  /// The mean color of the pixels that it has in a cell, `nil` where it has none.
  public func meanColor(at position: TerminalPosition) -> TerminalRGB? {
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
public struct DrawnPicture: Equatable, Sendable {
  /// Its number.
  public let serial: Int
  /// The cells it covered, as far as they lie on the screen.
  public let area: TerminalRectangle
  /// The width in pixels.
  public let pixelWidth: Int
  /// The height in pixels.
  public let pixelHeight: Int
  /// The number of bytes that drew it.
  public let byteCount: Int
  /// Whether it was drawn inside a synchronized update.
  public let synchronized: Bool
  /// Whether it reached below the last row, where most terminals scroll.
  public let reachedBelowScreen: Bool
  /// Whether it covered the last row, where some terminals scroll.
  public let touchedLastRow: Bool
}
