import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct StripTests {
  private func open(limit: Int = 0, columns: Int = 120, rows: Int = 40) -> TestPicker {
    .open(.numbered(300), limit: limit, size: CellSize(columns: columns, rows: rows)) {
      $0.configuration.sort = .name
    }
  }

  /// The pictures of the picks that are in sight, in reading order.
  private func shown(_ picker: TestPicker) -> [String] {
    guard let area = picker.state.layout.strip.area else { return [] }
    return picker.frame.slots.filter { area.intersects($0.rect) }.map(\.key.asset.rawValue)
  }

  @Test func `The picks stand below the preview, and the first one moves nothing`() throws {
    var picker = open()
    picker.makeDemanded()
    let (cells, key) = (picker.state.layout.cells, picker.state.previewKey(in: picker.state.layout))
    #expect(picker.state.layout.strip.area == nil)
    picker.press(.space)
    picker.makeDemanded()
    let area = try #require(picker.state.layout.strip.area)
    let preview = try #require(picker.state.layout.preview)
    #expect(preview.intersects(area) && area.endRow == preview.endRow && picker.state.layout.cells == cells)
    #expect(
      picker.state.current.flatMap { key?($0) }
        == picker.state.current.flatMap {
          picker.state.previewKey(in: picker.state.layout)?($0)
        })
    #expect(shown(picker) == ["0"])
    picker.press(.space)
    #expect(picker.state.layout.strip.area == nil)
  }

  @Test func `Where one photo is chosen there is no strip, nor room for it`() {
    var picker = open(limit: 1)
    picker.press(.space)
    #expect(picker.state.layout.strip == StripLayout())
  }

  @Test func `Many picks wrap, the last ones are in sight, and the cursor scrolls through all`() {
    var picker = open(columns: 200, rows: 60)
    picker.press(.character("v"))
    for _ in 0..<127 { picker.press(.right) }
    picker.press(.character("v"))
    picker.makeDemanded()
    #expect(picker.selected.count == 128)
    let cells = picker.state.layout.strip.cells
    #expect(cells.columns > 3 && cells.rows >= 2)
    #expect(shown(picker).last == "127")
    picker.press(.character("r"), .home)
    var seen: Set<String> = []
    for _ in 0..<128 {
      picker.makeDemanded()
      let shown = shown(picker)
      #expect(shown.contains(picker.state.current?.id.rawValue ?? ""))
      seen.formUnion(shown)
      picker.press(.right)
    }
    #expect(seen.count == 128)
    picker.press(.home, .down)
    #expect(picker.state.picks.stripCursor == cells.columns)
    picker.press(.up)
    #expect(picker.state.picks.stripCursor == 0)
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func `In a strip of one row Up and Down lead to the neighbors`(columns: Int, rows: Int) throws {
    var picker = open(columns: columns, rows: rows)
    for _ in 0..<3 { picker.press(.space, .right) }
    picker.press(.character("r"), .home)
    try #require(picker.state.layout.strip.cells.rows == 1)
    picker.press(.down)
    #expect(picker.state.picks.stripCursor == 1)
    picker.press(.down, .down)
    #expect(picker.state.picks.stripCursor == 2)
    picker.press(.up)
    #expect(picker.state.picks.stripCursor == 1)
  }

  @Test func `Without a preview beside the grid the strip opens below it`() throws {
    for (columns, rows) in [(80, 24), (60, 16), (38, 9)] {
      var picker = open(columns: columns, rows: rows)
      picker.press(.space, .right, .space)
      #expect(picker.state.layout.strip.area == nil)
      picker.press(.character("r"))
      picker.makeDemanded()
      let area = try #require(picker.state.layout.strip.area)
      #expect(!area.isEmpty && picker.state.input.focus == .strip)
      #expect(shown(picker) == ["0", "1"], "\(columns)x\(rows)")
      #expect(picker.state.layout.cells.count > 0)
    }
  }
}
