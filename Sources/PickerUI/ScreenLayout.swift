import Pixels

/// Where the parts of the picker stand: a pure function of the screen's size and what is open.
struct ScreenLayout: Hashable, Sendable {
  /// The sizes of thumbnails, from S to XL.
  enum ThumbnailSize: Int, CaseIterable, Sendable {
    case small, medium, large, extraLarge

    /// The width of the picture box in cells.
    var columns: Int { [12, 16, 22, 32][rawValue] }

    var larger: ThumbnailSize { ThumbnailSize(rawValue: rawValue + 1) ?? self }
    var smaller: ThumbnailSize { ThumbnailSize(rawValue: rawValue - 1) ?? self }
  }

  /// Which parts are wanted.
  struct Options: Hashable, Sendable {
    var showsSidebar = true
    /// A folded sidebar lies over the grid while it has the focus.
    var focusesSidebar = false
    /// nil = where there is room for it beside or under the grid.
    var showsPreview: Bool?
    var isFullScreen = false
    var thumbnails = ThumbnailSize.medium
    var hasBanner = false
  }

  /// Less than this can't hold a picker.
  static let least = CellSize(columns: 20, rows: 6)

  let screen: CellSize
  var isTooSmall = false
  var title: CellRect?
  var upperRule: Int?
  var lowerRule: Int?
  var status = CellRect(column: 0, row: 0, columns: 0, rows: 0)
  var sidebar: CellRect?
  /// Whether the sidebar lies over the grid.
  var sidebarFloats = false
  var grid: CellRect?
  var banner: CellRect?
  var preview: CellRect?
  private(set) var showsPreview = false
  /// Columns of the rules between panes.
  var dividers: [Int] = []
  /// The row of the rule between the grid and a preview under it.
  var previewRule: Int?
  var cells = GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)

  init(metrics: ScreenMetrics, options: Options) {
    screen = metrics.size
    let (columns, rows) = (screen.columns, screen.rows)
    guard columns >= Self.least.columns, rows >= Self.least.rows else {
      isTooSmall = true
      return
    }
    status = CellRect(column: 0, row: rows - 1, columns: columns, rows: 1)
    let isStrip = columns < 40 || rows < 10
    var body = CellRect(column: 0, row: 0, columns: columns, rows: rows - 1)
    if !isStrip {
      title = CellRect(column: 0, row: 0, columns: columns, rows: 1)
      upperRule = 1
      lowerRule = rows - 2
      body = CellRect(column: 0, row: 2, columns: columns, rows: rows - 4)
    }
    if options.isFullScreen {
      preview = isStrip ? body : CellRect(column: 0, row: 0, columns: columns, rows: rows - 1)
      title = nil
      upperRule = nil
      lowerRule = nil
      return
    }
    placePanes(in: body, metrics: metrics, options: options, isStrip: isStrip)
  }

  private mutating func placePanes(
    in body: CellRect, metrics: ScreenMetrics, options: Options, isStrip: Bool
  ) {
    var rest = body
    let wide = body.columns >= 100
    let isTall = metrics.size.rows * metrics.cell.height > metrics.size.columns * metrics.cell.width
    let sidebarWidth = min(28, max(18, body.columns / 6))
    if wide, options.showsSidebar {
      sidebar = CellRect(column: 0, row: rest.row, columns: sidebarWidth, rows: rest.rows)
      dividers.append(sidebarWidth)
      rest = rest.inset(left: sidebarWidth + 1)
    }
    let hasRoom = (isTall && body.rows >= 24) || body.columns >= 76
    showsPreview = !isStrip && options.showsPreview ?? hasRoom
    if showsPreview {
      if isTall, body.rows >= 24 {
        let height = body.rows * 2 / 5
        preview = CellRect(
          column: rest.column, row: rest.endRow - height, columns: rest.columns, rows: height)
        previewRule = rest.endRow - height - 1
        rest = rest.inset(bottom: height + 1)
      } else if body.columns >= 76 {
        let width = min(rest.columns - 20, max(24, body.columns * 36 / 100))
        preview = CellRect(column: rest.endColumn - width, row: rest.row, columns: width, rows: rest.rows)
        dividers.append(rest.endColumn - width - 1)
        rest = rest.inset(right: width + 1)
      } else {
        // No room for both: the preview takes the grid's place.
        preview = rest
        rest.columns = 0
      }
    }
    if rest.columns > 0 { placeGrid(in: rest, metrics: metrics, options: options, isStrip: isStrip) }
    if !wide, options.focusesSidebar {
      sidebar = CellRect(
        column: 0, row: body.row, columns: min(28, max(18, body.columns - 8)), rows: body.rows)
      sidebarFloats = true
    }
  }

  private mutating func placeGrid(
    in area: CellRect, metrics: ScreenMetrics, options: Options, isStrip: Bool
  ) {
    var area = area
    if options.hasBanner, area.rows > 4 {
      banner = CellRect(column: area.column, row: area.row, columns: area.columns, rows: 1)
      area = area.inset(top: 1)
    }
    grid = area
    // The last column is the scroll bar's.
    let inner = area.inset(left: 1, right: 2)
    let shape = Double(metrics.cell.width) / Double(max(1, metrics.cell.height))
    var width = min(options.thumbnails.columns, inner.columns)
    var height = max(2, Int((Double(width) * 0.875 * shape).rounded()))
    if height + 1 > inner.rows {
      height = max(1, inner.rows - 1)
      width = min(inner.columns, max(6, Int((Double(height) / 0.875 / shape).rounded())))
    }
    cells = GridGeometry(
      area: isStrip
        ? CellRect(column: inner.column, row: inner.row, columns: inner.columns, rows: height + 1) : inner,
      box: CellSize(columns: width, rows: height))
  }
}

/// The grid's cells: boxes with a caption under each and a gutter between them.
struct GridGeometry: Hashable, Sendable {
  static let gutterColumns = 2
  static let gutterRows = 1

  let area: CellRect
  let box: CellSize
  let columns: Int
  let rows: Int
  /// What is left of the width, put in front.
  private let margin: Int

  init(area: CellRect, box: CellSize) {
    self.area = area
    self.box = box
    guard box.columns > 0, box.rows > 0, area.columns >= box.columns else {
      columns = area.isEmpty ? 0 : 1
      rows = area.isEmpty ? 0 : 1
      margin = 0
      return
    }
    columns = (area.columns + Self.gutterColumns) / (box.columns + Self.gutterColumns)
    rows = max(1, (area.rows + Self.gutterRows) / (box.rows + 1 + Self.gutterRows))
    margin =
      (area.columns - columns * (box.columns + Self.gutterColumns) + Self.gutterColumns) / 2
  }

  /// How many cells are in sight.
  var count: Int { columns * rows }

  /// The picture box of a cell in sight, counted from 0 in reading order.
  func box(at index: Int) -> CellRect {
    let (row, column) = (index / max(1, columns), index % max(1, columns))
    return CellRect(
      column: area.column + margin + column * (box.columns + Self.gutterColumns),
      row: area.row + row * (box.rows + 1 + Self.gutterRows), columns: box.columns, rows: box.rows)
  }
}

extension CellSize {
  static let zero = CellSize(columns: 0, rows: 0)
}
