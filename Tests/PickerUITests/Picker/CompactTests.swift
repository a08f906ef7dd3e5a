import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct CompactTests {
  private func open(
    _ size: CellSize, _ library: [Asset] = .numbered(50), limit: Int = 0,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    var picker = TestPicker.open(library, limit: limit, size: size) { options in
      options.configuration.mode = .compact
      configure(&options)
    }
    picker.makeDemanded()
    return picker
  }

  @Test func `One row of thumbnails is shown below the preview`() {
    let picker = open(CellSize(columns: 80, rows: 24))
    let thumbnails = picker.frame.slots.filter { $0.key.mode == .aspectFill }
    let previews = picker.frame.slots.filter { $0.key.mode == .aspectFit }
    #expect(Set(thumbnails.map(\.rect.row)).count == 1)
    #expect(thumbnails.count == picker.columns)
    #expect(previews.count == 1)
    #expect(previews.allSatisfy { $0.rect.endRow < thumbnails[0].rect.row })
    #expect(picker.shows("4000×3000"))
  }

  @Test func `The cursor moves along the row and on into the next`() {
    var picker = open(CellSize(columns: 80, rows: 24))
    let columns = picker.columns
    picker.press(.down)
    #expect(picker.cursorIndex == columns && picker.firstVisible == "\(columns)")
    picker.press(.left)
    #expect(picker.cursorIndex == columns - 1 && picker.firstVisible == "0")
  }

  @Test func `A move within the row requests no other thumbnails`() {
    var picker = open(CellSize(columns: 80, rows: 24))
    let before = picker.demand.filter { $0.key.mode == .aspectFill }.map(\.key)
    picker.press(.right)
    #expect(picker.demand.filter { $0.key.mode == .aspectFill }.map(\.key) == before)
  }

  @Test func `The line above the row shows the position and can be clicked`() throws {
    var picker = open(CellSize(columns: 80, rows: 24))
    let rule = try #require(picker.lines.firstIndex { $0.hasPrefix("━━") })
    picker.press(.end)
    #expect(picker.lines[rule].hasSuffix("━━"))
    picker.send(.mouse(MouseEvent(.press, row: rule, column: 40)))
    #expect(picker.cursorIndex == 25)
  }

  @Test func `Without room for both, p switches between thumbnails and preview`() {
    var picker = open(CellSize(columns: 38, rows: 9))
    #expect(picker.frame.slots.allSatisfy { $0.key.mode == .aspectFill })
    picker.press(.character("p"), .right)
    picker.makeDemanded()
    #expect(picker.frame.slots.map(\.key.mode) == [.aspectFit])
    #expect(picker.shownPhoto == "1")
    picker.press(.character("p"))
    #expect(picker.frame.slots.allSatisfy { $0.key.mode == .aspectFill })
  }

  @Test func `Without a title line the last line shows the filters`() {
    let picker = open(CellSize(columns: 60, rows: 8)) { $0.configuration.filter = .matching(.images) }
    #expect(picker.lastLine.contains("1/50 · images only"))
  }

  @Test func `A mouse held at the end of the row advances photo by photo`() {
    var picker = open(CellSize(columns: 80, rows: 24))
    let columns = picker.columns
    let (first, last) = (picker.tiles[0].rectangle, picker.tiles[columns - 1].rectangle)
    picker.send(.mouse(MouseEvent(.press, row: first.row, column: first.column)))
    picker.send(.mouse(MouseEvent(.drag, row: last.row, column: last.column)))
    #expect(picker.selected.count == columns)
    let effects = picker.send(.mouse(MouseEvent(.drag, row: last.row, column: 79)))
    guard let timer = effects.compactMap(\.timer).first else {
      Issue.record("nothing scrolls on")
      return
    }
    picker.send(.timer(timer))
    #expect(picker.selected.count == columns + 1)
  }

  static let tinySizes = [
    (19, "tpick needs 20×6"), (12, "needs 20×6"), (5, "20×6"), (40, "tpick needs 20×6 cells"),
  ]

  @Test(arguments: tinySizes)
  func `A screen that is too small shows as much as fits of the required size`(columns: Int, words: String) {
    #expect(
      open(CellSize(columns: columns, rows: 1)).lines == [
        words + String(repeating: " ", count: columns - words.count)
      ])
  }
}
