import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The albums of a screen that shows them only while they have the focus.
@Suite struct AlbumsBesidePhotosTests {
  private func open(columns: Int = 80, rows: Int = 24, count: Int = 300) -> TestPicker {
    var picker = TestPicker.open(.numbered(count), size: CellSize(columns: columns, rows: rows))
    picker.makeDemanded()
    return picker
  }

  @Test(arguments: [
    CellSize(columns: 50, rows: 18), .init(columns: 60, rows: 18), .init(columns: 80, rows: 24),
  ])
  func `The albums stand beside a narrower grid with the same pictures`(size: CellSize) throws {
    var picker = open(columns: size.columns, rows: size.rows)
    let (before, made) = (picker.frame, Set(picker.demand.map(\.key)))
    picker.press(.tab)
    let width = try #require(picker.sidebarWidth)
    #expect(picker.shows("Lisbon") && picker.columns >= 2)
    let slots = picker.frame.slots
    #expect(slots.allSatisfy { $0.rect.column > width })
    // Photos are shown at once, without making a picture again: none has another size.
    #expect(slots.count >= picker.columns * picker.wholeRows && made.isSuperset(of: slots.map(\.key)))
    picker.press(.tab)
    // Those at the lower edge, cut there, are other pictures.
    let whole = before.slots.filter { $0.key.cut == nil }
    #expect(!whole.isEmpty && whole.allSatisfy(picker.frame.slots.contains))
    picker.makeDemanded()
    #expect(picker.frame == before)
  }

  @Test(arguments: [0, 5, 17, 18, 64, 150, 298, 299])
  func `Photos and cursor are where they were when the albums are closed`(cursor: Int) throws {
    var picker = open()
    for _ in 0..<cursor { picker.press(.right) }
    picker.makeDemanded()
    let before = picker.tiles
    picker.press(.tab)
    let narrow = picker.tiles
    #expect(narrow.contains { $0.name == "\(cursor)" && $0.isCursor })
    // The first visible photo stays in the first row, unless the cursor would not be visible.
    let (first, last) = (try #require(Int(narrow[0].name)), try #require(Int(narrow[narrow.count - 1].name)))
    let top = try #require(Int(before[0].name))
    #expect(
      (first...first + picker.columns - 1).contains(top) || top < first && cursor > last - picker.columns)
    picker.press(.tab)
    #expect(picker.tiles == before)
  }

  @Test func `Another album and back leaves the photos in place`() {
    var picker = open()
    picker.press(.pageDown, .pageDown, .pageDown, .down, .right)
    picker.makeDemanded()
    let before = picker.tiles
    picker.press(.tab, .down)
    picker.answerFetches()
    #expect(picker.title.contains("Lisbon"))
    picker.press(.up)
    picker.answerFetches()
    picker.press(.tab)
    #expect(picker.tiles == before)
  }

  @Test func `A photo that moves away under the mouse is neither dragged nor clicked twice`() throws {
    var picker = open()
    picker.press(.tab)
    let tile = picker.tiles[5]
    let place = tile.middle
    picker.mouse(.press, row: place.row, column: place.column)
    #expect(picker.gridHasFocus && picker.cursor == tile.name && picker.sidebarWidth == nil)
    #expect(picker.tile(tile.name)?.rectangle != tile.rectangle)
    picker.mouse(.drag, row: place.row, column: place.column + 1)
    picker.mouse(.release, row: place.row, column: place.column + 1)
    #expect(picker.selected.isEmpty && picker.cursor == tile.name)
    picker.mouse(.press, row: place.row, column: place.column)
    picker.mouse(.release, row: place.row, column: place.column)
    #expect(picker.selected.isEmpty && picker.outcome == nil && picker.cursor != tile.name)
  }

  @Test func `A click on an album leaves the albums open, a click on a photo closes them`() {
    var picker = open()
    picker.press(.tab)
    picker.click(on: "Lisbon")
    picker.answerFetches()
    #expect(picker.sidebarHasFocus && picker.title.contains("Lisbon"))
    picker.mouse(.press, over: "3")
    #expect(!picker.sidebarHasFocus && picker.gridHasFocus && picker.cursor == "3")
  }

  @Test func `With the albums open, thumbnails change by one column of the whole width`() {
    for key in [Key.character("-"), .character("+")] {
      var (picker, other) = (open(), open())
      picker.press(.tab, key, .tab)
      other.press(key)
      #expect(
        picker.columns == other.columns && picker.tiles.map(\.rectangle) == other.tiles.map(\.rectangle))
    }
  }

  @Test func `A menu takes the place of the albums`() {
    var picker = open()
    picker.press(.tab, "s")
    #expect(picker.menu != nil && !picker.shows("Lisbon"))
  }
}
