import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The widths of the panes, and what determines them.
@Suite struct PaneWidthTests {
  private func open(
    albums: [String] = ["Lisbon"], columns: Int = 120, rows: Int = 40,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    var picker = TestPicker(size: CellSize(columns: columns, rows: rows), configure: configure)
    picker.folders = albums.map {
      AssetCollection(localIdentifier: .init("album." + $0), title: $0, estimatedAssetCount: 1234)
    }
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    picker.makeDemanded()
    return picker
  }

  private static let long = "Trip to the Azores with Ana and the boat, second week of September"

  @Test(arguments: [100, 120, 160, 200, 240])
  func `The sidebar is as wide as its names need, up to a third of the window`(columns: Int) throws {
    var picker = open(albums: ["Trip to the Azores"], columns: columns)
    #expect(picker.shows("Trip to the Azores 1,234"))
    // Count, name, preceding poster, and a cell on each side.
    #expect(picker.sidebarWidth == 1 + 3 + 18 + 6 + 1)
    picker = open(albums: [Self.long], columns: columns)
    let width = try #require(picker.sidebarWidth)
    #expect(width == min(columns / 3, 1 + 3 + Self.long.count + 6 + 1))
    #expect(open(albums: ["A"], columns: columns).sidebarWidth == 17)
  }

  @Test func `A long name is shortened in the middle`() throws {
    let picker = open(albums: [Self.long])
    let place = try #require(picker.place(of: "Trip to the A"))
    let title = picker.lines[place.row].dropFirst(place.column).prefix { $0 != "1" }
    #expect(title.contains("…") && title.hasSuffix("of September "))
    let name = "IMG_20240501_123456_" + String(repeating: "x", count: 200) + "_edited.JPG"
    var photos = TestPicker.open([.photo(name)], size: CellSize(columns: 80, rows: 24))
    #expect(photos.shows("_edited.JPG · "))
    photos.press(.character("o"))
    #expect(photos.lines[22].hasPrefix(" IMG_2024") && photos.lines[22].contains("_edited.JPG"))
    // A message about it has room for its reason.
    photos.press(.escape, .character("w"))
    #expect(photos.lastLine.contains("…") && photos.lastLine.contains("_edited.JPG has"))
  }

  @Test(arguments: [100, 120, 160, 200])
  func `Albums found while the library is read leave the photos in place, until the user goes to the albums`(
    columns: Int
  ) {
    var picker = TestPicker(size: CellSize(columns: columns, rows: 40))
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    picker.makeDemanded()
    let visible = picker.columns
    picker.folders = [
      AssetCollection(localIdentifier: .init("a"), title: Self.long, estimatedAssetCount: 1)
    ]
    // The second list continues the first one also if the library has been read meanwhile.
    picker.isComplete = true
    for _ in 0..<2 {
      picker.send(.libraryChanged)
      picker.answerFetches()
      picker.send(.albums(picker.albums(under: FetchOptions())))
      #expect(picker.columns == visible && picker.shows("…"))
    }
    picker.press(.tab)
    #expect(picker.sidebarWidth == columns / 3)
    picker.press(.tab)
    #expect(picker.sidebarWidth == columns / 3)
    // The next run begins with the full width.
    #expect((picker.screenChanges.neededAlbumColumns ?? 0) > Self.long.count)
  }

  @Test func `A list that becomes shorter leaves the photos in place`() {
    var picker = open()
    picker.folders = [
      AssetCollection(localIdentifier: .init("a"), title: Self.long, estimatedAssetCount: 1)
    ]
    picker.send(.albums(picker.albums(under: FetchOptions())))
    #expect(picker.sidebarWidth == 40)
    picker.folders = []
    picker.send(.albums(picker.albums(under: FetchOptions())))
    #expect(picker.sidebarWidth == 40)
  }

  @Test(arguments: [(120, 40, 39), (160, 45, 51), (200, 60, 58)])
  func `The preview takes a third of the window, less of a large one, and leaves four photos in a row`(
    columns: Int, rows: Int, least: Int
  ) throws {
    let picker = open(columns: columns, rows: rows)
    let preview = try #require(picker.frame.slots.first { $0.key.mode == .aspectFit })
    // A photo of 4:3 fills the width.
    #expect(preview.rect.columns >= least)
    #expect(abs(preview.rect.rows * 20 - preview.rect.columns * 10 * 3 / 4) < 20)
    #expect(picker.columns >= 4)
  }

  @Test func `Keys resize the preview, or the sidebar if it has the focus`() throws {
    var picker = open()
    let preview = try #require(picker.previewRectangle?.columns)
    let sidebar = try #require(picker.sidebarWidth)
    picker.press(.character("]"))
    let wider = try #require(picker.previewRectangle?.columns)
    #expect(wider > preview && picker.sidebarWidth == sidebar)
    picker.press(.character("["))
    #expect(picker.previewRectangle?.columns == preview)
    for _ in 0..<40 { picker.press(.character("]")) }
    // The photos keep their minimum, and one key press is enough to reverse.
    let most = try #require(picker.previewRectangle?.columns)
    // The columns between the sidebar and the pane, which has a blank one before its picture.
    let behindAlbums = sidebar + 1
    #expect(try #require(picker.previewRectangle?.column) - 1 - behindAlbums >= 36 && !picker.tiles.isEmpty)
    picker.press(.character("["))
    #expect(try #require(picker.previewRectangle?.columns) < most)
    picker.press(.tab, .character("]"), .character("]"))
    #expect(picker.sidebarWidth == sidebar + 4)
    for _ in 0..<40 { picker.press(.character("[")) }
    #expect(picker.sidebarWidth == 10)
    // Without a preview they belong to the albums.
    picker = open(columns: 100)
    picker.press(.character("]"))
    #expect(picker.sidebarWidth == 19)
    picker = open(columns: 80)
    picker.press(.character("]"))
    #expect(picker.lastLine.contains("No pane to resize"))
  }

  @Test func `The edge of a pane can be dragged`() throws {
    var picker = open()
    func drag(from column: Int, to target: Int, row: Int = 20, rowTo: Int = 20) {
      picker.send(.mouse(MouseEvent(.press, row: row, column: column)))
      picker.send(.mouse(MouseEvent(.drag, row: rowTo, column: target)))
      picker.send(.mouse(MouseEvent(.release, row: rowTo, column: target)))
    }
    drag(from: try #require(picker.sidebarWidth), to: 32)
    #expect(picker.sidebarWidth == 32)
    // The blank column before the picture.
    drag(from: try #require(picker.previewRectangle?.column) - 1, to: 70)
    let column = try #require(picker.previewRectangle?.column)
    #expect(abs(column - 1 - 70) <= 1)
    #expect(!picker.isFullScreen && picker.selected.isEmpty)
    // After the release the mouse works normally again.
    picker.send(.mouse(MouseEvent(.drag, row: 20, column: 90)))
    #expect(picker.previewRectangle?.column == column)
    // A preview below the photos is resized by dragging the line above it.
    picker = open(columns: 70, rows: 60)
    let line = { (picker: TestPicker) in picker.previewRectangle.map { $0.row - 2 } }
    drag(from: 30, to: 30, row: try #require(line(picker)), rowTo: 25)
    #expect(abs(try #require(line(picker)) - 25) <= 1)
    // The gap after the albums of a narrow screen is their edge too; where they lie over the photos, it is a line.
    picker = open(columns: 80)
    picker.press(.tab)
    drag(from: try #require(picker.sidebarWidth), to: 35)
    #expect(picker.sidebarWidth == 35)
    picker = open(columns: 38)
    picker.press(.tab)
    drag(from: try #require(picker.sidebarWidth) - 1, to: 18, row: 3, rowTo: 3)
    #expect(picker.sidebarWidth == 19)
  }

  @Test func `Widths are remembered and restored`() {
    var picker = open()
    var untouched = ScreenChanges()
    untouched.neededAlbumColumns = picker.screenChanges.neededAlbumColumns
    #expect(picker.screenChanges == untouched)
    picker.press(.character("]"), .tab, .character("]"))
    let changes = picker.screenChanges
    #expect(changes.albumColumns == picker.sidebarWidth && changes.previewShare == 37)
    let again = open {
      $0.screen.albumColumns = changes.albumColumns
      $0.screen.neededAlbumColumns = changes.neededAlbumColumns
      $0.screen.previewShare = changes.previewShare
    }
    #expect(again.sidebarWidth == picker.sidebarWidth)
    #expect(again.previewRectangle == picker.previewRectangle)
    #expect(again.screenChanges.isEmpty)
  }

  @Test func `From the second run on photos stay in place when the albums are listed`() throws {
    let albums = ["Trip to the Azores", "Lisbon"]
    let first = open(albums: albums)
    let needed = try #require(first.screenChanges.neededAlbumColumns)
    let sizes = [
      CellSize(columns: 120, rows: 40), .init(columns: 160, rows: 45), .init(columns: 80, rows: 24),
    ]
    for size in sizes {
      var picker = TestPicker(size: size) { $0.screen.neededAlbumColumns = needed }
      picker.folders = first.folders
      picker.send(.authorization(.authorized))
      let query = try #require(picker.query)
      picker.send(.fetched(picker.answer(to: query)))
      picker.makeDemanded()
      let before = picker.tiles
      #expect(!before.isEmpty && !picker.shows("Azores"))
      picker.send(.albums(picker.albums(under: try #require(query.albums))))
      picker.makeDemanded()
      #expect(picker.tiles == before)
      #expect(picker.shows("Azores") == (size.columns >= 100))
      #expect(picker.screenChanges.neededAlbumColumns == nil)
    }
  }

  @Test func `From the second run on photos stay in place while more albums are found`() throws {
    let first = open(albums: ["Trip to the Azores", "Lisbon"])
    let needed = try #require(first.screenChanges.neededAlbumColumns)
    var picker = TestPicker(size: CellSize(columns: 120, rows: 40)) {
      $0.screen.neededAlbumColumns = needed
    }
    picker.send(.authorization(.authorized))
    picker.isComplete = false
    var shown: [[TestPicker.Tile]] = []
    for folders in [[], first.folders ?? []] {
      picker.folders = folders
      picker.isComplete = !folders.isEmpty
      picker.send(.libraryChanged)
      picker.answerFetches()
      picker.makeDemanded()
      shown.append(picker.tiles)
    }
    #expect(
      !shown[0].isEmpty && shown[0].map(\.rectangle) == shown[1].map(\.rectangle) && picker.shows("Azores"))
    #expect(picker.screenChanges.neededAlbumColumns == nil)
  }

  @Test func `The width of another library's albums ends when the albums are listed`() throws {
    let needed = try #require(open(albums: [Self.long]).screenChanges.neededAlbumColumns)
    let picker = open(albums: ["A"]) { $0.screen.neededAlbumColumns = needed }
    #expect(picker.sidebarWidth == 17)
    #expect(try #require(picker.screenChanges.neededAlbumColumns) < needed)
  }
}
