import AssetLibrary
import Fixtures
import Testing

@testable import PickerUI

/// `--selection follow`: which photo is reported as the cursor moves.
@Suite struct CursorFollowingTests {
  private func open(
    _ library: [Asset] = .numbered(30), configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    TestPicker.open(library, limit: 1) {
      $0.configuration.selection = .follow
      configure(&$0)
    }
  }

  private func followed(_ effects: [PickerEffect]) -> [String] {
    effects.compactMap { if case .follow(let asset) = $0 { asset.id.rawValue } else { nil } }
  }

  @Test func `Each photo that the cursor reaches is reported, however it moves`() {
    var picker = open()
    #expect(followed(picker.effects) == ["0"])
    #expect(followed(picker.press(.right)) == ["1"])
    #expect(followed(picker.press(.end)) == ["29"])
    // In the large preview too.
    #expect(followed(picker.press(.character("o"), .left)) == ["28"])
    #expect(followed(picker.press(.escape)).isEmpty)
  }

  @Test func `Actions that leave the cursor in place report nothing`() {
    var picker = open()
    #expect(followed(picker.press(.up, .space, .space, .character("+"), .tab, .character("?"))).isEmpty)
  }

  @Test func `Only followers are notified of the cursor`() {
    for selection in PickerConfiguration.Selection.allCases where selection != .follow {
      var picker = TestPicker.open { $0.configuration.selection = selection }
      picker.press(.right)
      #expect(followed(picker.effects).isEmpty, "\(selection)")
    }
  }

  @Test func `Picks are not reported`() {
    var picker = open()
    #expect(picker.press(.right, .space, .right).compactMap(\.report).isEmpty)
    picker.press(.enter)
    #expect(picker.outcome == .picked([.photo("1", day: 29)]))
  }

  @Test func `Until the first key nothing is reported while the library is read`() {
    var picker = TestPicker(.numbered(3), limit: 1) { $0.configuration.selection = .follow }
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    picker.library = [.photo("new", day: 31)] + .numbered(3)
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(followed(picker.effects).isEmpty)
    #expect(followed(picker.press(.right)) == ["0"])
    picker.isComplete = true
    picker.send(.libraryChanged)
    #expect(followed(picker.answerFetch()).isEmpty)
  }

  @Test func `Once the library is read the first photo is reported without a key`() {
    var picker = TestPicker(.numbered(3), limit: 1) { $0.configuration.selection = .follow }
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    picker.isComplete = true
    picker.send(.libraryChanged)
    #expect(followed(picker.answerFetch()) == ["0"])
  }

  @Test func `A photo that replaces a deleted one is reported`() {
    var picker = open()
    picker.press(.right)
    picker.library.remove(at: 1)
    picker.send(.libraryChanged)
    #expect(followed(picker.answerFetch()) == ["2"])
  }

  @Test func `Photos that can't be picked are not reported`() {
    var picker = open([.photo("a", day: 21), .broken("b"), .photo("c", day: 19)])
    #expect(followed(picker.effects) == ["a"])
    #expect(followed(picker.press(.right)).isEmpty)
    // It is still the last reported one.
    #expect(followed(picker.press(.left)).isEmpty)
    #expect(followed(picker.press(.end)) == ["c"])
  }

  @Test func `While accessible photos are chosen nothing is reported, and later only accessible ones`() {
    var picker = TestPicker.open(.numbered(6), limit: 1, status: .limited) {
      $0.configuration.selection = .follow
      $0.opening.choosesAccess = true
    }
    picker.press(.right, .right, .space, .right)
    #expect(followed(picker.effects).isEmpty)
    picker.allowed = [.init("2")]
    #expect(followed(picker.press(.enter)).isEmpty)
    picker.answerFetches()
    #expect(followed(picker.effects) == ["2"])
  }

  @Test func `Leaving reports nothing more`() {
    for key in [Key.escape, .enter] {
      var picker = open()
      #expect(followed(picker.press(.right, key)) == ["1"])
      #expect(picker.outcome != nil)
    }
  }
}
