package import Pixels

/// Arranges pictures in output that is never removed: below each other, or side by side in the rows of a grid.
///
/// Sequences: cursor movement (ECMA-48, 8.3.22 and others), DECSC and DECRC (VT510).
package struct SheetLayout: Hashable, Sendable {
  /// The kind of output.
  package enum Kind: Hashable, Sendable {
    /// Lines of text.
    case lines
    /// Pictures after which the cursor position is undefined.
    case pictures
    /// Pictures that do not move the cursor, such as kitty's.
    case placements
  }

  /// The box of one picture.
  package let box: CellSize
  private let kind: Kind
  private let isGrid: Bool
  private let columns: Int
  /// Number of blank rows below each row of pictures.
  private let gapRows: Int
  /// Boxes with fewer rows have none to spare.
  private static let leastRowsForGap = 3
  private let isPlacedByOthers: Bool

  /// - Parameters:
  ///   - cells: the box of all pictures; without a grid, of each one.
  ///   - grid: columns and rows; values below one count as one.
  ///   - isPlacedByOthers: whether another program reads the output and may show it elsewhere.
  package init(cells: CellSize, grid: CellSize?, kind: Kind, isPlacedByOthers: Bool) {
    self.kind = kind
    self.isPlacedByOthers = isPlacedByOthers
    isGrid = grid != nil
    columns = max(1, grid?.columns ?? 1)
    let rows = cells.rows / max(1, grid?.rows ?? 1)
    gapRows = grid.map { $0.rows > 1 && rows >= Self.leastRowsForGap ? 1 : 0 } ?? 0
    // Pictures of a grid are separated by a column, and by a row if there is one to spare.
    box =
      grid.map { [gapRows] grid in
        CellSize(
          columns: max(1, cells.columns / max(1, grid.columns) - (grid.columns > 1 ? 1 : 0)),
          rows: max(1, rows - gapRows))
      } ?? cells
  }

  /// Returns how many rows of the screen pictures take at most.
  /// - Parameter count: number of pictures.
  package func rowCount(of count: Int) -> Int { (count + columns - 1) / columns * (box.rows + gapRows) }

  /// Returns one row of pictures as bytes; nil is one that cannot be drawn, whose place stays free in a grid.
  package func row(of pictures: [EncodedPicture?]) -> [UInt8] {
    let bytes = pictureRow(of: pictures)
    return bytes.isEmpty ? [] : bytes + Self.lineBreaks(gapRows)
  }

  private func pictureRow(of pictures: [EncodedPicture?]) -> [UInt8] {
    let rows = isGrid ? box.rows : pictures.compactMap { $0?.size.rows }.max() ?? 0
    if rows == 0 { return [] }
    guard kind != .lines else { return lines(pictures, rows: rows) }
    if pictures.count == 1, !isGrid, let strip = pictures[0]?.strips.first,
      kind == .pictures || isPlacedByOthers
    {
      // Without cursor movement, so that programs that show it elsewhere (fzf) can handle it.
      return strip.bytes + Self.lineBreaks(kind == .placements ? rows : 1)
    }
    return placed(pictures, rows: rows)
  }

  /// Makes room first, so that drawing scrolls nothing; each picture is drawn from the top of the row, to which the
  /// cursor returns.
  private func placed(_ pictures: [EncodedPicture?], rows: Int) -> [UInt8] {
    var bytes = Self.lineBreaks(rows) + Array("\u{1B}[\(rows)A".utf8)
    for (column, picture) in pictures.enumerated() {
      guard let strip = picture?.strips.first else { continue }
      bytes += Array("\u{1B}7\r".utf8)
      if column > 0 { bytes += Array("\u{1B}[\(column * (box.columns + 1))C".utf8) }
      bytes += strip.bytes + Array("\u{1B}8".utf8)
    }
    return bytes + Array("\u{1B}[\(rows)B\r".utf8)
  }

  /// Writes the pictures line by line.
  private func lines(_ pictures: [EncodedPicture?], rows: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<rows {
      for (column, picture) in pictures.enumerated() {
        let strip = picture?.strips.first { $0.row == row }
        if let strip { bytes += strip.bytes }
        guard column + 1 < pictures.count else { continue }
        let used = strip == nil ? 0 : picture?.size.columns ?? 0
        bytes += [UInt8](repeating: 0x20, count: max(0, box.columns - used) + 1)
      }
      bytes += Self.lineBreaks(1)
    }
    return bytes
  }

  private static func lineBreaks(_ count: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "\n"), count: count)
  }
}
