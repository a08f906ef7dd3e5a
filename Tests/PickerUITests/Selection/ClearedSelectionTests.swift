import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Confirming without picks uses the photo under the cursor only if there never were any.
@Suite struct ClearedSelectionTests {
  private func open(
    limit: Int = 0, preselected: [String] = [], allowsEmpty: Bool = false
  ) -> TestPicker {
    TestPicker.open(limit: limit) { options in
      options.configuration.preselectedAssetIdentifiers = preselected.map { LocalIdentifier($0) }
      options.allowsEmpty = allowsEmpty
    }
  }

  static let ways: [(limit: Int, preselected: [String], keys: [Key])] = [
    (0, ["3"], [.character("u")]), (0, [], [.space, .space]), (1, [], [.space, .space]),
    (0, [], [.character("a"), .character("u")]), (0, [], [.space, .character("U")]),
    (1, ["0"], [.space]), (0, ["gone"], []),
  ]

  @Test(arguments: ways)
  func `After clearing the selection Enter confirms no photo by accident`(
    way: (limit: Int, preselected: [String], keys: [Key])
  ) {
    var picker = open(limit: way.limit, preselected: way.preselected)
    for key in way.keys { picker.press(key) }
    #expect(picker.selected.isEmpty)
    picker.press(.enter)
    #expect(picker.outcome == nil)
    #expect(picker.lastLine.contains("Nothing picked"))
    picker.press(.right, .space, .enter)
    #expect(picker.outcome == .picked([picker.library[1]]))
  }

  @Test(arguments: ways)
  func `If an empty selection is allowed it is confirmed`(
    way: (limit: Int, preselected: [String], keys: [Key])
  ) {
    var picker = open(limit: way.limit, preselected: way.preselected, allowsEmpty: true)
    for key in way.keys { picker.press(key) }
    // An undo shows another message there.
    #expect(picker.lastLine.contains("use none") || way.keys.last == .character("U"))
    picker.press(.enter)
    #expect(picker.outcome == .picked([]))
  }

  @Test(arguments: [true, false])
  func `If nothing was ever picked the photo under the cursor is used`(allowsEmpty: Bool) {
    var picker = open(allowsEmpty: allowsEmpty)
    picker.press(.right, .enter)
    #expect(picker.outcome == .picked([picker.library[1]]))
  }

  @Test func `A double click chooses, also after the selection was cleared`() {
    var picker = open()
    picker.press(.space, .space)
    for _ in 0..<2 { mouse(.press, 3, &picker) }
    #expect(picker.outcome == .picked([picker.library[3]]))
  }

  @Test func `The caller's initial album is open from the start`() {
    let album = AssetCollection(
      localIdentifier: LocalIdentifier("folder"), title: "Lisbon", estimatedAssetCount: nil)
    var picker = TestPicker { $0.opening.collection = album }
    picker.send(.authorization(.authorized))
    #expect(picker.query?.collection == album.id)
    #expect(picker.effects.compactMap(\.fetchQuery).count == 1)
    picker.answerFetches()
    #expect(picker.lines[0].contains("Lisbon"))
    // The cursor of the sidebar is there.
    picker.press(.backTab)
    #expect(picker.query?.collection == album.id && picker.lines[0].contains("Lisbon"))
  }

  @Test func `An album that is not in the library ends the picker`() {
    var picker = TestPicker { $0.opening.album = "Madrid" }
    picker.send(.authorization(.authorized))
    picker.answerFetches()
    #expect(picker.outcome == .albumNotFound)
  }

  private func mouse(_ action: MouseEvent.Action, _ index: Int, _ picker: inout TestPicker) {
    let tile = picker.tiles[index].rectangle
    picker.send(.mouse(MouseEvent(action, row: tile.row + 1, column: tile.column + 1)))
  }
}
