/// The pictures on a screen; a cell shows the newest one that was not overwritten.
struct PictureLayer {
  /// What destroys the part of a picture in a cell.
  enum Cause {
    case printing, erasing, moving
  }

  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var living: [Int: TerminalPicture] = [:]
  private(set) var history: [DrawnPicture] = []
  /// How many cells with pictures were erased and not overwritten, which leaves ghosts on many terminals.
  private(set) var cellsOnlyErased = 0
  /// The serial number of the picture that each cell shows, 0 for none.
  private var owners: [Int]
  /// The most pictures that are kept, as in tmux; nil keeps any number, cell by cell.
  ///
  /// The oldest is removed when there are more, and any picture as a whole when a cell of it is written or a part of
  /// one of its rows erased: image.c of tmux, `image_store`, `image_check_area` and `image_check_line`.
  private let mostKept: Int?

  init(columns: Int, rows: Int, mostKept: Int? = nil) {
    self.mostKept = mostKept
    self.columns = columns
    self.rows = rows
    owners = Array(repeating: 0, count: columns * rows)
  }

  var isEmpty: Bool { living.isEmpty }

  func picture(at position: TerminalPosition) -> TerminalPicture? {
    guard (0..<rows).contains(position.row), (0..<columns).contains(position.column) else { return nil }
    return living[owners[position.row * columns + position.column]]
  }

  mutating func draw(
    _ image: SixelImage, at position: TerminalPosition, cell: (width: Int, height: Int), byteCount: Int,
    synchronized: Bool, background: TerminalRGB
  ) -> TerminalPicture {
    let wanted = TerminalRectangle(
      row: position.row, column: position.column, rows: (image.height + cell.height - 1) / cell.height,
      columns: (image.width + cell.width - 1) / cell.width)
    let area = wanted.clipped(rows: rows, columns: columns)
    let serial = history.count + 1
    let picture = TerminalPicture(
      serial: serial, area: area, rowsWanted: wanted.rows, image: image,
      cell: TerminalRectangle(row: 0, column: 0, rows: cell.height, columns: cell.width),
      background: background, byteCount: byteCount, synchronized: synchronized)
    history.append(
      DrawnPicture(
        serial: serial, area: area, pixelWidth: image.width, pixelHeight: image.height,
        byteCount: byteCount, synchronized: synchronized,
        reachedBelowScreen: wanted.row + wanted.rows > rows,
        touchedLastRow: wanted.row + wanted.rows >= rows))
    if mostKept == nil { damage(area, cause: .printing) }
    living[serial] = picture
    if let mostKept, living.count > mostKept, let oldest = living.keys.min() { remove(oldest) }
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns { owners[row * columns + column] = serial }
    }
    return picture
  }

  mutating func damage(_ rectangle: TerminalRectangle, cause: Cause) {
    if living.isEmpty { return }
    let area = rectangle.clipped(rows: rows, columns: columns)
    if mostKept != nil {
      let touched = living.filter { _, picture in
        let (rows, columns) = (picture.area.row..<picture.area.row + picture.area.rows, picture.area.column)
        return rows.overlaps(area.row..<area.row + area.rows)
          && (cause == .erasing
            || (columns..<columns + picture.area.columns).overlaps(area.column..<area.column + area.columns))
      }
      for serial in touched.keys { remove(serial) }
      return
    }
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns {
        let serial = owners[row * columns + column]
        if serial == 0 { continue }
        owners[row * columns + column] = 0
        if cause == .erasing { cellsOnlyErased += 1 }
        living[serial]?.destroyedCells.insert(TerminalPosition(row: row, column: column))
        if living[serial]?.isGone == true { living[serial] = nil }
      }
    }
  }

  private mutating func remove(_ serial: Int) {
    living[serial] = nil
    for cell in owners.indices where owners[cell] == serial { owners[cell] = 0 }
  }

  mutating func removeAll() {
    living = [:]
    owners = Array(repeating: 0, count: columns * rows)
  }

  /// Resizes the layer; cells outside are lost, the rest keeps its position.
  mutating func resize(columns newColumns: Int, rows newRows: Int) {
    damage(TerminalRectangle(row: newRows, column: 0, rows: rows, columns: columns), cause: .moving)
    damage(TerminalRectangle(row: 0, column: newColumns, rows: rows, columns: columns), cause: .moving)
    var resized = Array(repeating: 0, count: newColumns * newRows)
    for row in 0..<min(rows, newRows) {
      for column in 0..<min(columns, newColumns) {
        resized[row * newColumns + column] = owners[row * columns + column]
      }
    }
    (columns, rows, owners) = (newColumns, newRows, resized)
  }
}
