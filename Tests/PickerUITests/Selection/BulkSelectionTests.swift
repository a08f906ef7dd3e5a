import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// A bulk selection does not delay the following keys.
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

  @Test func `Many photos are picked in the background`() {
    var picker = open()
    let effects = picker.press(.character("a"))
    #expect(picker.lastLine.contains("0 picked · picking…"))
    #expect(effects.contains { $0.bulkSelection != nil })
    picker.selectInBulk()
    #expect(picker.selected == (0..<100).map(String.init))
    #expect(!picker.lastLine.contains("picking…"))
  }

  @Test func `Moves continue meanwhile, and selection changes follow in order`() {
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

  @Test func `Queued keys do not answer a question that appears meanwhile`() {
    var picker = open()
    picker.press(.character("a"), .space, .character("f"), .enter)
    picker.send(.consent(.access(ConsentRequest(client: "mutt", purpose: nil, level: .readWrite))))
    picker.selectInBulk()
    #expect(picker.shows("would like to see your photos"))
    #expect(!picker.effects.contains { if case .answerConsent = $0 { true } else { false } })
  }

  @Test func `Enter confirms everything that was requested`() {
    var picker = open()
    picker.press(.character("a"), .enter)
    #expect(picker.outcome == nil)
    picker.selectInBulk()
    #expect(picker.outcome == .picked(picker.library))
  }

  @Test func `Esc cancels it, and q leaves`() throws {
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

  @Test func `Esc drops the keys queued behind it, and the range it was for`() {
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

  @Test func `A replaced bulk selection is stale`() throws {
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

  @Test func `A recomputed range starts from the picks before it`() {
    var picker = open()
    picker.press(.right, .right, .right, .space, .home, .character("v"), .end)
    picker.selectInBulk()
    picker.press(.character("5"), .character("0"), .enter)
    picker.selectInBulk()
    #expect(picker.selected == ["3"] + (0..<50).filter { $0 != 3 }.map(String.init))
  }

  @Test func `Reaching the limit is reported`() {
    var picker = open(limit: 50)
    picker.press(.character("a"))
    picker.selectInBulk()
    #expect(picker.selected.count == 50)
    #expect(picker.lastLine.contains("limit of 50 reached: added 50 of 100 photos"))
  }

  @Test func `A range grows and shrinks by the photos the cursor passes`() {
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

  @Test func `A range over photos that were already picked unselects none of them`() {
    var picker = open()
    picker.press(.space, .right, .space, .left, .character("v"), .right, .left)
    #expect(picker.selected == ["0", "1"])
  }

  @Test func `A range that reverses at its start extends in the other direction`() {
    var picker = open()
    picker.press(.right, .right, .character("v"), .right, .left, .left, .left)
    #expect(picker.selected == ["2", "1", "0"])
    picker.press(.right, .right, .right)
    #expect(picker.selected == ["2", "3"])
  }

  @Test func `A range that the mouse keeps extending is picked as a whole`() throws {
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

  /// The position of some text, or of a visible photo, in a picker.
  private func click(_ place: (row: Int, column: Int)) -> PickerMessage {
    .mouse(MouseEvent(.press, row: place.row, column: place.column))
  }

  @Test func `Queued clicks use the screen left by the previous ones`() throws {
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

  @Test func `Queued letters are typed and end nothing`() {
    var picker = open()
    picker.press(.character("a"), .space, .character("/"))
    for letter in "square" { picker.press(.character(letter)) }
    #expect(picker.outcome == nil)
    picker.selectInBulk()
    #expect(picker.outcome == nil)
    #expect(picker.prompt == "square")
    #expect(picker.selected.count == 99)
  }

  @Test func `Nothing follows the end`() {
    var picker = open()
    picker.press(.character("a"), .enter, .character("q"), .space)
    picker.selectInBulk()
    picker.press(.right)
    #expect(picker.effects.compactMap(\.outcome) == [.picked(picker.library)])
  }

  @Test func `Photos deleted meanwhile are not picked`() throws {
    var picker = open()
    picker.press(.space, .character("a"))
    picker.library.removeAll { ["0", "7"].contains($0.id.rawValue) }
    picker.send(.libraryChanged)
    picker.answerFetch()
    let bulkSelection = try #require(picker.bulkSelection)
    picker.send(.bulkSelected(bulkSelection.perform()))
    // The earlier pick was reported missing: it may not return for a moment.
    #expect(!picker.selected.contains("0"))
    picker.answerFetches()
    #expect(!picker.selected.contains("7"))
    #expect(picker.selected.count == 98)
  }

  @Test func `Without an answer meanwhile there is no request`() {
    var picker = open()
    picker.press(.character("a"))
    let questions = picker.effects.compactMap(\.fetchQuery)
    picker.selectInBulk()
    #expect(picker.effects.compactMap(\.fetchQuery) == questions)
  }

  @Test func `Preselected photos found during a range are picked after the range`() throws {
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
    // The mouse is held: another bulk selection replaces the first.
    for timer in effects.compactMap(\.timer) { picker.send(.timer(timer)) }
    picker.selectInBulk()
    picker.answerFetches()
    #expect(picker.selected.contains("100"))
    // It is no longer searched for.
    picker.send(.libraryChanged)
    #expect(picker.query?.preselected == [])
  }
}
