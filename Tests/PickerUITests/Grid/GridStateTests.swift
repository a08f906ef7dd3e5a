import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridStateTests {
  /// Ten assets in rows of four: 4, 4 and 2.
  private static let assets = FetchResult([Asset].numbered(10))

  private static func grid(at cursor: Int = 0) -> GridState {
    var grid = GridState(size: .medium)
    grid.rows = GridRows(count: assets.count, columns: 4)
    grid.cursor = cursor
    return grid
  }

  @Test(arguments: [
    (Command.right, 0, 1), (.left, 5, 4), (.down, 1, 5), (.up, 5, 1), (.down, 9, 9), (.up, 1, 1),
    (.pageDown, 1, 9), (.pageUp, 9, 1), (.pageUp, 2, 0), (.first, 7, 0), (.last, 2, 9), (.toggle, 3, 3),
  ])
  func `A command moves to another asset`(command: Command, from start: Int, to end: Int) {
    var grid = Self.grid(at: start)
    #expect(grid.index(after: command, isLine: false, page: 2, count: 10) == end)
  }

  @Test func `Up and down keep their column across a shorter row until another move`() {
    var grid = Self.grid(at: 7)
    grid.cursor = grid.index(after: .down, isLine: false, page: 2, count: 10)
    #expect(grid.cursor == 9)
    grid.cursor = grid.index(after: .up, isLine: false, page: 2, count: 10)
    #expect(grid.cursor == 7)
    grid.cursor = grid.index(after: .down, isLine: false, page: 2, count: 10)
    grid.cursor = grid.index(after: .left, isLine: false, page: 2, count: 10)
    grid.cursor = grid.index(after: .up, isLine: false, page: 2, count: 10)
    #expect(grid.cursor == 4)
  }

  @Test(arguments: [(Command.up, 4), (.down, 6), (.pageUp, 2), (.pageDown, 8)])
  func `In a single line all directions mean next or previous`(command: Command, end: Int) {
    var grid = Self.grid(at: 5)
    #expect(grid.index(after: command, isLine: true, page: 3, count: 10) == end)
  }

  @Test func `The cursor stays at its asset when others come and go`() {
    var grid = Self.grid()
    grid.moveCursor(to: 3, in: Self.assets)
    let others = FetchResult([Asset.photo("new", day: 99)] + [Asset].numbered(10))
    grid.findCursor(in: others, search: nil, isNarrowed: false)
    #expect(grid.cursor == 4 && grid.anchor == LocalIdentifier("3"))
  }

  @Test func `The first visible row is restored once`() {
    var grid = Self.grid()
    grid.restoredRow = 2
    grid.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(grid.topRow == 2)
    grid.topRow = 1
    grid.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(grid.topRow == 1)
  }

  @Test func `The cursor returns after a search without its asset, but not after a deletion`() {
    var grid = Self.grid()
    grid.moveCursor(to: 6, in: Self.assets)
    let few = FetchResult(Array([Asset].numbered(10).prefix(3)))
    var searching = grid
    searching.findCursor(in: few, search: nil, isNarrowed: true)
    #expect(searching.cursor == 0 && searching.anchorBeforeFilter == LocalIdentifier("6"))
    searching.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(searching.cursor == 6 && searching.anchorBeforeFilter == nil)
    grid.findCursor(in: few, search: nil, isNarrowed: false)
    #expect(grid.cursor == 2 && grid.anchor == LocalIdentifier("2"))
  }

  @Test func `Before the first key the cursor stays at the first position`() {
    var grid = Self.grid()
    let others = FetchResult([Asset.photo("new", day: 99)] + [Asset].numbered(10))
    grid.findCursor(in: others, search: nil, isNarrowed: false)
    #expect(grid.cursor == 0 && grid.anchor == nil)
  }

  @Test(arguments: [(0, 0, 0), (9, 0, 1), (0, 2, 0), (4, 0, 0)])
  func `The grid scrolls no more than the cursor requires`(cursor: Int, topRow: Int, result: Int) {
    var grid = Self.grid(at: cursor)
    grid.topRow = topRow
    let area = CellRect(column: 0, row: 0, columns: 54, rows: 13)
    let geometry = GridGeometry(area: area, box: CellSize(columns: 12, rows: 5))
    #expect(geometry.columns == 4 && geometry.rows == 2)
    grid.scrollToCursor(in: geometry)
    #expect(grid.topRow == result)
  }
}
