import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Changes of an open picker by the program that shows it.
@Suite struct CallerOrderTests {
  private func open(
    limit: Int = 0, selection: PickerConfiguration.Selection = .continuousAndOrdered,
    preselected: [String] = [], configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    .open(.numbered(30), limit: limit) { options in
      options.configuration.sort = .name
      options.configuration.selection = selection
      options.configuration.preselectedAssetIdentifiers = preselected.map { LocalIdentifier($0) }
      configure(&options)
    }
  }

  private func reports(_ effects: [PickerEffect]) -> [[String]] {
    effects.compactMap { effect in
      if case .report(let assets) = effect { assets.map(\.id.rawValue) } else { nil }
    }
  }

  @Test func `Deselected photos are gone, are reported, and undo does not restore them`() {
    var picker = open()
    picker.press(.space, .right, .space, .right, .space)
    #expect(picker.selected == ["0", "1", "2"])
    let effects = picker.send(.order(.deselect([LocalIdentifier("1"), LocalIdentifier("29")])))
    #expect(picker.selected == ["0", "2"] && reports(effects) == [["0", "2"]])
    picker.press(.character("U"))
    #expect(!picker.selected.contains("1"))
  }

  @Test func `A photo moves behind another one, or to the first place`() {
    var picker = open()
    picker.press(.space, .right, .space, .right, .space, .right, .space)
    let effects = picker.send(.order(.move(LocalIdentifier("0"), after: LocalIdentifier("2"))))
    #expect(reports(effects) == [["1", "2", "0", "3"]])
    #expect(reports(picker.send(.order(.move(LocalIdentifier("3"), after: nil)))) == [["3", "1", "2", "0"]])
    let third = picker.send(.order(.move(LocalIdentifier("0"), after: LocalIdentifier("3"))))
    #expect(reports(third) == [["3", "0", "1", "2"]])
    // Photos that are not picked move nothing.
    #expect(reports(picker.send(.order(.move(LocalIdentifier("9"), after: nil)))).isEmpty)
    #expect(reports(picker.send(.order(.move(LocalIdentifier("0"), after: LocalIdentifier("9"))))).isEmpty)
  }

  @Test func `A new limit applies at once, also to what undo restores`() {
    var picker = open(limit: 2)
    picker.press(.space, .right, .space, .right, .space)
    #expect(picker.selected == ["0", "1"])
    picker.send(.order(.update(PickerConfiguration.Update(selectionLimit: 3))))
    picker.press(.space)
    #expect(picker.selected == ["0", "1", "2"])
    picker.send(.order(.update(PickerConfiguration.Update(selectionLimit: 1))))
    #expect(picker.lastLine.contains("3 picked, but the limit is 1"))
    picker.press(.enter)
    #expect(picker.outcome == nil)
    // Without a value nothing changes.
    #expect(picker.send(.order(.update(PickerConfiguration.Update()))).isEmpty)
  }

  @Test func `The cursor goes to a photo and back to the first one`() {
    var picker = open()
    picker.send(.order(.scroll(to: LocalIdentifier("17"))))
    #expect(picker.cursor == "17")
    picker.send(.order(.scroll(to: LocalIdentifier("nothing"))))
    #expect(picker.cursor == "17")
    picker.send(.order(.scrollToInitialPosition))
    #expect(picker.cursor == "0")
  }

  @Test func `Thumbnails become larger and smaller`() {
    var picker = open()
    picker.makeDemanded()
    func columns() -> Int { Set(picker.tiles.map(\.rectangle.column)).count }
    let before = columns()
    picker.send(.order(.zoomIn))
    #expect(columns() < before)
    picker.send(.order(.zoomOut))
    picker.send(.order(.zoomOut))
    #expect(columns() > before)
  }

  @Test func `Orders wait for a bulk selection, and apply to its result`() {
    var picker = open { $0.maximumSynchronousPicks = 20 }
    picker.press(.character("a"))
    picker.send(.order(.deselect([LocalIdentifier("3")])))
    picker.selectInBulk()
    #expect(picker.selected.count == 29 && !picker.selected.contains("3"))
  }

  @Test func `Orders outlive keys that are dropped, after a cancelled bulk selection or behind a question`() {
    var picker = open { $0.maximumSynchronousPicks = 20 }
    picker.press(.space, .character("a"), .space)
    picker.send(.order(.deselect([LocalIdentifier("0")])))
    picker.press(.escape)
    #expect(picker.selected == [])
    picker.press(.character("a"))
    picker.send(.order(.deselect([LocalIdentifier("3")])))
    picker.send(.consent(.change(ChangeConsentRequest(client: "mutt", kind: .marks, assets: []))))
    picker.selectInBulk()
    picker.press(.escape)
    #expect(picker.selected.count == 29 && !picker.selected.contains("3"))
  }

  @Test func `Preselected photos that the library does not have are reported once it is complete`() {
    var picker = TestPicker(.numbered(30)) { options in
      options.configuration.preselectedAssetIdentifiers = ["5", "gone", "away"]
    }
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    func unknown() -> [[LocalIdentifier]] {
      picker.effects.compactMap { if case .reportUnknown(let unknown) = $0 { unknown } else { nil } }
    }
    #expect(unknown().isEmpty && picker.selected == ["5"])
    picker.isComplete = true
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(unknown() == [["gone", "away"]])
    #expect(picker.lastLine.contains("2 preselected photos are not in the library"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(unknown().count == 1)
  }

  @Test func `Without the staging area there is no strip`() {
    var picker = open { $0.configuration.disabledCapabilities = .stagingArea }
    picker.press(.space)
    picker.makeDemanded()
    #expect(picker.strip == nil && picker.selected == ["0"])
    #expect(!picker.lastLine.contains("review"))
    picker.press(.character("r"))
    #expect(picker.strip == nil && picker.lastLine.contains("The strip of picks is disabled"))
  }
}
