import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Leaving asks before picks are lost.
@Suite struct LeavingTests {
  static let leavingKeys: [(Key, String)] = [
    (.escape, "Esc"), (.character("q"), "q"), (.control("c"), "^C"),
  ]

  @Test(arguments: leavingKeys.map(\.0))
  func `Without picks each key leaves at once`(key: Key) {
    var picker = TestPicker.open()
    picker.press(.space, .space, key)
    #expect(picker.outcome == .cancelled)
  }

  @Test(arguments: leavingKeys)
  func `With picks the first press asks, and a second one leaves`(key: Key, label: String) {
    for (second, _) in Self.leavingKeys {
      var picker = TestPicker.open()
      picker.press(.space, .right, .space, .right, .space, key)
      #expect(picker.outcome == nil)
      #expect(picker.lastLine.contains("\(label) again to discard 3 picks"))
      picker.press(second)
      #expect(picker.outcome == .cancelled)
    }
  }

  @Test func `Another key dismisses the question`() {
    var picker = TestPicker.open()
    picker.press(.space, .escape)
    #expect(picker.lastLine.contains("Esc again to discard 1 pick;"))
    picker.press(.right)
    #expect(!picker.lastLine.contains("to discard"))
    picker.press(.escape)
    #expect(picker.outcome == nil && picker.lastLine.contains("to discard"))
    #expect(picker.selected == ["0"])
  }

  @Test func `The question disappears after a while, or with a click`() throws {
    var picker = TestPicker.open()
    let timer = try #require(picker.press(.space, .escape).compactMap(\.timer).last)
    picker.send(.timer(timer))
    #expect(!picker.lastLine.contains("to discard"))
    picker.press(.escape)
    #expect(picker.outcome == nil && picker.lastLine.contains("to discard"))
    picker.send(.mouse(MouseEvent(.press, row: 5, column: 60)))
    picker.press(.escape)
    #expect(picker.outcome == nil)
  }

  @Test func `Esc closes what is open before it asks`() {
    var picker = TestPicker.open()
    picker.press(.space, .character("o"), .escape)
    #expect(!picker.lastLine.contains("to discard"))
    picker.press(.escape)
    #expect(picker.lastLine.contains("to discard") && picker.outcome == nil)
  }

  @Test func `In a prompt only Esc and Ctrl-C answer, and letters are typed`() {
    var picker = TestPicker.open()
    picker.press(.space, .character("/"), .control("c"))
    #expect(picker.lastLine.contains("^C again to discard 1 pick") && picker.outcome == nil)
    picker.press(.character("q"))
    #expect(picker.outcome == nil && picker.prompt == "q")
    picker.press(.control("c"), .control("c"))
    #expect(picker.outcome == .cancelled)
  }

  @Test func `The question is visible over a prompt and over a menu`() {
    var picker = TestPicker.open(size: CellSize(columns: 30, rows: 8))
    picker.press(.space, .character("/"), .control("c"))
    #expect(picker.shows("again to discard"))
    var menu = TestPicker.open()
    menu.press(.space, .character("?"), .control("c"))
    #expect(menu.lastLine.contains("again to discard") && menu.box == nil)
  }

  @Test func `Preselected photos need no question, the user's picks do`() {
    var picker = TestPicker.open {
      $0.configuration.preselectedAssetIdentifiers = [LocalIdentifier("3")]
    }
    var touched = picker
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
    touched.press(.space, .escape)
    #expect(touched.outcome == nil && touched.lastLine.contains("discard 2 picks"))
  }

  @Test func `Picks that were all undone or unselected need no question`() {
    for key in [Key.character("U"), .character("u")] {
      var picker = TestPicker.open()
      picker.press(.space, key, .escape)
      #expect(picker.outcome == .cancelled)
    }
  }

  @Test func `An open range counts as picks`() {
    var picker = TestPicker.open()
    picker.press(.character("v"), .right, .character("q"))
    #expect(picker.outcome == nil && picker.lastLine.contains("discard 2 picks"))
  }

  @Test func `Picks behind the choice of accessible photos count`() {
    var picker = TestPicker.open(
      .numbered(6), limit: 3, status: .limited, allowed: [LocalIdentifier("1"), LocalIdentifier("2")])
    picker.press(.space, .character("m"))
    picker.answerFetches()
    picker.press(.character("q"))
    #expect(picker.outcome == nil && picker.lastLine.contains("to discard 1 pick"))
  }
}
