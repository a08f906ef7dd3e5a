package import Pixels

/// The positions of the parts of the picker: a pure function of the screen's size and of the open parts.
struct ScreenLayout: Hashable, Sendable {
  /// Which parts to show.
  struct Options: Hashable, Sendable {
    var showsSidebar = true
    /// Whether the sidebar has the focus; without a pane of its own it is shown only then.
    var focusesSidebar = false
    /// The width in cells that shows all lines of the sidebar in full.
    var albumColumns = 0
    /// The width of the sidebar that the user wants; nil = the width that its lines need.
    var wantedAlbumColumns: Int?
    /// The wanted share of the window for the preview, in percent; nil = depending on the window's shape.
    var previewShare: Int?
    /// nil = if there is room for it beside or below the grid.
    var showsPreview: Bool?
    var isFullScreen = false
    var gridSize = GridSize.medium
    var hasBanner = false
    /// When the names of photos are shown below their tiles.
    var captions = CaptionMode.never
    /// Whether photos are sorted by name.
    var isByName = false
    /// Whether the user has opened the strip of the picks.
    var showsStrip = false
    /// Whether several photos can be picked: the preview pane keeps room for their strip.
    var collectsPicks = false
    /// Whether anything is picked.
    var hasPicks = false
    /// The number of picks: their strip grows with it if there is room.
    var pickCount = 0
    /// Whether the info pane is shown beside a full-screen picture.
    var showsInfo = false
    /// Whether the compact mode with one row of thumbnails is used on screens of any size.
    var isCompact = false
    /// The wanted height of an open menu; nil = no menu is open.
    var menuRows: Int?
  }

  /// The smallest screen that the picker is drawn on.
  static let minimumSize = CellSize(columns: 20, rows: 6)

  let metrics: ScreenMetrics
  let options: Options
  var screen: CellSize { metrics.size }
  var title: CellRect?
  /// The row between the grid and a preview below or above it.
  var dividerRow: Int?
  var status = CellRect(column: 0, row: 0, columns: 0, rows: 0)
  private(set) var sidebar: CellRect?
  /// Whether the sidebar floats over the grid, which is too small to stand beside it.
  private(set) var sidebarFloats = false
  var grid: CellRect?
  var banner: CellRect?
  var preview: CellRect?
  /// The info pane of a full-screen picture.
  var info: CellRect?
  private(set) var strip = StripLayout()
  /// An open menu.
  private(set) var menu: CellRect?
  /// The line with facts about the photo at the cursor, if no preview shows them.
  var facts: CellRect?
  var showsPreview = false
  private(set) var cells = GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)
  /// The cells of the grid once a menu, and a sidebar that is shown only while it has the focus, are closed.
  private(set) var cellsWhenClosed = GridGeometry(
    area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)

  init(metrics: ScreenMetrics, options: Options) {
    self.metrics = metrics
    self.options = options
    let (columns, rows) = (screen.columns, screen.rows)
    guard !isTooSmall else { return }
    status = CellRect(column: 0, row: rows - 1, columns: columns, rows: 1)
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
    body = body.inset(top: 1)
    placePanes(in: body, metrics: metrics, options: options)
  }

  /// Whether there is only one row of thumbnails.
  var isCompact: Bool { options.isCompact || screen.columns < 40 || screen.rows < 10 }

  /// Whether the screen is too small for the picker.
  var isTooSmall: Bool { screen.columns < Self.minimumSize.columns || screen.rows < Self.minimumSize.rows }

  /// Whether the sidebar has a pane of its own beside the grid.
  private var hasSidebarPane: Bool { screen.columns >= 100 && options.showsSidebar && !isCompact }

  /// Whether the sidebar is shown only while it has the focus.
  var sidebarFolds: Bool { sidebar != nil && !hasSidebarPane }

  /// Whether years are shown beside the scroll bar.
  var hasYears: Bool { hasYears(inGridOf: grid?.columns ?? 0) }

  private func hasYears(inGridOf columns: Int) -> Bool { !isCompact && columns >= 96 }

  private mutating func placeFullScreen(showsInfo: Bool) {
    let width = showsInfo ? min(48, screen.columns * 2 / 5) : 0
    let rows = screen.rows - 1
    preview = CellRect(column: 0, row: 0, columns: screen.columns - width, rows: rows)
    if showsInfo { info = CellRect(column: screen.columns - width, row: 0, columns: width, rows: rows) }
  }

  private mutating func placePanes(in body: CellRect, metrics: ScreenMetrics, options: Options) {
    var rest = body
    if hasSidebarPane {
      let sidebarWidth = sidebarColumns
      sidebar = CellRect(column: 0, row: rest.row, columns: sidebarWidth, rows: rest.rows)
      rest = rest.inset(left: sidebarWidth + 1)
    }
    // In a window with fewer rows or columns the preview would hardly be larger than the thumbnails.
    let hasRoom = (isTall && body.rows >= 24) || body.columns >= 120 && body.rows >= 11
    showsPreview = options.showsPreview ?? hasRoom
    if showsPreview {
      if isTall, body.rows >= 24 {
        let height = Self.part(previewShare, of: body.rows, leaving: Self.leastRowsBesidePreview)
        preview = CellRect(
          column: rest.column, row: rest.endRow - height, columns: rest.columns, rows: height)
        dividerRow = rest.endRow - height - 1
        rest = rest.inset(bottom: height + 1)
      } else if body.columns >= 76 {
        let least = min(Self.leastColumnsBesidePreview, rest.columns / 2)
        let width = Self.part(previewShare, of: body.columns, leaving: body.columns - rest.columns + least)
        preview = CellRect(column: rest.endColumn - width, row: rest.row, columns: width, rows: rest.rows)
        rest = rest.inset(right: width)
        keepRoomForStrip()
      } else {
        // No room for both: the preview replaces the grid.
        preview = rest
        rest.columns = 0
      }
    }
    // Small screens show the name of the photo below an open menu as well.
    let hasFacts = preview == nil || rest.columns == 0
    let kept = withoutMenu?.cells
    if let rows = options.menuRows, let kept { rest = placeMenu(rows: rows, in: rest, beside: kept) }
    let least = menu == nil ? Self.leastRowsForFacts : Self.leastRowsForFacts - 2
    if preview == nil, hasFacts, rest.rows >= least { rest = placeFacts(in: rest) }
    if options.showsStrip, strip.area == nil, rest.columns > 0 { rest = placeStripBelow(rest) }
    let showsSidebar = sidebar == nil && options.focusesSidebar
    if rest.columns > 0, !(showsSidebar && placeSidebarAndGrid(in: rest)) {
      placeGrid(in: rest, keeping: kept)
    }
    if showsSidebar, sidebar == nil { floatSidebar(over: body) }
  }

  /// The edge of a pane that the mouse can drag.
  enum Edge: Hashable, Sendable {
    case sidebar, preview
  }

  /// The edge in a cell: the gap after the sidebar, the line above a preview below the grid, or the blank
  /// column before a preview beside it.
  func edge(row: Int, column: Int) -> Edge? {
    if let sidebar, (sidebar.row..<sidebar.endRow).contains(row) {
      if column == (sidebarFloats ? sidebar.endColumn - 1 : sidebar.endColumn) { return .sidebar }
      if sidebarFloats, column < sidebar.endColumn { return nil }
    }
    guard hasPreviewBesideGrid, let preview else { return nil }
    if let dividerRow { return row == dividerRow && column >= preview.column ? .preview : nil }
    return column == preview.column && (preview.row..<preview.endRow).contains(row) ? .preview : nil
  }

  /// Whether there is a preview whose share of the window can be changed.
  var hasPreviewBesideGrid: Bool { preview != nil && grid != nil && !isCompact && !options.isFullScreen }

  /// The area of the panes: all but the first and the last line.
  var body: CellRect? {
    title.map { title in
      CellRect(column: 0, row: title.endRow, columns: screen.columns, rows: status.row - title.endRow)
    }
  }

  /// Whether the window is higher than wide: the preview is below the grid.
  private var isTall: Bool {
    metrics.size.rows * metrics.cell.height > metrics.size.columns * metrics.cell.width
  }

  // MARK: Widths

  /// The wanted share of the window for the preview, in percent.
  private var previewShare: Int {
    if let share = options.previewShare { return share }
    // In a large window a smaller share is enough for a large picture, and leaves more visible photos.
    return isTall ? 40 : max(30, min(34, 5400 / screen.columns))
  }

  /// The actual share of the preview, in percent.
  var shownPreviewShare: Int {
    guard let preview, let body else { return previewShare }
    return dividerRow == nil
      ? (preview.columns * 100 + body.columns / 2) / body.columns
      : (preview.rows * 100 + body.rows / 2) / body.rows
  }

  /// The minimum size of the grid with a preview beside it or below it.
  private static let (leastColumnsBesidePreview, leastRowsBesidePreview) = (36, 8)

  private static func part(_ share: Int, of whole: Int, leaving least: Int) -> Int {
    max(1, min((whole * share + 50) / 100, whole - least))
  }

  /// The width of a sidebar beside the grid: its names in full, up to a third of the window.
  private var sidebarColumns: Int {
    if let wanted = options.wantedAlbumColumns {
      return max(ScreenPreferences.albumColumnRange.lowerBound, min(wanted, screen.columns / 2))
    }
    let margins = SidebarWindow.margins
    return max(
      Self.leastSidebarColumns, min(options.albumColumns + margins.left + margins.right, screen.columns / 3))
  }

  /// The width of a sidebar over the grid, part of which stays visible.
  private var floatingSidebarColumns: Int {
    let margins = SidebarWindow.margins
    let needed = max(Self.usualFloatingColumns, options.albumColumns + margins.left + margins.rightFloating)
    let columns = options.wantedAlbumColumns ?? min(needed, screen.columns * 2 / 3)
    return max(Self.leastSidebarColumns + 1, min(columns, screen.columns - 8))
  }

  private static let (leastSidebarColumns, usualFloatingColumns) = (17, 28)

  /// The minimum width of a menu, and that of a grid of a single column of tiles beside it.
  private static let (menuColumns, leastColumnsBesideMenu) = (30, 36)
  /// The minimum height of a menu that is lower than half of the grid, so that whole tiles remain.
  private static let leastMenuRows = 5

  /// The layout with the grid that an open menu narrows, or with the one that it shows in place of a preview; nil
  /// without a menu.
  private var withoutMenu: ScreenLayout? {
    guard options.menuRows != nil else { return nil }
    var options = options
    (options.menuRows, options.focusesSidebar) = (nil, false)
    let layout = ScreenLayout(metrics: metrics, options: options)
    if layout.grid != nil { return layout }
    options.showsPreview = false
    return ScreenLayout(metrics: metrics, options: options)
  }

  /// Places a menu in the area of the preview if that is beside the grid, else at the side, else at the
  /// bottom.
  ///
  /// It takes the room of whole columns or rows of tiles if it can, so that the tiles keep their size and their
  /// pictures need not be made again.
  /// - Returns: the area left for the grid.
  private mutating func placeMenu(rows: Int, in area: CellRect, beside tiles: GridGeometry) -> CellRect {
    var rest = area
    if let pane = preview, rest.columns == 0 || pane.column >= rest.endColumn {
      (preview, strip) = (nil, StripLayout())
      guard rest.columns == 0 else {
        menu = pane
        return rest
      }
      rest = pane
    }
    let isWide = rest.columns >= Self.menuColumns + Self.leastColumnsBesideMenu
    let least = isWide ? 1 : 2
    let widths = (least...max(least, tiles.columns)).reversed().map { gridColumns(for: $0, of: tiles.box) }
    // A single tile may be too wide for that.
    let fitting = widths.first { $0 <= rest.columns - Self.menuColumns }
    if let width = fitting ?? (isWide ? rest.columns - Self.menuColumns : nil) {
      menu = rest.inset(left: width)
      return rest.inset(right: rest.columns - width)
    }
    let height = menuHeight(rows, in: rest, below: tiles)
    menu = rest.inset(top: rest.rows - height)
    return rest.inset(bottom: height)
  }

  /// The height of a menu below tiles: about half of an area, so that whole rows of tiles remain.
  private func menuHeight(_ wanted: Int, in area: CellRect, below tiles: GridGeometry) -> Int {
    let usual = min(wanted, max(3, area.rows / 2))
    guard !isCompact else { return usual }
    let row = GridGeometry.gap + tiles.box.rows + tiles.captionRows
    // The banner, the strip and the facts keep their rows.
    let room = tiles.area.rows - max(1, (tiles.area.rows - usual) / row) * row
    let fitted = min(wanted, room)
    return fitted >= min(usual, Self.leastMenuRows) ? fitted : usual
  }

  /// Places the line of facts at the end of an area.
  /// - Returns: the rest of the area.
  private mutating func placeFacts(in rest: CellRect) -> CellRect {
    facts = CellRect(column: rest.column, row: rest.endRow - 1, columns: rest.columns, rows: 1)
    return rest.inset(bottom: 1)
  }

  private mutating func floatSidebar(over body: CellRect) {
    let rows = facts.map { $0.row - body.row } ?? body.rows
    sidebar = CellRect(column: 0, row: body.row, columns: floatingSidebarColumns, rows: rows)
    sidebarFloats = true
  }

  /// Places the sidebar and a narrower grid beside it, while the sidebar has the focus.
  ///
  /// The sidebar takes the room of whole columns of tiles if it can, so that the tiles keep their size and their
  /// pictures need not be made again.
  /// - Returns: whether at least two useful columns of tiles remain; if not, nothing is placed.
  private mutating func placeSidebarAndGrid(in area: CellRect) -> Bool {
    let whole = geometry(in: areaOfTiles(in: area))
    var (width, kept): (Int, GridGeometry?) = (sidebarColumns, nil)
    if options.wantedAlbumColumns == nil {
      let widths = (2...max(2, whole.columns)).reversed().map { count in
        area.columns - 1 - gridColumns(for: count, of: whole.box)
      }
      if let free = widths.first(where: { $0 >= width }) { (width, kept) = (free, whole) }
    }
    let rest = area.inset(left: width + 1)
    guard rest.columns > Self.gridMargins.left + Self.gridMargins.right else { return false }
    let least = min(Self.leastUsefulTile, whole.box.columns)
    if geometry(in: areaOfTiles(in: rest), keeping: kept).box.columns < least { kept = whole }
    guard geometry(in: areaOfTiles(in: rest), keeping: kept).columns >= 2 else { return false }
    sidebar = CellRect(column: area.column, row: area.row, columns: width, rows: area.rows)
    placeGrid(in: rest, keeping: kept)
    cellsWhenClosed = whole
    return true
  }

  /// The width of a grid for a number of tiles without wider gaps between them.
  private func gridColumns(for count: Int, of tile: CellSize) -> Int {
    let tiles = count * (tile.columns + GridGeometry.gap) - GridGeometry.gap
    let columns = Self.gridMargins.left + tiles + Self.gridMargins.right
    return columns + (hasYears(inGridOf: columns) ? Self.yearColumns : 0)
  }

  /// Photos are hard to recognize in narrower tiles.
  private static let leastUsefulTile = 8

  /// Whether the preview is high enough for the facts below the picture.
  var hasPreviewPane: Bool { preview.map { $0.rows >= 12 } ?? false }

  /// The part of the preview's pane above the strip.
  var previewAboveStrip: CellRect? { preview?.inset(bottom: strip.area == nil ? 0 : strip.reservedRows) }

  /// The width of a pick's tile, and of one where rows are scarce.
  private static let (stripColumns, narrowStripColumns) = (10, 5)

  /// The rows reserved for the facts below a preview, unless rows are scarce.
  private static let factRows = 7

  /// The minimum number of rows for the facts below a picture, including the gap.
  ///
  /// In a pane of few rows nearly all of them are for the picture; the facts are shown in the rows that it
  /// leaves.
  var leastFactRows: Int {
    guard let pane = preview, grid != nil, pane.rows >= Self.leastRowsForFactList else { return 1 }
    return pane.rows < Self.leastRowsForAllFacts ? 2 : Self.factRows + 1
  }

  /// Panes with fewer rows show the facts in one line or in two.
  private static let (leastRowsForFactList, leastRowsForAllFacts) = (12, 24)

  /// Reserves room for the strip below the facts of the preview, at most as much as a landscape photo leaves.
  private mutating func keepRoomForStrip() {
    guard options.collectsPicks, let pane = preview else { return }
    let tile = Self.height(ofThumbnail: Self.stripColumns, shape: metrics.cellShape) + GridGeometry.gap
    let heading = StripLayout.headingRows
    // The number of rows of tiles that fit below a picture; `height` is its height divided by its width.
    let shape = metrics.cellShape
    let lines = { (height: Double) in
      (pane.rows - Int(Double(pane.columns - 2) * shape * height) - Self.factRows - 3 - heading) / tile
    }
    // In cells that are much wider than high, a tile may have more rows than the pane.
    guard pane.rows >= 24, heading + tile + GridGeometry.gap <= pane.rows * 2 / 3 else { return }
    // The room below an upright photo (5:4) is always reserved; more only if the picks need it, up to the
    // room below a landscape photo (3:4).
    let least = max(1, min(4, lines(5 / 4)))
    let needed = Self.lines(of: options.pickCount, in: pane.columns - 2)
    strip.reservedRows = heading + max(least, min(needed, lines(3 / 4))) * tile + GridGeometry.gap
    guard options.hasPicks || options.showsStrip else { return }
    placeStrip(
      in: CellRect(
        column: pane.column, row: pane.endRow - strip.reservedRows, columns: pane.columns,
        rows: strip.reservedRows),
      headingRows: heading, tileColumns: Self.stripColumns)
  }

  /// Places the strip below the grid.
  /// - Returns: the area left for the grid.
  private mutating func placeStripBelow(_ rest: CellRect) -> CellRect {
    let columns = rest.rows >= 17 ? Self.stripColumns : Self.narrowStripColumns
    let tile = Self.height(ofThumbnail: columns, shape: metrics.cellShape) + GridGeometry.gap
    // Picks that need more than one row get up to half of the height.
    let needed = Self.lines(of: options.pickCount, in: rest.columns - 2, tileColumns: columns)
    let lines = max(1, min(needed, (rest.rows / 2 - GridGeometry.gap) / max(1, tile)))
    let height = min(rest.rows, lines * tile + GridGeometry.gap)
    placeStrip(
      in: CellRect(column: rest.column, row: rest.endRow - height, columns: rest.columns, rows: height),
      tileColumns: columns)
    return rest.inset(bottom: height)
  }

  /// The height of a strip with one row of tiles, including its heading and the lower edge of the cursor's
  /// frame.
  private static func rows(ofStrip columns: Int, shape: Double) -> Int {
    height(ofThumbnail: columns, shape: shape) + 2 * GridGeometry.gap
  }

  /// The number of rows of tiles that picks need in a width.
  static func lines(of picks: Int, in width: Int, tileColumns: Int = stripColumns) -> Int {
    let columns = max(1, (width + GridGeometry.gap) / (tileColumns + GridGeometry.gap))
    return (picks + columns - 1) / columns
  }

  private mutating func placeStrip(in area: CellRect, headingRows: Int = 0, tileColumns: Int) {
    strip.area = area
    let rows = max(1, Self.height(ofThumbnail: tileColumns, shape: metrics.cellShape))
    let inner = area.inset(left: 1, top: headingRows, right: 1)
    strip.cells = GridGeometry(
      area: inner, box: CellSize(columns: tileColumns, rows: rows),
      columns: max(1, (inner.columns + GridGeometry.gap) / (tileColumns + GridGeometry.gap)), isSpread: false)
  }

  /// The rows of the strip in compact mode.
  private var compactStripRows: Int { Self.rows(ofStrip: Self.narrowStripColumns, shape: metrics.cellShape) }

  /// - Parameter kept: the cells whose tiles keep their size; nil = the tiles fill the width.
  private mutating func placeGrid(in area: CellRect, keeping kept: GridGeometry? = nil) {
    let tiles = areaOfTiles(in: area)
    if tiles.row > area.row {
      banner = CellRect(column: area.column, row: area.row, columns: area.columns, rows: 1)
    }
    grid = tiles
    cells = geometry(in: tiles, keeping: kept.flatMap { canKeep($0, in: tiles) ? $0 : nil })
    cellsWhenClosed = kept ?? cells
  }

  /// The part of a grid's area below the banner.
  private func areaOfTiles(in area: CellRect) -> CellRect {
    options.hasBanner && area.rows > 4 ? area.inset(top: 1) : area
  }

  /// The columns beside the tiles: one for the frame of the first column, and two for the scroll bar and a gap.
  private static let gridMargins = (left: 1, right: 2)

  /// The part of an area for the tiles and the gaps between them.
  private func inner(of area: CellRect) -> CellRect {
    let years = hasYears(inGridOf: area.columns) ? Self.yearColumns : 0
    return area.inset(left: Self.gridMargins.left, right: Self.gridMargins.right + years)
  }

  /// Whether at least one tile of the size in other cells is visible in an area, at least half of it.
  private func canKeep(_ cells: GridGeometry, in area: CellRect) -> Bool {
    let inner = inner(of: area)
    return cells.box.columns > 0 && inner.columns >= cells.box.columns
      && (inner.rows - GridGeometry.gap) * 2 >= cells.box.rows
  }

  /// The cells of a grid.
  /// - Parameter kept: the cells whose tiles keep their size; nil = the tiles fill the width.
  private func geometry(in area: CellRect, keeping kept: GridGeometry? = nil) -> GridGeometry {
    let inner = inner(of: area)
    let years = hasYears(inGridOf: area.columns) ? Self.yearColumns : 0
    let gap = GridGeometry.gap
    if let kept {
      let captionRows = captionRows(under: kept.box.columns)
      let rows = kept.box.rows + gap + captionRows
      let room = (inner.columns + gap) / (kept.box.columns + gap)
      return GridGeometry(
        area: isCompact ? inner.inset(top: max(0, inner.rows - rows)) : inner, box: kept.box,
        columns: max(1, min(room, kept.columns)), captionRows: captionRows, freeColumns: years)
    }
    var columns = options.gridSize.columns(in: inner.columns)
    var width = max(1, (inner.columns + gap) / columns - gap)
    let captionRows = captionRows(under: width)
    var height = max(1, Self.height(ofThumbnail: width, shape: metrics.cellShape))
    if height + gap + captionRows > inner.rows {
      height = max(1, inner.rows - gap - captionRows)
      width = min(inner.columns, max(4, Int((Double(height) / metrics.cellShape).rounded())))
      columns = max(1, (inner.columns + gap) / (width + gap))
      if isCompact { width = max(1, (inner.columns + gap) / columns - gap) }
    }
    let rows = height + gap + captionRows
    return GridGeometry(
      area: isCompact ? inner.inset(top: max(0, inner.rows - rows)) : inner,
      box: CellSize(columns: width, rows: height), columns: columns, captionRows: captionRows,
      freeColumns: years)
  }

  private func captionRows(under tileColumns: Int) -> Int {
    isCompact ? 0 : options.captions.rows(under: tileColumns, isByName: options.isByName)
  }

  /// The columns for years beside the scroll bar.
  private static let yearColumns = 4

  /// Screens with fewer rows use them all for photos.
  private static let leastRowsForFacts = 8

  /// The height of a tile in rows that makes it as square as cells allow.
  /// - Parameter shape: a cell's width divided by its height.
  static func height(ofThumbnail columns: Int, shape: Double) -> Int {
    Int((Double(columns) * shape).rounded())
  }
}

/// Where the strip of the picks is.
struct StripLayout: Hashable, Sendable {
  /// The rows reserved for it at the end of the preview pane, so that the first pick does not move anything.
  var reservedRows = 0
  /// nil = it is not shown.
  var area: CellRect?
  /// The rows of the heading above the gap row of the tiles, where there is room for one of its own.
  static let headingRows = 1
  var cells = GridGeometry(area: CellRect(column: 0, row: 0, columns: 0, rows: 0), box: .zero)
}

/// The size of the screen and its cells.
package struct ScreenMetrics: Hashable, Sendable {
  package var size: CellSize
  /// The size of a character cell in pixels.
  package var cell: PixelSize
  /// The sizes in which pictures are requested; nil = no pictures are drawn.
  package var pictureGeometry: PictureGeometry?

  /// A cell's width divided by its height.
  var cellShape: Double { Double(cell.width) / Double(max(1, cell.height)) }

  package init(size: CellSize, cell: PixelSize, pictureGeometry: PictureGeometry?) {
    self.size = size
    self.cell = cell
    self.pictureGeometry = pictureGeometry
  }
}

extension ScreenLayout {
  /// The minimum height for a preview above the thumbnails.
  private static let minimumRowsForPreview = 12
  /// The minimum width for a preview beside the thumbnails.
  private static let minimumColumnsForPreview = 76

  /// The minimum number of rows for the gap row and the tiles.
  private static let leastRowsOfTiles = 3

  /// Places one row of thumbnails with the preview above it, beside it or instead of it.
  private mutating func placeStrip(in body: CellRect, metrics: ScreenMetrics, options: Options) {
    var body = body
    let withoutMenu = withoutMenu
    let kept = withoutMenu?.cells
    // A menu takes room of a preview above the thumbnails, which stay as they are.
    let isAbove =
      withoutMenu?.dividerRow != nil && withoutMenu?.preview?.rows ?? 0 > Self.leastMenuRows
    if let rows = options.menuRows, let kept, !isAbove {
      body = placeMenu(rows: rows, in: body, beside: kept)
    }
    var rest = body
    let shape = metrics.cellShape
    let isHigh = body.rows >= Self.minimumRowsForPreview
    let isWide = body.columns >= Self.minimumColumnsForPreview && body.rows >= 5
    showsPreview = options.showsPreview ?? (isHigh || isWide && options.isCompact)
    if showsPreview, isHigh {
      let tile =
        (body.columns + GridGeometry.gap) / options.gridSize.columns(in: body.columns) - GridGeometry.gap
      let wanted = Self.height(ofThumbnail: max(1, tile), shape: shape) + GridGeometry.gap
      let most = max(5, body.rows * 2 / 5)
      let selected = options.showsStrip ? compactStripRows : 0
      let height = min(min(max(3, wanted), most) + selected + (options.hasBanner ? 1 : 0), body.rows - 4)
      preview = body.inset(bottom: height + 1)
      dividerRow = body.endRow - height - 1
      rest = body.inset(top: body.rows - height)
      if isAbove { placeMenuAboveStrip() }
    } else if showsPreview, isWide {
      // As wide as a 4:3 picture of full height; the facts are below the thumbnails.
      let width = Int((Double(body.rows) * 4 / 3 / max(0.1, shape)).rounded(.up)) + 2
      let columns = min(width, body.columns * 2 / 5)
      preview = body.inset(left: body.columns - columns)
      rest = body.inset(right: columns)
      if rest.rows > Self.leastRowsOfTiles { rest = placeFacts(in: rest) }
    } else if showsPreview {
      preview = body
      rest.columns = 0
    }
    if preview == nil, facts == nil, rest.rows > Self.leastRowsOfTiles { rest = placeFacts(in: rest) }
    if options.showsStrip, rest.columns > 0 { rest = placeStripBelow(rest) }
    if rest.columns > 0 { placeGrid(in: rest, keeping: kept) }
    if options.focusesSidebar { floatSidebar(over: body) }
  }

  /// Places a menu beside the preview above the thumbnails if there is room, else in its place.
  private mutating func placeMenuAboveStrip() {
    guard let pane = preview else { return }
    if pane.columns >= Self.menuColumns + Self.leastColumnsBesideMenu {
      menu = pane.inset(left: pane.columns - Self.menuColumns)
      preview = pane.inset(right: Self.menuColumns)
    } else {
      preview = nil
      menu = placeFacts(in: pane)
    }
  }
}
