import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridStateTests {
  /// Ten assets in rows of four: 4, 4 and 2.
  private static let assets = FetchResult([Asset].numbered(10))

  private static let geometry = GridGeometry(
    area: CellRect(column: 0, row: 0, columns: 54, rows: 13), box: CellSize(columns: 12, rows: 5))

  private static func grid(at cursor: Int = 0) -> GridState {
    var grid = GridState(size: .medium)
    grid.breakIntoRows(count: assets.count, in: geometry)
    if cursor > 0 { grid.moveCursor(to: cursor, in: assets) }
    return grid
  }

  /// The same grid after a command.
  private static func moved(_ grid: GridState, _ command: Command) -> GridState {
    var grid = grid
    let index = grid.index(after: command, isLine: false, page: 2, count: assets.count)
    if let index { grid.moveCursor(to: index, in: assets) }
    return grid
  }

  @Test(
    arguments: [
      (Command.right, 0, 1), (.left, 5, 4), (.down, 1, 5), (.up, 5, 1), (.down, 9, 9), (.up, 1, 1),
      (.pageDown, 1, 9), (.pageUp, 9, 1), (.pageUp, 2, 0), (.first, 7, 0), (.last, 2, 9), (.toggle, 3, nil),
    ] as [(Command, Int, Int?)])
  func `A command moves to another asset`(command: Command, from start: Int, to end: Int?) {
    var grid = Self.grid(at: start)
    #expect(grid.index(after: command, isLine: false, page: 2, count: 10) == end)
  }

  @Test func `Up and down keep their column across a shorter row until another move`() {
    let start = Self.grid(at: 7)
    let down = Self.moved(start, .down)
    #expect(down.cursor == 9)
    let up = Self.moved(down, .up)
    #expect(up.cursor == 7)
    #expect(Self.moved(Self.moved(Self.moved(up, .down), .left), .up).cursor == 4)
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
    grid.reset(to: LibraryView.Position(topPhoto: 8))
    grid.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(grid.topRow == 2)
    grid.scrollToCursor(in: Self.geometry)
    #expect(grid.topRow == 0)
    grid.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(grid.topRow == 0)
  }

  @Test func `The cursor stays in the rows that the wheel shows, and keeps its column`() {
    var grid = Self.grid(at: 3)
    #expect(grid.scroll(by: 1, in: Self.geometry) == 7 && grid.topRow == 1)
    grid.moveCursor(to: 7, in: Self.assets)
    #expect(grid.scroll(by: 1, in: Self.geometry) == nil && grid.topRow == 1)
    #expect(grid.scroll(by: -1, in: Self.geometry) == nil && grid.topRow == 0)
  }

  @Test func `A click on the scroll bar shows its row`() {
    var grid = Self.grid()
    let area = CellRect(column: 0, row: 2, columns: 54, rows: 13)
    #expect(grid.scroll(toBarRow: 10, in: area) == 4 && grid.topRow == 1)
    #expect(grid.scroll(toBarRow: 40, in: area) == 8 && grid.topRow == 2)
  }

  @Test func `The cursor returns after a search without its asset, but not after a deletion`() {
    var grid = Self.grid()
    grid.moveCursor(to: 6, in: Self.assets)
    let few = FetchResult(Array([Asset].numbered(10).prefix(3)))
    var searching = grid
    searching.findCursor(in: few, search: nil, isNarrowed: true)
    #expect(searching.cursor == 0)
    searching.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    #expect(searching.cursor == 6 && searching.anchor == LocalIdentifier("6"))
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
    var grid = Self.grid()
    grid.reset(to: LibraryView.Position(topPhoto: topRow * 4))
    grid.findCursor(in: Self.assets, search: nil, isNarrowed: false)
    grid.moveCursor(to: cursor, in: Self.assets)
    #expect(Self.geometry.columns == 4 && Self.geometry.rows == 2)
    grid.scrollToCursor(in: Self.geometry)
    #expect(grid.topRow == result)
  }
}
