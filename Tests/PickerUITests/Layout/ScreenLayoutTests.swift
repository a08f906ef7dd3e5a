import Pixels
import Testing

@testable import PickerUI

@Suite struct ScreenLayoutTests {
  static let columns = [1, 5, 19, 20, 21, 30, 39, 40, 41, 60, 75, 76, 77, 99, 100, 101, 120, 160, 240, 400]
  static let rows = [1, 2, 5, 6, 7, 9, 10, 11, 14, 20, 24, 30, 50, 100]

  private static let options: [ScreenLayout.Options] = {
    var all: [ScreenLayout.Options] = []
    for preview in [false, true, nil] {
      for flags in 0..<32 {
        for gridSize in [GridSize.small, .medium, .large, .extraLarge, .columns(1), .columns(9)] {
          var options = ScreenLayout.Options(showsPreview: preview, gridSize: gridSize)
          options.focusesSidebar = flags & 1 != 0
          options.hasBanner = flags & 2 != 0
          options.captions = flags & 4 != 0 ? .always : .never
          options.showsStrip = flags & 8 != 0
          options.collectsPicks = flags & 6 != 0
          options.hasPicks = flags & 10 != 0
          options.menuRows = flags & 9 == 9 ? 22 : nil
          options.isCompact = flags & 16 != 0
          options.albumColumns = flags & 3 == 3 ? 300 : 12
          options.wantedAlbumColumns = flags & 24 == 24 ? 80 : nil
          options.previewShare = flags & 5 == 5 ? 70 : flags & 5 == 4 ? 15 : nil
          options.isFullScreen = flags & 6 == 6
          options.showsInfo = options.focusesSidebar
          all.append(options)
        }
      }
    }
    return all
  }()

  /// The faults of a layout, as text.
  private func faults(_ layout: ScreenLayout) -> [String] {
    let screen = CellRect(column: 0, row: 0, columns: layout.screen.columns, rows: layout.screen.rows)
    var panes: [(name: String, rect: CellRect)] = [("status", layout.status)]
    for (name, rect) in [
      ("title", layout.title), ("banner", layout.banner), ("preview", layout.previewAboveStrip),
      ("grid", layout.grid), ("strip", layout.strip.area), ("facts", layout.facts),
      ("info", layout.info), ("menu", layout.menu), ("sidebar", layout.sidebarFloats ? nil : layout.sidebar),
    ] {
      if let rect { panes.append((name, rect)) }
    }
    if let row = layout.dividerRow, let preview = layout.preview {
      panes.append(
        ("divider", CellRect(column: preview.column, row: row, columns: preview.columns, rows: 1)))
    }
    var faults: [String] = []
    for (index, pane) in panes.enumerated() {
      if !screen.contains(pane.rect) { faults.append("\(pane.name) leaves the screen") }
      for other in panes[(index + 1)...] where pane.rect.intersects(other.rect) {
        faults.append("\(pane.name) and \(other.name) overlap")
      }
    }
    if let sidebar = layout.sidebar, !screen.contains(sidebar) { faults.append("sidebar leaves the screen") }
    if layout.sidebarFolds, !layout.sidebarFloats, layout.cells.columns < 2 {
      faults.append("one column beside the sidebar")
    }
    return faults + gridFaults(layout)
  }

  private func gridFaults(_ layout: ScreenLayout) -> [String] {
    guard let grid = layout.grid else { return [] }
    var faults: [String] = []
    if layout.isCompact, layout.cells.rows > 1 { faults.append("more than one row") }
    let boxes = (0..<layout.cells.count).map(layout.cells.box(at:))
    for (index, box) in boxes.enumerated() where !box.isEmpty {
      // With the gap row above it and the cursor's frame on both sides.
      let cell = CellRect(
        column: box.column - 1, row: box.row - 1, columns: box.columns + 2, rows: box.rows + 1)
      if !grid.contains(cell) { faults.append("cell \(index) leaves the grid") }
      if cell.endColumn >= grid.endColumn { faults.append("cell \(index) lies under the scroll bar") }
      let previous = index > 0 ? boxes[index - 1] : nil
      if let previous, previous.inset(bottom: -1).intersects(box) { faults.append("cell \(index) overlaps") }
    }
    return faults
  }

  @Test(arguments: columns)
  func `Every part stays within the screen and overlaps no other`(columns: Int) {
    for rows in Self.rows {
      for options in Self.options { expectSound(columns, rows, options) }
    }
  }

  @Test(arguments: 1...10)
  func `This holds for every screen size`(share: Int) {
    // The options take turns: each step skips a prime number of them, so that every option meets every nearby size.
    var turn = share
    for columns in stride(from: share, through: 250, by: 10) {
      for rows in 1...80 {
        expectSound(columns, rows, Self.options[turn % Self.options.count])
        turn += 37
        expectSound(columns, rows, Self.options[turn % Self.options.count])
        turn += 37
      }
    }
  }

  private func expectSound(_ columns: Int, _ rows: Int, _ options: ScreenLayout.Options) {
    let layout = ScreenLayout(metrics: .size(CellSize(columns: columns, rows: rows)), options: options)
    let faults = faults(layout)
    if !faults.isEmpty { Issue.record("\(columns)x\(rows), \(faults), \(options)") }
  }

  @Test(arguments: [
    PixelSize(width: 1, height: 1), .init(width: 6, height: 30), .init(width: 30, height: 6),
    // The extremes of `--cell-size`.
    .init(width: 200, height: 4), .init(width: 2, height: 400),
  ])
  func `This holds for any cell shape`(cell: PixelSize) {
    var turn = 0
    for columns in Self.columns {
      for rows in Self.rows {
        let size = CellSize(columns: columns, rows: rows)
        let metrics = ScreenMetrics(size: size, cell: cell, pictureGeometry: nil)
        // The options take turns, after the usual ones, with and without picks.
        var chosen = [ScreenLayout.Options(), .init(collectsPicks: true, hasPicks: true, pickCount: 40)]
        for _ in 0..<8 {
          chosen.append(Self.options[turn % Self.options.count])
          turn += 37
        }
        for options in chosen {
          let faults = faults(ScreenLayout(metrics: metrics, options: options))
          if !faults.isEmpty { Issue.record("\(columns)x\(rows), \(faults), \(options)") }
        }
      }
    }
  }

  struct Shape: Sendable {
    var size: CellSize
    var parts: Set<String>
  }

  static let shapes = [
    Shape(size: CellSize(columns: 19, rows: 24), parts: []),
    Shape(size: CellSize(columns: 80, rows: 5), parts: []),
    Shape(size: CellSize(columns: 20, rows: 6), parts: ["grid"]),
    Shape(size: CellSize(columns: 39, rows: 24), parts: ["grid", "preview"]),
    Shape(size: CellSize(columns: 39, rows: 9), parts: ["grid"]),
    Shape(size: CellSize(columns: 80, rows: 9), parts: ["grid"]),
    Shape(size: CellSize(columns: 75, rows: 24), parts: ["title", "grid"]),
    Shape(size: CellSize(columns: 80, rows: 24), parts: ["title", "grid"]),
    Shape(size: CellSize(columns: 100, rows: 30), parts: ["title", "sidebar", "grid"]),
    Shape(size: CellSize(columns: 120, rows: 40), parts: ["title", "sidebar", "grid", "preview"]),
    Shape(size: CellSize(columns: 60, rows: 60), parts: ["title", "grid", "preview"]),
  ]

  @Test func `Without room for both the preview replaces the grid`() {
    let metrics = ScreenMetrics.size(CellSize(columns: 60, rows: 20))
    let layout = ScreenLayout(metrics: metrics, options: .init(showsPreview: true))
    #expect(layout.grid == nil)
    #expect(layout.preview == CellRect(column: 0, row: 1, columns: 60, rows: 18))
  }

  /// The sidebar's width and the columns of tiles beside it while it has the focus.
  struct Division: Sendable {
    var columns: Int
    /// The width of the names with their counts.
    var names: Int
    var sidebar: Int
    var tiles: Int
  }

  static let divisions = [
    Division(columns: 40, names: 30, sidebar: 17, tiles: 2),
    Division(columns: 48, names: 30, sidebar: 23, tiles: 2),
    Division(columns: 60, names: 12, sidebar: 29, tiles: 2),
    Division(columns: 60, names: 60, sidebar: 29, tiles: 2),
    Division(columns: 80, names: 12, sidebar: 25, tiles: 4),
    Division(columns: 80, names: 60, sidebar: 38, tiles: 3),
    Division(columns: 99, names: 24, sidebar: 31, tiles: 5),
  ]

  @Test(arguments: divisions)
  func `Below 100 columns the sidebar stands beside a narrower grid while it has the focus`(
    division: Division
  ) throws {
    let size = CellSize(columns: division.columns, rows: 24)
    var options = ScreenLayout.Options(albumColumns: division.names)
    options.showsPreview = false
    #expect(ScreenLayout(metrics: .size(size), options: options).sidebar == nil)
    options.focusesSidebar = true
    let layout = ScreenLayout(metrics: .size(size), options: options)
    let (sidebar, grid) = (try #require(layout.sidebar), try #require(layout.grid))
    #expect(!layout.sidebarFloats && sidebar.columns == division.sidebar)
    #expect(grid.column == sidebar.endColumn + 1 && grid.endColumn == size.columns)
    #expect(layout.cells.columns == division.tiles)
    #expect(sidebar.row == grid.row && sidebar.endRow == layout.facts?.row)
  }

  @Test(arguments: [12, 18, 24, 30])
  func `The tiles beside the sidebar keep their size, and their places return`(rows: Int) {
    for columns in 48..<100 {
      for names in stride(from: 0, through: 60, by: 6) {
        var options = ScreenLayout.Options(albumColumns: names, showsPreview: false)
        let metrics = ScreenMetrics.size(CellSize(columns: columns, rows: rows))
        let without = ScreenLayout(metrics: metrics, options: options).cells
        options.focusesSidebar = true
        let layout = ScreenLayout(metrics: metrics, options: options)
        #expect(!layout.sidebarFloats && layout.cells.box == without.box, "\(columns), \(names)")
        #expect(layout.cellsWhenClosed == without, "\(columns), \(names)")
        // Gaps stay as narrow as before.
        let boxes = (0..<layout.cells.columns).map(layout.cells.box)
        for (box, next) in zip(boxes, boxes.dropFirst()) { #expect(next.column == box.endColumn + 1) }
      }
    }
  }

  @Test(arguments: [16, 18, 24, 30, 40], [false, true])
  func `The tiles beside or above a menu keep their size, and their places return`(
    rows: Int, isCompact: Bool
  ) {
    for columns in 48..<200 {
      let metrics = ScreenMetrics.size(CellSize(columns: columns, rows: rows))
      // Nine columns would fit into the rest with smaller tiles.
      for (menuRows, size) in [(6, GridSize.medium), (10, .medium), (20, .medium), (20, .columns(9))]
      where size == .medium || columns >= 100 {
        var options = ScreenLayout.Options(albumColumns: 14, gridSize: size, isCompact: isCompact)
        let without = ScreenLayout(metrics: metrics, options: options).cells
        options.menuRows = menuRows
        let layout = ScreenLayout(metrics: metrics, options: options)
        #expect(layout.menu != nil && layout.cells.box == without.box, "\(columns), \(menuRows)")
        #expect(layout.cellsWhenClosed == without, "\(columns), \(menuRows)")
        // At least one row is whole.
        #expect(layout.cells.box(at: 0).size == without.box(at: 0).size, "\(columns), \(menuRows)")
      }
    }
  }

  @Test(arguments: [(80, GridSize.columns(1)), (38, .medium), (30, .small)])
  func `Where fewer than two columns of photos would remain, the sidebar lies over them`(
    columns: Int, gridSize: GridSize
  ) {
    var options = ScreenLayout.Options(showsPreview: false, gridSize: gridSize)
    let metrics = ScreenMetrics.size(CellSize(columns: columns, rows: 24))
    let without = ScreenLayout(metrics: metrics, options: options)
    options.focusesSidebar = true
    let layout = ScreenLayout(metrics: metrics, options: options)
    #expect(layout.sidebarFloats && layout.sidebar != nil)
    #expect(layout.grid == without.grid && layout.cells == without.cells)
  }

  static let compactShapes = [
    Shape(size: CellSize(columns: 20, rows: 6), parts: ["grid"]),
    Shape(size: CellSize(columns: 60, rows: 9), parts: ["grid"]),
    Shape(size: CellSize(columns: 80, rows: 9), parts: ["grid", "preview"]),
    Shape(size: CellSize(columns: 60, rows: 15), parts: ["title", "grid", "preview"]),
    Shape(size: CellSize(columns: 200, rows: 60), parts: ["title", "grid", "preview"]),
  ]

  @Test(arguments: compactShapes)
  func `The compact layout is one row of thumbnails, with a preview if there is room`(shape: Shape) {
    let options = ScreenLayout.Options(isCompact: true)
    let layout = ScreenLayout(metrics: .size(shape.size), options: options)
    #expect(parts(layout) == shape.parts)
    #expect(layout.cells.rows == 1)
    if let preview = layout.preview, let grid = layout.grid, shape.size.rows >= 12 {
      #expect(preview.rows > grid.rows)
    }
  }

  private func parts(_ layout: ScreenLayout) -> Set<String> {
    let parts = [
      ("title", layout.title), ("sidebar", layout.sidebar), ("grid", layout.grid),
      ("preview", layout.previewAboveStrip),
    ]
    return Set(parts.filter { $0.1 != nil }.map(\.0))
  }

  @Test(arguments: shapes)
  func `Smaller screens have fewer parts`(shape: Shape) {
    let layout = ScreenLayout(metrics: .size(shape.size), options: .init())
    #expect(parts(layout) == shape.parts)
    #expect(layout.isTooSmall == shape.parts.isEmpty)
  }
}

extension CellRect {
  fileprivate func contains(_ other: CellRect) -> Bool {
    other.isEmpty
      || column <= other.column && row <= other.row && other.endColumn <= endColumn && other.endRow <= endRow
  }
}
