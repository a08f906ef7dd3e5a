import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct CursorTests {
  private func current(_ picker: TestPicker) -> String? { picker.cursor }

  @Test func `Until the first key the cursor stays at the first position`() {
    var picker = TestPicker.open()
    picker.library.insert(.photo("new"), at: 0)
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(current(picker) == "new")
  }

  @Test(arguments: [Key.right, .down, .space, .character("+"), .end, .character("p")])
  func `From the first key on the cursor stays at its asset`(key: Key) {
    var picker = TestPicker.open()
    picker.press(key)
    let before = current(picker)
    for index in 0..<20 {
      picker.library.insert(.photo("new \(index)"), at: index % 3)
      picker.send(.libraryChanged)
      picker.answerFetch()
    }
    #expect(current(picker) == before)
  }

  @Test func `The cursor row stays visible while assets arrive`() {
    var picker = TestPicker.open()
    picker.press(.right)
    #expect(picker.tile("1")?.isCursor == true)
    picker.library = .numbered(500).map { .photo("new " + $0.id.rawValue) } + picker.library
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.tile("1")?.isCursor == true && picker.firstVisible != "0")
  }

  @Test func `If its asset disappears the cursor stays in range`() {
    var picker = TestPicker.open()
    picker.press(.end)
    picker.library.removeLast(10)
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(current(picker) == "19")
    picker.library = []
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(current(picker) == nil && picker.shows("No photos here"))
    // Also in range when photos return.
    picker.library = .numbered(2)
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(current(picker) == "0")
  }

  @Test func `An answer to an outdated fetch is dropped`() throws {
    var picker = TestPicker.open()
    let first = try #require(picker.query)
    picker.press(.tab, .down)
    let second = try #require(picker.query)
    #expect(second.collection == LocalIdentifier("album"))
    #expect(picker.send(.fetched(picker.answer(to: first))).isEmpty)
    #expect(picker.tiles.isEmpty)
    picker.send(.fetched(picker.answer(to: second)))
    #expect(picker.tiles.count == 15 && picker.title.contains("15 photos"))
  }

  @Test func `However fast the library changes, only one fetch is pending`() {
    var picker = TestPicker.open()
    picker.send(.libraryChanged)
    let count = picker.effects.compactMap(\.fetchQuery).count
    for _ in 0..<10 { picker.send(.libraryChanged) }
    #expect(picker.effects.compactMap(\.fetchQuery).count == count)
    picker.answerFetch()
    #expect(picker.effects.compactMap(\.fetchQuery).count == count + 1)
    picker.answerFetch()
    #expect(picker.effects.compactMap(\.fetchQuery).count == count + 1)
  }

  @Test func `Keys move by cells, rows and pages and to both ends`() {
    var picker = TestPicker.open(.numbered(100)) { $0.configuration.sort = .name }
    let columns = picker.columns
    let page = picker.wholeRows * columns
    let moves: [(Key, Int)] = [
      (.right, 1), (.left, 0), (.left, 0), (.down, columns), (.up, 0), (.up, 0), (.character("l"), 1),
      (.character("j"), 1 + columns), (.character("k"), 1), (.character("h"), 0), (.pageDown, page),
      (.pageUp, 0), (.control("f"), page), (.control("b"), 0), (.end, 99), (.right, 99), (.down, 99),
      (.pageDown, 99), (.home, 0), (.character("G"), 99), (.character("g"), 0),
    ]
    for (key, place) in moves {
      picker.press(key)
      #expect(picker.cursorIndex == place, "\(key)")
    }
  }

  @Test func `Down from a full row goes to the end of a shorter last row`() {
    var picker = TestPicker.open()
    let columns = picker.columns
    picker.library = .numbered(columns + 1)
    picker.send(.libraryChanged)
    picker.answerFetch()
    for _ in 1..<columns { picker.press(.right) }
    picker.press(.down)
    #expect(picker.cursorIndex == columns)
    picker.press(.down)
    #expect(picker.cursorIndex == columns)
  }

  @Test(arguments: [Key.character("o"), .escape])
  func `Leaving full screen scrolls to the cursor`(key: Key) {
    var picker = TestPicker.open(.numbered(100))
    picker.press(.character("o"))
    for _ in 0..<60 { picker.press(.down) }
    picker.press(key)
    #expect(!picker.isFullScreen && picker.tile("60")?.isCursor == true)
  }

  @Test func `In full screen nothing changes in the hidden grid`() {
    var picker = TestPicker.open()
    picker.press(.character("o"), .tab, .down, .character("p"), .character("+"))
    #expect(picker.cursorIndex == 1 && picker.windowTitle == "Recents - tpick" && !picker.isFetching)
    picker.press(.character("o"))
    #expect(picker.gridHasFocus && picker.hasPreview && picker.tile("1")?.isCursor == true)
  }

  @Test func `Resizing the screen or the thumbnails keeps the asset visible`() throws {
    var picker = TestPicker.open(.numbered(300))
    picker.press(.pageDown, .pageDown, .right)
    let before = current(picker)
    let name = try #require(before)
    for columns in [30, 200, 80, 41] {
      picker.send(.resized(.size(CellSize(columns: columns, rows: 30))))
      picker.press(.character(columns == 80 ? "+" : "-"))
      if !picker.tiles.isEmpty { #expect(picker.tile(name)?.isCursor == true, "\(columns)") }
      #expect(current(picker) == before)
    }
  }
}
