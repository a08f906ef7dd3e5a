import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct PickingTests {
  private func picked(_ picker: TestPicker) -> [String]? {
    guard case .picked(let assets, _, _) = picker.outcome else { return nil }
    return assets.map(\.id.rawValue)
  }

  @Test func `Enter picks the photo under the cursor if nothing is selected`() {
    var picker = TestPicker.open()
    picker.press(.right, .enter)
    #expect(picked(picker) == ["1"])
  }

  @Test func `Enter confirms the selection, wherever the cursor is`() {
    var picker = TestPicker.open()
    picker.press(.right, .right, .space, .left, .space, .end, .enter)
    #expect(picked(picker) == ["2", "1"])
  }

  @Test func `The result can be in grid order`() {
    var picker = TestPicker.open { $0.configuration.selection = .default }
    picker.press(.right, .right, .space, .left, .space, .enter)
    #expect(picked(picker) == ["1", "2"])
  }

  @Test func `An empty library gives an empty result`() {
    var picker = TestPicker.open([])
    #expect(picker.press(.space).isEmpty)
    picker.press(.enter)
    #expect(picked(picker) == [])
  }

  @Test(arguments: [[], [Asset].numbered(3)])
  func `Enter waits while photos may still arrive`(photos: [Asset]) {
    var picker = TestPicker([])
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.press(.enter)
    picker.answerFetch()
    #expect(picker.outcome == nil && picker.lastLine.contains("Still reading the library"))
    picker.library = photos
    picker.isComplete = true
    picker.send(.libraryChanged)
    #expect(picker.outcome == nil)
    picker.answerFetches()
    #expect(picked(picker) == photos.prefix(1).map(\.id.rawValue))
  }

  @Test func `A library known to be empty is not waited for while it is fetched again`() {
    var picker = TestPicker.open([])
    picker.send(.libraryChanged)
    #expect(picker.lines.contains { $0.contains("No photos here") })
    picker.press(.enter)
    #expect(picked(picker) == [])
  }

  @Test func `Space unselects a selected photo, and the numbers close up`() {
    var picker = TestPicker.open()
    picker.press(.space, .right, .space, .right, .space, .left, .space)
    #expect(picker.selected == ["0", "2"])
    #expect(picker.tiles.prefix(3).map(\.pick) == ["1", nil, "2"])
  }

  @Test func `At the limit nothing more is picked, and a notice says so`() {
    var picker = TestPicker.open(limit: 2)
    picker.press(.space, .right, .space, .right, .space)
    #expect(picker.selected == ["0", "1"])
    #expect(picker.lastLine.contains("limit of 2 reached"))
    picker.press(.left)
    #expect(!picker.lastLine.contains("limit"))
  }

  @Test func `A notice disappears after its own time, not after an older one's`() throws {
    var picker = TestPicker.open(limit: 2)
    picker.press(.space, .right, .space, .right)
    let first = try #require(picker.press(.space).compactMap(\.timer).first)
    let second = try #require(picker.press(.space).compactMap(\.timer).first)
    picker.send(.timer(first))
    #expect(picker.lastLine.hasPrefix(" limit of 2 reached"))
    picker.send(.timer(second))
    #expect(picker.lastLine.hasPrefix(" 2 of 2 picked"))
  }

  @Test func `At the limit the rest is dimmed, Space is not offered, and the status line says why`() {
    var picker = TestPicker.open(limit: 2)
    let dimmed = { (picker: TestPicker) in
      Set(picker.demand.filter { $0.key.mode == .aspectFill && $0.key.isDimmed }.map(\.key.asset.rawValue))
    }
    picker.press(.space)
    #expect(dimmed(picker).isEmpty && picker.lastLine.contains("unpick"))
    picker.press(.right, .space)
    #expect(!dimmed(picker).isEmpty && dimmed(picker).isDisjoint(with: ["0", "1"]))
    #expect(picker.lastLine.contains("Space unpick") && !picker.lastLine.contains("limit of"))
    picker.press(.right)
    #expect(picker.lastLine.contains("limit of 2 reached") && !picker.lastLine.contains("Space"))
    picker.press(.left, .space)
    #expect(dimmed(picker).isEmpty && picker.lastLine.contains("Space pick"))
    picker.press(.right)
    #expect(!picker.lastLine.contains("limit of"))
  }

  @Test func `With a limit of one nothing is dimmed`() {
    var picker = TestPicker.open(limit: 1)
    picker.press(.space, .right)
    #expect(!picker.demand.contains { $0.key.isDimmed } && picker.lastLine.contains("Space pick"))
  }

  @Test func `With a limit of one a new choice replaces the old one`() {
    var picker = TestPicker.open(limit: 1)
    picker.press(.space, .right, .space)
    #expect(picker.selected == ["1"])
    picker.press(.space)
    #expect(picker.selected.isEmpty)
  }

  @Test func `a selects all up to the limit, u none`() {
    var picker = TestPicker.open(limit: 7)
    picker.press(.character("a"))
    #expect(picker.selected == (0..<7).map(String.init))
    #expect(picker.lastLine.contains("limit of 7 reached"))
    picker.press(.character("u"))
    #expect(picker.selected.isEmpty)
  }

  static let obstacles: [(Asset, String)] = [
    (.broken("IMG_9.JPG"), "IMG_9.JPG can't be picked: the file is empty"),
    (.photo("a\nb.jpg"), "a␊b.jpg has a line break in its name: use --print0"),
    (.photo("a\rb.jpg"), "use --print0"),
    (.photo("c.jpg", folder: "d\nd"), "c.jpg has a line break in its name: use --print0"),
  ]

  @Test(arguments: obstacles)
  func `A photo that can't be picked shows the reason`(asset: Asset, words: String) {
    for key in [Key.space, .enter] {
      var picker = TestPicker.open([asset] + .numbered(3))
      picker.press(key)
      #expect(picker.selected.isEmpty)
      #expect(picker.outcome == nil)
      #expect(picker.lastLine.contains(words))
    }
  }

  @Test func `Select-all skips photos that can't be picked`() {
    var picker = TestPicker.open([.broken("b")] + .numbered(3) + [.photo("a\nb")])
    picker.press(.character("a"))
    #expect(picker.selected == ["0", "1", "2"])
  }

  @Test func `Line breaks are allowed if the output format supports them`() {
    var picker = TestPicker.open([.photo("a\nb.jpg")]) { $0.acceptsLineBreaks = true }
    picker.press(.enter)
    #expect(picked(picker) == ["a\nb.jpg"])
  }

  @Test(arguments: [Key.escape, .character("q"), .control("c")])
  func `The picker can be left without a choice`(key: Key) {
    var picker = TestPicker.open()
    #expect(picker.press(.space, key, key).contains(.finish(.cancelled)))
  }

  @Test func `Esc closes what is open before it cancels`() {
    var picker = TestPicker.open()
    picker.press(.character("?"), .escape, .character("o"), .escape, .tab, .escape)
    #expect(picker.outcome == nil)
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
  }
}
