import Pixels

/// Where the parts of the picker stand: a pure function of the screen's size and what is open.
struct ScreenLayout: Hashable, Sendable {
  /// Which parts are wanted.
  struct Options: Hashable, Sendable {
    var showsSidebar = true
    /// A folded sidebar lies over the grid while it has the focus.
    var focusesSidebar = false
    /// nil = where there is room for it beside or under the grid.
    var showsPreview: Bool?
    var isFullScreen = false
    var gridSize = GridSize.medium
    var hasBanner = false
    /// Whether a line over each row has room for the day.
    var hasHeaders = false
    /// Whether the selection is shown in its order.
    var showsStrip = false
    /// Whether a full-screen picture leaves room for what is known of it.
    var showsInfo = false
    /// Whether one row of thumbnails is enough, however large the screen is.
    var isCompact = false
  }

  /// The lines between the panes.
  struct Rules: Hashable, Sendable {
    var upper: Int?
    var lower: Int?
    /// The row between the grid and a preview under it or over it.
    var preview: Int?
    /// The columns between panes side by side.
    var columns: [Int] = []
  }

  /// Less than this can't hold a picker.
  static let least = CellSize(columns: 20, rows: 6)

  let metrics: ScreenMetrics
  let options: Options
  var screen: CellSize { metrics.size }
  /// Whether there is one row of thumbnails only.
  private(set) var isCompact = false
  var title: CellRect?
  var rules = Rules()
  var status = CellRect(column: 0, row: 0, columns: 0, rows: 0)
  var sidebar: CellRect?
  var grid: CellRect?
  var banner: CellRect?
  var preview: CellRect?
  /// What is known of a full-screen picture.
  var info: CellRect?
  /// The selection in its order.
  var strip: CellRect?
  var showsPreview = false
  /// Whether the first line of each row in the grid is its header's.
  private(set) var hasHeaders = false
  var cells = GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)

  init(metrics: ScreenMetrics, options: Options) {
    self.metrics = metrics
    self.options = options
    let (columns, rows) = (screen.columns, screen.rows)
    guard !isTooSmall else { return }
    status = CellRect(column: 0, row: rows - 1, columns: columns, rows: 1)
    isCompact = options.isCompact || columns < 40 || rows < 10
    if options.isFullScreen {
      placeFullScreen(showsInfo: options.showsInfo && columns >= 80 && !isCompact)
      return
    }
    var body = CellRect(column: 0, row: 0, columns: columns, rows: rows - 1)
    if isCompact {
      if columns >= 40, rows >= 10 {
        title = CellRect(column: 0, row: 0, columns: columns, rows: 1)
        body = body.inset(top: 1)
      }
      placeStrip(in: body, metrics: metrics, options: options)
      return
    }
    title = CellRect(column: 0, row: 0, columns: columns, rows: 1)
    (rules.upper, rules.lower) = (1, rows - 2)
    body = body.inset(top: 2, bottom: 1)
    placePanes(in: body, metrics: metrics, options: options)
  }

  /// Whether the screen can't hold a picker.
  var isTooSmall: Bool { screen.columns < Self.least.columns || screen.rows < Self.least.rows }

  /// Whether the sidebar has a pane of its own beside the grid.
  private var hasSidebarPane: Bool { screen.columns >= 100 && options.showsSidebar && !isCompact }

  /// Whether the sidebar lies over the grid.
  var sidebarFloats: Bool { sidebar != nil && !hasSidebarPane }

  /// Whether there is room for years beside the scroll bar.
  var hasYears: Bool { options.hasHeaders && !isCompact && grid?.columns ?? 0 >= 58 }

  /// The thumbnails of the selection.
  var stripCells: GridGeometry {
    guard let inner = strip?.inset(left: 1, top: 1, right: 1) else {
      return GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)
    }
    return GridGeometry(area: inner, box: CellSize(columns: 12, rows: max(0, inner.rows - 1)))
  }

  private mutating func placeFullScreen(showsInfo: Bool) {
    let width = showsInfo ? min(48, screen.columns * 2 / 5) : 0
    let rows = screen.rows - 1
    preview = CellRect(column: 0, row: 0, columns: screen.columns - width, rows: rows)
    if showsInfo { info = CellRect(column: screen.columns - width, row: 0, columns: width, rows: rows) }
  }

  private mutating func placePanes(in body: CellRect, metrics: ScreenMetrics, options: Options) {
    var rest = body
    let isTall = metrics.size.rows * metrics.cell.height > metrics.size.columns * metrics.cell.width
    let sidebarWidth = min(28, max(18, body.columns / 6))
    if hasSidebarPane {
      sidebar = CellRect(column: 0, row: rest.row, columns: sidebarWidth, rows: rest.rows)
      rules.columns.append(sidebarWidth)
      rest = rest.inset(left: sidebarWidth + 1)
    }
    let hasRoom = (isTall && body.rows >= 24) || body.columns >= 76
    showsPreview = options.showsPreview ?? hasRoom
    if showsPreview {
      if isTall, body.rows >= 24 {
        let height = body.rows * 2 / 5
        preview = CellRect(
          column: rest.column, row: rest.endRow - height, columns: rest.columns, rows: height)
        rules.preview = rest.endRow - height - 1
        rest = rest.inset(bottom: height + 1)
      } else if body.columns >= 76 {
        let width = min(rest.columns - 20, max(24, body.columns * 36 / 100))
        preview = CellRect(column: rest.endColumn - width, row: rest.row, columns: width, rows: rest.rows)
        rules.columns.append(rest.endColumn - width - 1)
        rest = rest.inset(right: width + 1)
      } else {
        // No room for both: the preview takes the grid's place.
        preview = rest
        rest.columns = 0
      }
    }
    if options.showsStrip, rest.columns > 0 { rest = placeSelection(in: rest) }
    if rest.columns > 0 { placeGrid(in: rest, metrics: metrics, options: options) }
    if sidebar == nil, options.focusesSidebar { floatSidebar(over: body) }
  }

  mutating func floatSidebar(over body: CellRect) {
    sidebar = CellRect(
      column: 0, row: body.row, columns: min(28, max(18, body.columns - 8)), rows: body.rows)
  }

  /// A rule, a row of small thumbnails and their captions.
  private static let stripRows = 7

  /// Puts the selection under the grid.
  /// - Returns: what is left for the grid.
  mutating func placeSelection(in rest: CellRect) -> CellRect {
    let height = rest.rows >= 17 ? Self.stripRows : min(2, rest.rows)
    let area = CellRect(
      column: rest.column, row: rest.endRow - height, columns: rest.columns, rows: height)
    strip = area
    return rest.inset(bottom: height)
  }

  mutating func placeGrid(in area: CellRect, metrics: ScreenMetrics, options: Options) {
    var area = area
    if options.hasBanner, area.rows > 4 {
      banner = CellRect(column: area.column, row: area.row, columns: area.columns, rows: 1)
      area = area.inset(top: 1)
    }
    grid = area
    // The last column is the scroll bar's.
    let inner = area.inset(left: 1, right: hasYears ? 6 : 2)
    let shape = metrics.cellShape
    var width = options.gridSize.boxColumns(in: inner.columns)
    var height = max(2, Self.height(ofThumbnail: width, shape: shape))
    if height + 1 > inner.rows {
      height = max(1, inner.rows - 1)
      width = min(inner.columns, max(6, Int((Double(height) / Self.thumbnailShape / shape).rounded())))
    }
    hasHeaders = options.hasHeaders && !isCompact && height + 2 <= inner.rows
    if isCompact { width = Self.filling(inner.columns, with: width) }
    cells = GridGeometry(
      area: isCompact
        ? CellRect(
          column: inner.column, row: inner.endRow - height - 1, columns: inner.columns, rows: height + 1)
        : inner.inset(top: hasHeaders ? 1 : 0),
      box: CellSize(columns: width, rows: height))
  }

  /// How high a thumbnail is for its width.
  private static let thumbnailShape = 0.875

  /// The rows of a thumbnail of so many columns, whose cells are so wide for their height.
  static func height(ofThumbnail columns: Int, shape: Double) -> Int {
    Int((Double(columns) * thumbnailShape * shape).rounded())
  }
}
