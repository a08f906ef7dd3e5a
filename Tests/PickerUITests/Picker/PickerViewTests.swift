import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PickerViewTests {
  @Test func `Thumbnails stand in their boxes with the names under them`() {
    var picker = TestPicker.open(.numbered(3))
    picker.makeDemanded()
    let geometry = picker.state.layout.cells
    let thumbnails = picker.frame.slots.filter { $0.key.mode == .aspectFill }
    #expect(thumbnails.map(\.rect) == (0..<3).map(geometry.box(at:)))
    let caption = picker.lines[geometry.box(at: 0).endRow]
    for name in 0..<3 { #expect(caption.contains(" \(name) ")) }
  }

  @Test func `The cursor and the picks can be told apart without colours`() {
    var picker = TestPicker.open(.numbered(4))
    picker.press(.right, .space, .right)
    let caption = picker.lines[picker.state.layout.cells.box(at: 0).endRow]
    #expect(caption.contains("①"))
    #expect(caption.contains("▌"))
    #expect(caption.contains("▐"))
  }

  @Test(arguments: [(1, "①"), (20, "⑳"), (21, "(21)"), (0, "(0)")])
  func `Numbers stand in circles as far as there are any`(number: Int, mark: String) {
    #expect(Symbols.unicode.mark(number) == mark)
  }

  @Test func `A file that can't be shown says why in its place`() {
    let picker = TestPicker.open([.broken("IMG_1.JPG", because: "the file is empty")])
    #expect(picker.shows("✕"))
    #expect(picker.shows("IMG_1.JPG can't be shown:"))
    #expect(picker.shows("the file is empty"))
  }

  @Test func `An empty grid says why`() {
    #expect(TestPicker.open([]).shows("No photos here"))
    let filtered = TestPicker.open { $0.configuration.filter = .matching(.videos) }
    #expect(filtered.shows("Nothing here matches “videos only”"))
    var reading = TestPicker([])
    reading.isComplete = false
    reading.send(.authorization(.authorized))
    #expect(reading.shows("Reading the library…"))
    reading.answerFetch()
    #expect(reading.shows("Reading the library…"))
  }

  @Test func `The last line counts picks and says where one is`() {
    var picker = TestPicker.open(.numbered(1500), limit: 3)
    #expect(picker.lastLine.contains("0 of 3 selected · 1/1,500"))
    picker.press(.space, .right)
    #expect(picker.lastLine.contains("1 of 3 selected · 2.0 MB · 2/1,500"))
    #expect(picker.lastLine.contains("use 1"))
  }

  @Test func `A screen that is too small says so and keys still work`() {
    var picker = TestPicker.open(size: CellSize(columns: 19, rows: 5))
    #expect(picker.shows("tpick needs 20×6"))
    picker.press(.space, .enter)
    #expect(picker.outcome == .picked([.photo("0", day: 30)]))
  }

  @Test func `Names can't act on the terminal`() {
    let picker = TestPicker.open([.photo("a\u{1B}[2Jb\u{202E}\n.jpg")])
    for line in picker.lines {
      #expect(!line.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
    }
    #expect(picker.shows("a␛[2Jb\u{FFFD}␊.jpg"))
  }

  @Test func `Help and prompts take the pictures under them back`() {
    var picker = TestPicker.open(.numbered(100))
    picker.makeDemanded()
    let before = picker.frame.slots.count
    picker.press(.character("?"))
    let slots = picker.frame.slots
    #expect(slots.count < before)
    picker.press(.character("?"))
    #expect(picker.frame.slots.count == before)
  }

  @Test func `In full screen there is one picture`() throws {
    var picker = TestPicker.open(.numbered(10))
    picker.press(.character("o"))
    picker.makeDemanded()
    let slot = try #require(picker.frame.slots.first)
    #expect(picker.frame.slots.count == 1)
    #expect(slot.rect == CellRect(column: 0, row: 0, columns: 120, rows: 38))
    picker.press(.down)
    #expect(picker.state.grid.cursor == 1)
  }

  @Test func `p shows and hides the preview, also where there is room for one pane only`() {
    for columns in [60, 80, 120] {
      var picker = TestPicker.open(size: CellSize(columns: columns, rows: 20))
      let before = picker.state.layout.preview != nil
      #expect(before == (columns > 75))
      picker.press(.character("p"))
      #expect((picker.state.layout.preview != nil) != before)
      picker.press(.character("p"))
      #expect((picker.state.layout.preview != nil) == before)
    }
  }

  @Test func `The sidebar lists the albums, and the grid follows its cursor`() {
    var picker = TestPicker.open()
    #expect(picker.shows("Lisbon"))
    picker.press(.tab, .down)
    picker.answerFetch()
    #expect(picker.lines.first?.contains("Lisbon") == true)
    #expect(picker.state.library.assets.count == 15)
    picker.press(.enter, .right, .space)
    #expect(picker.selected == ["1"])
  }
}
