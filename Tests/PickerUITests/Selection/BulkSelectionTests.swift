import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Picking many photos does not hold up the keys that come after it.
@Suite struct BulkSelectionTests {
  private func open(limit: Int = 0) -> TestPicker {
    .open(.numbered(100), limit: limit) { $0.maximumSynchronousPicks = 20 }
  }

  @Test func `Few photos are picked at once`() {
    var picker = TestPicker.open(.numbered(100))
    let effects = picker.press(.character("a"))
    #expect(picker.selected.count == 100)
    #expect(effects.allSatisfy { $0.bulkSelection == nil })
  }

  @Test func `Many photos are picked beside the run loop`() {
    var picker = open()
    let effects = picker.press(.character("a"))
    #expect(picker.lastLine.contains("0 picked · picking…"))
    #expect(effects.contains { $0.bulkSelection != nil })
    picker.selectInBulk()
    #expect(picker.selected == (0..<100).map(String.init))
    #expect(!picker.lastLine.contains("picking…"))
  }

  @Test func `Moves go on meanwhile, and what changes the selection comes after it in its order`() {
    var picker = open()
    picker.press(.character("a"), .right)
    #expect(picker.cursor == "1")
    picker.press(.space, .right, .space)
    #expect(picker.cursor == "1")
    picker.selectInBulk()
    #expect(picker.cursor == "2")
    #expect(picker.selected.count == 98)
    #expect(!picker.selected.contains("1"))
    #expect(!picker.selected.contains("2"))
  }

  @Test func `What waits for it does not answer a question that comes meanwhile`() {
    var picker = open()
    picker.press(.character("a"), .space, .character("f"), .enter)
    picker.send(.consent(ConsentRequest(client: "mutt", purpose: nil, level: .readWrite)))
    picker.selectInBulk()
    #expect(picker.shows("would like to see your photos"))
    #expect(!picker.effects.contains { if case .answerConsent = $0 { true } else { false } })
  }

  @Test func `Enter uses all that was asked for`() {
    var picker = open()
    picker.press(.character("a"), .enter)
    #expect(picker.outcome == nil)
    picker.selectInBulk()
    #expect(picker.outcome == .picked(picker.library))
  }

  @Test func `Esc gives it up, and q leaves`() throws {
    var picker = open()
    picker.press(.space, .character("a"))
    let bulkSelection = try #require(picker.bulkSelection)
    picker.press(.escape)
    #expect(picker.outcome == nil)
    #expect(picker.selected == ["0"])
    picker.send(.bulkSelected(bulkSelection.perform()))
    #expect(picker.selected == ["0"])
    picker.press(.character("a"), .character("q"), .character("q"))
    #expect(picker.outcome == .cancelled)
  }

  @Test func `Esc drops what waited for it, and the range that it was`() {
    var picker = open()
    picker.press(.space, .character("a"), .right, .space)
    #expect(picker.lastLine.contains("1 picked") && picker.cursor == "1")
    picker.press(.escape)
    #expect(picker.selected == ["0"])
    picker.press(.home, .character("v"), .end, .escape)
    #expect(picker.selected == ["0"] && !picker.lastLine.contains("range"))
    picker.press(.left)
    #expect(picker.selected == ["0"])
  }

  @Test func `What another one took the place of is stale`() throws {
    var picker = open()
    picker.press(.character("a"))
    let stale = try #require(picker.bulkSelection)
    picker.press(.escape, .character("a"))
    #expect(picker.bulkSelection != stale)
    picker.send(.bulkSelected(stale.perform()))
    #expect(picker.lastLine.contains("0 picked · picking…"))
    picker.selectInBulk()
    #expect(picker.selected.count == 100)
  }

  @Test func `A range that is picked anew begins with what was picked before it`() {
    var picker = open()
    picker.press(.right, .right, .right, .space, .home, .character("v"), .end)
    picker.selectInBulk()
    picker.press(.character("5"), .character("0"), .enter)
    picker.selectInBulk()
    #expect(picker.selected == ["3"] + (0..<50).filter { $0 != 3 }.map(String.init))
  }

  @Test func `The limit is told when it is reached`() {
    var picker = open(limit: 50)
    picker.press(.character("a"))
    picker.selectInBulk()
    #expect(picker.selected.count == 50)
    #expect(picker.lastLine.contains("limit of 50 reached, added 50 of 100 photos"))
  }

  @Test func `A range grows and shrinks by what the cursor passes`() {
    var picker = open()
    picker.press(.right, .right, .space, .left, .left, .character("v"), .end)
    picker.selectInBulk()
    #expect(picker.selected.count == 100)
    #expect(picker.selected.prefix(3) == ["2", "0", "1"])
    picker.press(.left)
    #expect(picker.selected.count == 99)
    picker.press(.home)
    #expect(picker.selected == ["2", "0"])
    picker.press(.right, .right, .right)
    #expect(picker.selected == ["2", "0", "1", "3"])
    picker.press(.left, .left)
    #expect(picker.selected == ["2", "0", "1"])
    picker.press(.escape)
    #expect(picker.selected == ["2"])
  }

  @Test func `A range whose photos were all picked before takes none of them along`() {
    var picker = open()
    picker.press(.space, .right, .space, .left, .character("v"), .right, .left)
    #expect(picker.selected == ["0", "1"])
  }

  @Test func `A range that turns round at its start goes the other way`() {
    var picker = open()
    picker.press(.right, .right, .character("v"), .right, .left, .left, .left)
    #expect(picker.selected == ["2", "1", "0"])
    picker.press(.right, .right, .right)
    #expect(picker.selected == ["2", "3"])
  }

  @Test func `A range that the mouse drags on meanwhile is picked as a whole`() throws {
    var picker = open()
    let (first, last) = try (#require(picker.tiles.first).rectangle, #require(picker.tiles.last).rectangle)
    picker.send(.mouse(MouseEvent(.press, row: first.row, column: first.column)))
    picker.send(.mouse(MouseEvent(.drag, row: last.row, column: last.column)))
    picker.send(.mouse(MouseEvent(.drag, row: 39, column: last.column)))
    picker.selectInBulk()
    let index = try #require(picker.cursorIndex)
    #expect(picker.selected.count == index + 1)
    // The mouse is held below the photos, which scroll under it.
    for timer in picker.effects.compactMap(\.timer) { picker.send(.timer(timer)) }
    picker.selectInBulk()
    let later = try #require(picker.cursorIndex)
    #expect(later > index && picker.selected.count == later + 1)
  }

  /// The place of some words, or of a photo in sight, in a picker.
  private func click(_ place: (row: Int, column: Int)) -> PickerMessage {
    .mouse(MouseEvent(.press, row: place.row, column: place.column))
  }

  @Test func `Clicks that waited find the screen that the ones before have left`() throws {
    var picker = open()
    let album = try #require(picker.place(of: "Lisbon"))
    let box = picker.tiles[3].rectangle
    picker.press(.character("a"))
    picker.send(click(album))
    picker.send(click((box.row, box.column)))
    picker.send(.mouse(MouseEvent(.drag, row: box.row, column: box.endColumn + 9)))
    picker.selectInBulk()
    #expect(picker.query?.collection == LocalIdentifier("album") && picker.lines[0].contains("Lisbon"))
    #expect(picker.selected.count == 100)
    picker.answerFetches()
    #expect(picker.lines[0].contains("50 photos"))
    picker.press(.end)
    #expect(picker.cursor == "49")
  }

  @Test func `Letters that wait are typed, and end nothing`() {
    var picker = open()
    picker.press(.character("a"), .space, .character("/"))
    for letter in "square" { picker.press(.character(letter)) }
    #expect(picker.outcome == nil)
    picker.selectInBulk()
    #expect(picker.outcome == nil)
    #expect(picker.prompt == "square")
    #expect(picker.selected.count == 99)
  }

  @Test func `Nothing comes after the end`() {
    var picker = open()
    picker.press(.character("a"), .enter, .character("q"), .space)
    picker.selectInBulk()
    picker.press(.right)
    #expect(picker.effects.compactMap(\.outcome) == [.picked(picker.library)])
  }

  @Test func `What goes from the disk meanwhile is not picked`() throws {
    var picker = open()
    picker.press(.space, .character("a"))
    picker.library.removeAll { ["0", "7"].contains($0.id.rawValue) }
    picker.send(.libraryChanged)
    picker.answerFetch()
    let bulkSelection = try #require(picker.bulkSelection)
    picker.send(.bulkSelected(bulkSelection.perform()))
    // What was picked before was said to be gone: it may not come back for a moment.
    #expect(!picker.selected.contains("0"))
    picker.answerFetches()
    #expect(!picker.selected.contains("7"))
    #expect(picker.selected.count == 98)
  }

  @Test func `Nothing is asked where no answer came meanwhile`() {
    var picker = open()
    picker.press(.character("a"))
    let questions = picker.effects.compactMap(\.fetchQuery)
    picker.selectInBulk()
    #expect(picker.effects.compactMap(\.fetchQuery) == questions)
  }

  @Test func `What the caller selected and turned up under a range is picked after the range`() throws {
    var picker = TestPicker.open(.numbered(100)) { options in
      options.maximumSynchronousPicks = 5
      options.configuration.preselectedAssetIdentifiers = [LocalIdentifier("100")]
    }
    let first = picker.tiles[0].rectangle
    picker.send(.mouse(MouseEvent(.press, row: first.row, column: first.column)))
    let effects = picker.send(.mouse(MouseEvent(.drag, row: 39, column: first.column)))
    #expect(picker.lastLine.contains("picking…"))
    picker.library = .numbered(101)
    picker.send(.libraryChanged)
    picker.answerFetches()
    // The mouse is held: another bulkSelection takes the place of the first.
    for timer in effects.compactMap(\.timer) { picker.send(.timer(timer)) }
    picker.selectInBulk()
    picker.answerFetches()
    #expect(picker.selected.contains("100"))
    // It is looked for no longer.
    picker.send(.libraryChanged)
    #expect(picker.query?.preselected == [])
  }
}
