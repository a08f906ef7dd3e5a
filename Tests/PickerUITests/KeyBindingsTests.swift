import Pixels
import Testing

@testable import PickerUI

@Suite struct KeyBindingsTests {
  @Test func `No key asks for two things`() {
    let keys = KeyBindings.standard.groups.flatMap { $0.bindings.map(\.key) }
    #expect(Set(keys).count == keys.count)
  }

  @Test func `The help shows only keys that are bound`() {
    for group in KeyBindings.standard.groups {
      let bound = group.bindings.map(\.key)
      for key in group.shown { #expect(bound.contains(key), "\(key.label)") }
    }
  }

  @Test(arguments: KeyBindings.standard.groups.map(\.title))
  func `The help names everything`(title: String) {
    var picker = TestPicker.open(size: CellSize(columns: 120, rows: 50))
    picker.press(.character("?"))
    #expect(picker.shows(title))
    #expect(picker.press(.character("?")).isEmpty)
    #expect(!picker.shows("any key closes"))
  }
}
