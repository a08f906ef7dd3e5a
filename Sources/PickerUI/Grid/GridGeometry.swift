import AssetLibrary
import Pixels

/// The cells of a grid: tiles with equal gaps between them and a gap row above each.
///
/// The rest of the width of the area goes into the margins.
///
/// The gap row belongs to the tiles below it: it holds the day and the upper edge of a frame. The last row of tiles is
/// cut at the end of the area.
struct GridGeometry: Hashable, Sendable {
  static let gap = 1
  /// A cut row is shown only if at least this many of its rows are visible.
  private static let leastCutRows = 2

  let area: CellRect
  /// The size of a whole tile, without its caption.
  let box: CellSize
  /// The rows below each tile for its name.
  let captionRows: Int
  let columns: Int
  /// The visible rows of tiles, the last of which may be cut.
  let rows: Int
  /// The visible rows of tiles that are not cut; at least one.
  let wholeRows: Int

  /// The columns between two tiles beside each other.
  private let gapColumns: Int
  /// The columns left of the first tile.
  private let margin: Int

  /// - Parameters:
  ///   - area: the cells for the tiles.
  ///   - box: the size of a whole tile, without its caption.
  ///   - columns: nil = as many as there is room for.
  ///   - captionRows: the rows below each tile for its name.
  ///   - isSpread: whether the tiles use the whole width, with wider gaps where each can be as wide.
  ///   - freeColumns: the mostly blank columns to the right of the area, which the margins balance.
  init(
    area: CellRect, box: CellSize, columns: Int? = nil, captionRows: Int = 0, isSpread: Bool = true,
    freeColumns: Int = 0
  ) {
    self.area = area
    self.box = box
    self.captionRows = captionRows
    guard box.columns > 0, box.rows > 0, area.columns >= box.columns else {
      self.columns = area.isEmpty ? 0 : 1
      rows = area.isEmpty ? 0 : 1
      wholeRows = rows
      (gapColumns, margin) = (Self.gap, 0)
      return
    }
    let count = columns ?? (area.columns + Self.gap) / (box.columns + Self.gap)
    self.columns = count
    let spare = isSpread ? max(0, area.columns - count * (box.columns + Self.gap) + Self.gap) : 0
    let wider = count > 1 ? spare / (count - 1) : 0
    gapColumns = Self.gap + wider
    let margins = spare - wider * (count - 1)
    margin = min(margins, (margins + freeColumns) / 2)
    let height = Self.gap + box.rows + captionRows
    wholeRows = max(1, area.rows / height)
    let rest = area.rows - wholeRows * height
    rows = wholeRows + (rest >= Self.gap + Self.leastCutRows ? 1 : 0)
  }

  /// The number of visible cells.
  var count: Int { columns * rows }

  /// The rows from one row of tiles to the next.
  private var pitch: Int { Self.gap + box.rows + captionRows }

  /// The first column of a column of tiles.
  private func start(ofColumn column: Int) -> Int {
    area.column + margin + column * (box.columns + gapColumns)
  }

  /// The tile of a visible cell, counted from 0 in reading order; cut at the end of the area.
  func box(at index: Int) -> CellRect {
    let (row, column) = (index / max(1, columns), index % max(1, columns))
    let top = area.row + row * pitch + Self.gap
    return CellRect(
      column: start(ofColumn: column), row: top, columns: box.columns,
      rows: max(0, min(box.rows, area.endRow - top)))
  }

  /// The visible cell at a screen position, and whether the position is on its caption; nil in a gap.
  func place(row: Int, column: Int) -> (index: Int, isCaption: Bool)? {
    guard columns > 0, box.rows > 0, row >= area.row, row < area.endRow else { return nil }
    let line = (row - area.row) / pitch
    guard line < rows, (row - area.row) % pitch >= Self.gap,
      let across = (0..<columns).last(where: { start(ofColumn: $0) <= column }),
      column < start(ofColumn: across) + box.columns
    else { return nil }
    return (line * columns + across, (row - area.row) % pitch >= Self.gap + box.rows)
  }

  /// The row and column of the visible cell nearest to a screen position.
  func nearestCell(row: Int, column: Int) -> (row: Int, column: Int) {
    let across = (0..<max(1, columns)).last { start(ofColumn: $0) <= column + Self.gap / 2 } ?? 0
    return (max(0, min(rows - 1, (row - area.row) / max(1, pitch))), across)
  }
}

extension CellSize {
  static let zero = CellSize(columns: 0, rows: 0)
}

/// The size of the thumbnails: one of four sizes, or a number of columns.
package enum GridSize: Hashable, Sendable {
  case small, medium, large, extraLarge
  /// A number of thumbnails in a row, fewer where they would be too small.
  case columns(Int)

  /// The numbers of columns that can be configured.
  package static let columnRange = 1...24

  private static let named: [(name: String, size: GridSize)] = [
    ("small", .small), ("medium", .medium), ("large", .large), ("extra-large", .extraLarge),
  ]

  /// The names of the four sizes, the smallest first.
  package static var names: [String] { named.map(\.name) }

  /// The size with a name; nil if there is none.
  package init?(name: String) {
    guard let size = Self.named.first(where: { $0.name == name })?.size else { return nil }
    self = size
  }

  /// The name of the size; nil for a number of columns.
  package var name: String? { Self.named.first { $0.size == self }?.name }

  /// The number of tiles per row in a grid of some width in cells: the number nearest to the size that fills the row.
  func columns(in width: Int) -> Int {
    let most = max(1, (width + GridGeometry.gap) / (Self.leastBoxColumns + GridGeometry.gap))
    let wanted =
      switch self {
      case .small: 8
      case .medium: 12
      case .large: 18
      case .extraLarge: 26
      case .columns(let count): count
      }
    if case .columns = self { return max(1, min(wanted, most)) }
    let count = Double(width + GridGeometry.gap) / Double(wanted + GridGeometry.gap)
    return max(1, min(most, Int(count.rounded())))
  }

  /// Photos can't be recognized in narrower tiles.
  private static let leastBoxColumns = 4
}

/// The assets in each row of the grid, which flow from one row into the next.
struct GridRows: Hashable, Sendable {
  let columns: Int
  let count: Int

  init(count: Int, columns: Int) {
    self.columns = max(1, columns)
    self.count = count
  }

  var rowCount: Int { (count + columns - 1) / columns }

  func row(of index: Int) -> Int { index / columns }

  func column(of index: Int) -> Int { index % columns }

  /// The assets of one row.
  func indexes(inRow row: Int) -> Range<Int> { indexes(inRows: row..<row + 1) }

  /// The assets of some rows.
  func indexes(inRows rows: Range<Int>) -> Range<Int> {
    let rows = rows.clamped(to: 0..<rowCount)
    return rows.isEmpty ? 0..<0 : rows.lowerBound * columns..<min(count, rows.upperBound * columns)
  }

  /// The asset at a column of a row, or the last one of a shorter row; nil if there is no such row.
  func index(inRow row: Int, near column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.isEmpty ? nil : min(range.lowerBound + column, range.upperBound - 1)
  }

  /// The asset in a cell; nil if the cell is empty.
  func index(row: Int, column: Int) -> Int? {
    let range = indexes(inRow: row)
    return range.contains(range.lowerBound + column) && column >= 0 && column < columns
      ? range.lowerBound + column : nil
  }
}
