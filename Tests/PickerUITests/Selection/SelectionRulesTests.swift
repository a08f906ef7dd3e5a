import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct SelectionRulesTests {
  private func picked(_ picker: TestPicker) -> [String]? {
    guard case .picked(let assets, _, _) = picker.outcome else { return nil }
    return assets.map(\.id.rawValue)
  }

  /// Photos in one block, without day headers.
  private func open(
    _ count: Int = 30, limit: Int = 0, configure: (inout PickerState.Options) -> Void = { _ in }
  )
    -> TestPicker
  {
    TestPicker.open(.numbered(count), limit: limit) { options in
      options.configuration.sort = .name
      configure(&options)
    }
  }

  @Test func `A range follows the cursor both ways, and Escape drops it`() {
    var picker = open()
    picker.press(.end, .space, .home, .right, .right, .character("v"), .right, .right)
    #expect(picker.selected == ["29", "2", "3", "4"])
    picker.press(.left, .left, .left, .left)
    #expect(picker.selected == ["29", "2", "1", "0"])
    picker.press(.escape)
    #expect(picker.selected == ["29"])
    #expect(picker.outcome == nil)
  }

  @Test func `With too many preselected photos another pick is refused with the reason`() {
    var picker = open(limit: 2) {
      $0.configuration.preselectedAssetIdentifiers = ["7", "2", "4"].map { LocalIdentifier($0) }
    }
    picker.press(.space)
    #expect(picker.selected == ["7", "2", "4"])
    #expect(picker.lastLine.contains("3 picked, but the limit is 2: unpick 1 to continue"))
  }

  @Test func `If a search has no results there is nothing to confirm, and the picker stays`() {
    var picker = open()
    picker.press(.character("/"))
    for letter in "zzz" { picker.press(.character(letter)) }
    picker.answerFetches()
    picker.press(.enter)
    picker.press(.enter)
    #expect(picker.outcome == nil)
    #expect(picker.lastLine.contains("No photos found: nothing to use"))
  }

  @Test(arguments: [Key.character("v"), .space])
  func `A range is kept`(key: Key) {
    var picker = open()
    picker.press(.character("v"), .right, key, .right, .right)
    #expect(picker.selected == ["0", "1"])
  }

  @Test func `A range stops at the limit and continues after it shrinks`() {
    var picker = open(limit: 3)
    picker.press(.character("v"), .right, .right, .right)
    #expect(picker.selected == ["0", "1", "2"])
    #expect(picker.lastLine.contains("limit of 3 reached"))
    picker.press(.left, .left)
    #expect(picker.selected == ["0", "1"])
    picker.press(.enter)
    #expect(picked(picker) == ["0", "1"])
  }

  @Test func `With a limit of one there is no range, and the mark is a check`() {
    var picker = open(limit: 1)
    picker.press(.character("v"), .right)
    #expect(picker.selected.isEmpty)
    picker.press(.space)
    let box = picker.tiles[1].rectangle
    #expect(picker.lines[box.endRow - 1].dropFirst(box.endColumn - 3).hasPrefix(" ✓ "))
  }

  @Test func `Preselected photos are selected in order`() {
    let picker = open { $0.configuration.preselectedAssetIdentifiers = [.init("7"), .init("2")] }
    #expect(picker.selected == ["7", "2"])
  }

  @Test func `Preselected photos are not reported back to the caller`() {
    var picker = open {
      $0.configuration.preselectedAssetIdentifiers = [.init("7"), .init("2")]
      $0.configuration.selection = .continuousAndOrdered
    }
    let reports = { (picker: TestPicker) in
      picker.effects.compactMap { effect -> [String]? in
        if case .report(let assets) = effect { assets.map(\.id.rawValue) } else { nil }
      }
    }
    #expect(reports(picker).isEmpty)
    picker.press(.space)
    #expect(reports(picker) == [["7", "2", "0"]])
  }

  @Test func `Preselected photos are selected once they are found`() {
    var picker = TestPicker([.photo("a")]) {
      $0.configuration.preselectedAssetIdentifiers = [.init("b")]
    }
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(picker.selected.isEmpty)
    picker.library.append(.photo("b"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.selected == ["b"])
    picker.press(.character("u"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.selected.isEmpty)
  }

  @Test func `Preselected photos beyond the limit must be unselected before confirming`() {
    var picker = open(limit: 2) {
      $0.configuration.preselectedAssetIdentifiers = ["0", "1", "2", "3"].map { LocalIdentifier($0) }
    }
    #expect(picker.selected.count == 4)
    #expect(picker.lastLine.contains("4 picked, but the limit is 2: unpick 2 to continue"))
    picker.press(.enter)
    #expect(picker.outcome == nil)
    #expect(picker.lastLine.contains("unpick 2"))
    // Nothing more can be added meanwhile.
    picker.press(.end, .space, .character("v"), .home)
    #expect(picker.selected.count == 4)
    picker.press(.space, .right, .space, .enter)
    #expect(picked(picker) == ["2", "3"])
  }

  @Test func `Each change is reported if the caller asked for it`() {
    var picker = open { $0.configuration.selection = .continuousAndOrdered }
    #expect(picker.press(.right).compactMap(\.report).isEmpty)
    #expect(picker.press(.space).compactMap(\.report) == [["1"]])
    #expect(picker.press(.left, .space).compactMap(\.report) == [["1", "0"]])
    #expect(picker.press(.character("v"), .right, .right).compactMap(\.report).isEmpty)
    #expect(picker.press(.character("v")).compactMap(\.report) == [["1", "0", "2"]])
    #expect(picker.press(.character("u")).compactMap(\.report) == [[]])
  }

  @Test func `Changes are reported in grid order if the pick order does not count`() {
    var picker = open { $0.configuration.selection = .continuous }
    #expect(picker.press(.right, .space, .left, .space).compactMap(\.report).last == ["0", "1"])
  }

  @Test func `Picks of a range are reported when a found preselected photo ends it`() {
    var picker = TestPicker(Array([Asset].numbered(30).dropLast())) { options in
      options.configuration.selection = .continuousAndOrdered
      options.configuration.preselectedAssetIdentifiers = [.init("29")]
    }
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    picker.press(.character("v"), .right)
    picker.library = .numbered(30)
    picker.send(.libraryChanged)
    #expect(picker.answerFetch().compactMap(\.report) == [["0", "1", "29"]])
    #expect(picker.press(.right).compactMap(\.report).isEmpty)
  }

  @Test func `Nothing is reported unless requested`() {
    var picker = open()
    #expect(picker.press(.space, .right, .space).compactMap(\.report).isEmpty)
    #expect(picker.selected == ["0", "1"])
    picker.press(.enter)
    #expect(picked(picker) == ["0", "1"])
  }

  @Test func `At the limit the labels of the rest are dim`() {
    let library = (0..<4).map { Asset.photo("\($0)", day: 9 - $0) }
    var picker = TestPicker.open(library) { $0.configuration.selectionLimit = 2 }
    let label = { (picker: TestPicker) in
      let box = picker.tiles[3].rectangle
      let cells = picker.frame.row(box.row - 1)
      return cells[cells.startIndex + box.column].style
    }
    #expect(label(picker) == .dayHeader)
    picker.press(.space, .right, .space)
    #expect(label(picker) == .dim)
    #expect(picker.lastLine.contains("2 of 2 picked"))
  }

  @Test func `Select-all stops at the limit and reports how many were selected`() {
    var picker = open(limit: 7)
    picker.press(.space, .character("a"))
    #expect(picker.lastLine.contains("limit of 7 reached: added 6 of 30 photos"))
  }

  @Test func `A refused action triggers the bell if enabled`() {
    for rings in [false, true] {
      var picker = open(limit: 2) { $0.ringsBell = rings }
      let effects = picker.press(.space, .right, .space, .right, .space)
      #expect(effects.contains(.ring) == rings)
    }
  }

  @Test func `The selection is reviewed and reordered in the strip`() {
    var picker = open()
    picker.press(.space, .right, .space, .right, .space, .character("r"))
    #expect(picker.lastLine.contains("pick 3 of 3"))
    // Wherever the cursor's frame is.
    for key in [Key.left, .left, .right, .right] {
      #expect(picker.shows("Picks, in this order"))
      picker.press(key)
    }
    #expect(picker.shownPhoto == "2")
    picker.press(.character("<"), .character("<"), .character("<"))
    #expect(picker.selected == ["2", "0", "1"])
    picker.press(.character(">"), .right, .space)
    #expect(picker.selected == ["0", "2"])
    picker.press(.character("o"))
    #expect(picker.isFullScreen)
    picker.press(.left, .left)
    #expect(picker.shownPhoto == "0")
    picker.press(.escape, .escape)
    #expect(!picker.isFullScreen && !picker.lastLine.contains("pick 1 of 2"))
    #expect(picker.outcome == nil)
    picker.press(.enter)
    #expect(picked(picker) == ["0", "2"])
  }

  @Test func `The strip closes with the last pick`() {
    var picker = open()
    #expect(picker.press(.character("r")).contains { $0.timer != nil })
    picker.press(.space, .character("r"), .space)
    #expect(picker.strip == nil)
    picker.press(.right)
    #expect(picker.cursor == "1")
  }

  @Test func `The selection's size is the total of its picks`() {
    var picker = open()
    picker.press(.space, .right, .space, .right, .space)
    #expect(picker.lastLine.contains("3 picked · 6.0 MB"))
  }

  @Test func `Photos are selected one by one if the caller disabled bulk actions`() {
    var picker = open { $0.configuration.disabledCapabilities = .selectionActions }
    picker.press(.character("a"), .character("v"), .right)
    #expect(picker.selected.isEmpty)
    picker.press(.space, .character("u"))
    #expect(picker.selected == ["1"])
  }

  @Test func `Preview and sidebar are unavailable if the caller disabled them`() {
    var picker = open { $0.configuration.disabledCapabilities = [.preview, .collectionNavigation] }
    picker.makeDemanded()
    #expect(!picker.hasPreview && picker.sidebar == nil)
    picker.press(.character("p"), .character("o"), .tab, .right)
    picker.makeDemanded()
    #expect(!picker.hasPreview && !picker.isFullScreen && picker.sidebar == nil)
    #expect(picker.cursor == "1")
  }
}

extension PickerEffect {
  var report: [String]? { if case .report(let assets) = self { assets.map(\.id.rawValue) } else { nil } }
}
