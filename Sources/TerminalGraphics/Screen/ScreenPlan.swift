package import Pixels

/// What to erase, remove and draw to change the pictures on the screen.
///
/// A pure function of the current and the wanted pictures. A picture that stays is not touched; one that replaces
/// another is drawn over it, and only the uncovered rest is erased. Erasing comes before the text of the frame,
/// which may use those cells; drawing comes after it.
struct ScreenPlan: Hashable, Sendable {
  /// Cells to blank, before the text.
  var erase: [CellRect]
  /// Pictures above the cells to remove, before the text.
  var remove: [PlacedPicture]
  /// Pictures to draw, after the text.
  var draw: [PlacedPicture]
  /// Pictures above the cells that are removed once their replacement is shown.
  var leaving: [PlacedPicture]
  /// Cells that show an old picture until a new one is drawn over them.
  var stale: [CellRect]

  /// Whether nothing has to change.
  var isEmpty: Bool { erase.isEmpty && remove.isEmpty && draw.isEmpty && leaving.isEmpty }

  /// - Parameters:
  ///   - before: the pictures on the screen.
  ///   - stale: cells in which an interrupted frame has left an old picture.
  ///   - after: the wanted pictures.
  init(from before: [PlacedPicture], stale: [CellRect] = [], to after: [PlacedPicture]) {
    let staying = Set(before).intersection(after)
    let draw = after.filter { !staying.contains($0) }
    let gone = before.filter { !staying.contains($0) }
    let above = gone.filter { !$0.livesInCells }
    let leaving = above.filter { old in
      draw.contains { $0.rect.intersects(old.rect) || $0.isSamePicture(as: old) }
    }
    self.leaving = leaving
    remove = above.filter { !leaving.contains($0) }
    self.draw = draw
    let old = gone.filter(\.livesInCells).map(\.rect) + stale
    let kept = staying.filter(\.livesInCells).map(\.coveredRect)
    let new = draw.filter(\.livesInCells).map(\.coveredRect)
    let visible = old.flatMap { $0.parts(outside: kept) }
    let erase = visible.flatMap { $0.parts(outside: new) }
    self.erase = erase
    self.stale = visible.flatMap { $0.parts(outside: erase) }
  }
}

extension CellRect {
  /// Returns the part of the rectangle in some rows of the screen; nil if there is none.
  package func part(in rows: Range<Int>) -> CellRect? {
    let common = (row..<endRow).clamped(to: rows)
    if common.isEmpty { return nil }
    return CellRect(column: column, row: common.lowerBound, columns: columns, rows: common.count)
  }

  /// Returns the parts of the rectangle that `covers` leave uncovered; equal parts of consecutive rows are joined.
  package func parts(outside covers: [CellRect]) -> [CellRect] {
    var parts: [CellRect] = []
    var open: [CellRect] = []
    for row in row..<endRow {
      var free = [column..<endColumn]
      for cover in covers where (cover.row..<cover.endRow).contains(row) {
        free = free.flatMap { span in
          [
            span.lowerBound..<min(span.upperBound, max(span.lowerBound, cover.column)),
            max(span.lowerBound, min(span.upperBound, cover.endColumn))..<span.upperBound,
          ].filter { !$0.isEmpty }
        }
      }
      let now = free.map {
        CellRect(column: $0.lowerBound, row: row, columns: $0.count, rows: 1)
      }
      if now.map(\.column) == open.map(\.column), now.map(\.columns) == open.map(\.columns) {
        open = open.map { CellRect(column: $0.column, row: $0.row, columns: $0.columns, rows: $0.rows + 1) }
      } else {
        parts += open
        open = now
      }
    }
    return parts + open
  }
}

/// The position of the cursor; both numbers count from 0 at the top left.
package struct CursorPlace: Hashable, Sendable {
  package var row: Int
  package var column: Int

  /// The query (DSR 6 of ECMA-48), answered with `CSI row ; column R`.
  package static let question: [UInt8] = Array("\u{1B}[6n".utf8)

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// - Parameter answer: the numbers of the answer; nil if they are invalid.
  package init?(answer: [Int]) {
    guard answer.count == 2, answer.allSatisfy({ (1...Self.most).contains($0) }) else { return nil }
    self.init(row: answer[0] - 1, column: answer[1] - 1)
  }

  /// Upper bound of rows and columns of a screen.
  private static let most = 1 << 16
}

/// A picture at its position on the screen.
package struct PlacedPicture: Hashable, Sendable {
  /// Identifies the encoded bytes: another version of the same picture has another number.
  package var version: UInt64
  /// Distinguishes several positions of the same version on one screen.
  package var copy: Int
  package var row: Int
  package var column: Int
  package var size: CellSize
  /// The cells, from the top left, that it covers to the last pixel.
  package var covered: CellSize
  /// Whether blanks erase it; otherwise it is above the cells, moves when it is placed again, and stays until it is
  /// removed.
  package var livesInCells: Bool
  /// Cells of the screen that it leaves to text, if it is above the cells.
  package var holes: [CellRect]
  /// Whether it is shown only briefly, such as a frame of an animation: the terminal need not store it.
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

  /// The parts in which it is shown: one, or several around its holes.
  var parts: [CellRect] { holes.isEmpty ? [rect] : rect.parts(outside: holes) }

  /// The cells that it covers completely.
  var coveredRect: CellRect {
    CellRect(column: column, row: row, columns: covered.columns, rows: covered.rows)
  }

  /// Returns whether placing one moves the other.
  func isSamePicture(as other: PlacedPicture) -> Bool {
    version == other.version && copy == other.copy && livesInCells == other.livesInCells
  }
}
