public import Pixels

/// A picture at its place on the screen.
public struct PlacedPicture: Hashable, Sendable {
  /// Which encoding it is: another version of the same picture has another number.
  public var version: UInt64
  public var row: Int
  public var column: Int
  public var size: CellSize
  /// The cells, from the top left, that it covers to the last pixel.
  public var covered: CellSize

  public init(version: UInt64, row: Int, column: Int, size: CellSize, covered: CellSize) {
    self.version = version
    self.row = row
    self.column = column
    self.size = size
    self.covered = covered
  }

  /// The cells that it touches.
  public var rect: CellRect {
    CellRect(column: column, row: row, columns: size.columns, rows: size.rows)
  }
}

/// What has to be erased and drawn so that the screen holds other pictures than before.
///
/// Pure: what is on the screen and what should be go in, commands come out. A picture that stays is not
/// touched; one that takes another's place is drawn over it, and only what would look out is erased.
public struct ScreenPlan: Hashable, Sendable {
  public var erase: [CellRect]
  public var draw: [PlacedPicture]

  /// Whether the screen is right as it is.
  public var isEmpty: Bool { erase.isEmpty && draw.isEmpty }

  public init(from before: [PlacedPicture], to after: [PlacedPicture]) {
    let staying = Set(before).intersection(after)
    draw = after.filter { !staying.contains($0) }
    let covers = after.map {
      CellRect(column: $0.column, row: $0.row, columns: $0.covered.columns, rows: $0.covered.rows)
    }
    erase = []
    for gone in before where !staying.contains(gone) {
      erase += Self.rows(of: gone.rect, outside: covers)
    }
  }

  /// The parts of `rect` that no rectangle of `covers` covers, joined downwards where they are alike.
  private static func rows(of rect: CellRect, outside covers: [CellRect]) -> [CellRect] {
    var parts: [CellRect] = []
    var open: [CellRect] = []
    for row in rect.row..<rect.endRow {
      var free = [rect.column..<rect.endColumn]
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
