import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Undo and redo of picks with their keys.
@Suite struct UndoTests {
  private let undo = Key.character("U")
  private let redo = Key.control("r")

  private func press(_ picker: inout TestPicker, _ keys: Key...) {
    for key in keys { picker.press(key) }
    picker.answerFetches()
  }

  @Test func `Picks are restored one by one, and a bulk selection at once`() {
    var picker = TestPicker.open(.numbered(10))
    press(&picker, .space, .right, .space, .character("a"), .character("u"))
    #expect(picker.selected.isEmpty)
    press(&picker, undo)
    #expect(picker.selected.count == 10)
    #expect(picker.lastLine.contains("Undone: 10 picked"))
    press(&picker, undo)
    #expect(picker.selected == ["0", "1"])
    press(&picker, undo, undo)
    #expect(picker.selected.isEmpty)
    press(&picker, undo)
    #expect(picker.lastLine.contains("Nothing to undo"))
    press(&picker, redo, redo, redo)
    #expect(picker.selected.count == 10)
    #expect(picker.lastLine.contains("Redone: 10 picked"))
    press(&picker, redo, redo)
    #expect(picker.selected.isEmpty && picker.lastLine.contains("Nothing to redo"))
  }

  @Test func `The key that unselects all says how to undo it`() {
    var picker = TestPicker.open(.numbered(10))
    press(&picker, .space, .right, .space, .character("u"))
    #expect(picker.lastLine.contains("2 unpicked. Press U to undo"))
    press(&picker, undo)
    #expect(picker.selected == ["0", "1"])
    // The configured key is named; without picks there is no notice.
    var other = TestPicker.open { $0.bindings = KeyBindings.standard.changed([.undo: [.character("x")]]) }
    press(&other, .character("u"))
    #expect(!other.lastLine.contains("unpicked"))
    press(&other, .space, .character("u"))
    #expect(other.lastLine.contains("1 unpicked. Press x to undo"))
  }

  @Test func `A bulk selection in the background is one step`() {
    var picker = TestPicker.open(.numbered(50)) { $0.maximumSynchronousPicks = 5 }
    picker.press(.space, .character("a"), undo)
    picker.selectInBulk()
    #expect(picker.selected == ["0"])
    press(&picker, redo)
    #expect(picker.selected.count == 50)
  }

  @Test func `A range is one step, also while open, and a dropped one is none`() {
    var picker = TestPicker.open(.numbered(10))
    press(&picker, .character("v"), .right, .right, .character("v"))
    press(&picker, .character("v"), .right, .right)
    #expect(picker.selected.count == 5)
    press(&picker, undo)
    #expect(picker.selected == ["0", "1", "2"] && !picker.lastLine.contains("range"))
    picker.press(.right)
    #expect(picker.selected == ["0", "1", "2"])
    press(&picker, undo)
    #expect(picker.selected.isEmpty)
    press(&picker, .character("v"), .right, .escape, undo)
    #expect(picker.lastLine.contains("Nothing to undo"))
  }

  @Test func `A drag is one step`() {
    var picker = TestPicker.open(.numbered(30))
    let tiles = picker.tiles
    for (action, place) in [(MouseEvent.Action.press, 1), (.drag, 2), (.drag, 4), (.release, 4)] {
      let box = tiles[place].rectangle
      picker.send(.mouse(MouseEvent(action, row: box.row, column: box.column)))
    }
    #expect(picker.selected == ["1", "2", "3", "4"])
    press(&picker, undo)
    #expect(picker.selected.isEmpty)
  }

  @Test func `With a limit of one, undo restores the previous choice`() {
    var picker = TestPicker.open(.numbered(5), limit: 1)
    press(&picker, .space, .right, .space, undo)
    #expect(picker.selected == ["0"])
    press(&picker, redo)
    #expect(picker.selected == ["1"])
  }

  @Test func `The order set in the strip is restored`() {
    var picker = TestPicker.open(.numbered(5))
    press(&picker, .space, .right, .space, .character("r"), .character("<"), undo)
    #expect(picker.selected == ["0", "1"])
  }

  @Test func `Deleted photos are not restored`() {
    var picker = TestPicker.open(.numbered(6))
    press(&picker, .space, .right, .space, .right, .space, .character("u"))
    picker.library.removeAll { $0.id.rawValue == "1" }
    picker.send(.libraryChanged)
    picker.answerFetches()
    press(&picker, undo)
    #expect(picker.selected == ["0", "2"])
    press(&picker, undo, redo)
    #expect(picker.selected == ["0", "2"])
  }

  @Test func `The preselection is the initial state`() {
    var picker = TestPicker.open(.numbered(5), limit: 3) {
      $0.configuration.preselectedAssetIdentifiers = [LocalIdentifier("3")]
    }
    press(&picker, undo)
    #expect(picker.selected == ["3"])
    press(&picker, .space, .character("u"), undo, undo)
    #expect(picker.selected == ["3"])
  }

  @Test func `The caller is notified of undone changes`() {
    var picker = TestPicker.open(.numbered(5)) { $0.configuration.selection = .continuous }
    press(&picker, .space)
    let reports = picker.press(undo).compactMap {
      if case .report(let assets) = $0 { assets.count } else { nil }
    }
    #expect(reports == [0])
  }

  @Test func `Allowed photos are not picks`() {
    var picker = TestPicker.open(
      .numbered(6), limit: 3, status: .limited, allowed: [LocalIdentifier("1"), LocalIdentifier("2")])
    press(&picker, .space, .right, .space, .character("m"), .space, undo)
    #expect(picker.lastLine.contains("Only picks can be undone"))
    // "1" is revoked: no undo restores it.
    press(&picker, .character("u"), .home, .right, .right, .space, .enter)
    #expect(picker.selected == ["2"])
    press(&picker, undo)
    #expect(!picker.selected.contains("1"))
  }
}
