import Pixels

/// The cells of a grid: tiles with equal gaps between them and a gap row above each.
///
/// What they leave of the width of the area goes into its margins.
///
/// The gap row holds what belongs to the tiles below it: the day, and the upper edge of a frame. The last row of
/// tiles is cut where the area ends.
struct GridGeometry: Hashable, Sendable {
  static let gap = 1
  /// A cut row with fewer rows of its tiles is not shown.
  static let leastCutRows = 2

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

  /// - Parameter columns: nil = as many as there is room for.
  /// - Parameter isSpread: whether the tiles use the whole width, with wider gaps where each can be as wide.
  init(area: CellRect, box: CellSize, columns: Int? = nil, captionRows: Int = 0, isSpread: Bool = true) {
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
    margin = (spare - wider * (count - 1)) / 2
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
