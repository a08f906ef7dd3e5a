import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Keys that the caller expects.
@Suite struct ExpectedKeyTests {
  private func open(_ keys: Key..., limit: Int = 0) -> TestPicker {
    .open(limit: limit, size: CellSize(columns: 120, rows: 60)) { options in
      options.callerKeys.expected = keys
      options.bindings = options.bindings.without(keys)
    }
  }

  @Test(arguments: [Key.control("o"), .alt("x"), .function(2), .character("a"), .control(" ")])
  func `An expected key confirms the selection and is reported`(key: Key) {
    var picker = open(key)
    picker.press(.space, .right, .space, key)
    #expect(picker.outcome == .picked([picker.library[0], picker.library[1]], by: key))
  }

  @Test func `Without picks it uses the photo under the cursor`() {
    var picker = open(.control("o"))
    picker.press(.right, .control("o"))
    #expect(picker.outcome == .picked([picker.library[1]], by: .control("o")))
  }

  @Test func `Enter does not confirm unless it is expected`() {
    var picker = open(.control("o"))
    picker.press(.enter)
    #expect(picker.outcome == .picked([picker.library[0]]))
    var other = open(.enter)
    other.press(.enter)
    #expect(other.outcome == .picked([other.library[0]], by: .enter))
  }

  @Test func `A refused confirmation ends nothing`() {
    var picker = open(.control("o"))
    picker.press(.space, .space, .control("o"))
    #expect(picker.outcome == nil)
    #expect(picker.lines.contains { $0.contains("Nothing picked") })
  }

  @Test func `In a prompt a character is text, and a Ctrl key is not`() {
    var picker = open(.character("1"), .control("o"))
    picker.press(.character("/"), .character("1"))
    #expect(picker.outcome == nil)
    #expect(picker.prompt == "1")
    picker.answerFetches()
    picker.press(.control("o"))
    #expect(picker.outcome?.key == .control("o"))
  }

  @Test func `In a menu a character chooses, in the help it closes`() {
    for menu in [Key.character("f"), .character("?")] {
      var picker = open(.character("v"))
      picker.press(menu, .character("v"))
      #expect(picker.outcome == nil)
    }
  }

  @Test func `While accessible photos are chosen it has no function`() {
    var picker = TestPicker.open(status: .limited, allowed: [LocalIdentifier("0"), LocalIdentifier("1")]) {
      $0.callerKeys.expected = [.control("o")]
    }
    picker.press(.character("m"))
    picker.answerFetches()
    picker.press(.control("o"))
    #expect(picker.outcome == nil)
    #expect(picker.query?.mode == .managing && picker.shows("Choose the photos that tpick may see"))
  }

  @Test func `The help shows it instead of the key's previous function`() {
    var picker = open(.alt("x"), .character("a"))
    picker.press(.character("?"))
    #expect(picker.lines.contains { $0.contains("Alt-x a") && $0.contains("report the key") })
    #expect(!picker.lines.contains { $0.contains("pick all, up to the limit") })
  }
}

extension PickerOutcome {
  fileprivate var key: Key? {
    guard case .picked(_, let key, _) = self else { return nil }
    return key
  }
}
