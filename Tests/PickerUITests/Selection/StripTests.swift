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

  /// Picks the first photos.
  private func pick(_ count: Int, _ picker: inout TestPicker) {
    picker.press(.character("v"))
    for _ in 1..<count { picker.press(.right) }
    picker.press(.character("v"))
    picker.makeDemanded()
  }

  @Test func `Twelve picks use the height that the preview leaves`() throws {
    var picker = open()
    pick(3, &picker)
    let few = picker.state.layout.strip
    #expect(few.cells.rows == 1)
    picker = open()
    pick(12, &picker)
    #expect(picker.state.layout.strip.cells.rows > 1 && shown(picker).count >= 6)
    let preview = try #require(picker.state.previewBox(in: picker.state.layout))
    #expect(preview.rows >= 12)
    // Below the grid too.
    var narrow = open(columns: 90, rows: 40)
    pick(20, &narrow)
    narrow.press(.character("r"))
    narrow.makeDemanded()
    #expect(narrow.state.layout.strip.cells.rows > 1 && shown(narrow).count > 9)
    #expect(narrow.state.layout.cells.wholeRows > 0)
  }

  @Test(arguments: [false, true])
  func `The wheel scrolls through all picks, row by row`(isReviewing: Bool) throws {
    var picker = open()
    pick(60, &picker)
    if isReviewing { picker.press(.character("r")) }
    let area = try #require(picker.state.layout.strip.area)
    let turn = { (picker: inout TestPicker, action: MouseEvent.Action) in
      picker.send(.mouse(MouseEvent(action, row: area.row + 2, column: area.column + 2)))
      picker.makeDemanded()
    }
    #expect(shown(picker).last == "59")
    var seen = Set(shown(picker))
    for _ in 0..<20 {
      turn(&picker, .wheelUp)
      seen.formUnion(shown(picker))
      if isReviewing { #expect(shown(picker).contains(picker.state.current?.id.rawValue ?? "")) }
    }
    #expect(seen.count == 60 && shown(picker).first == "0")
    turn(&picker, .wheelDown)
    #expect(shown(picker).first == "\(picker.state.layout.strip.cells.columns)")
  }

  @Test func `Picks change places by dragging, and by J and K`() throws {
    var picker = open()
    pick(3, &picker)
    let cells = picker.state.layout.strip.cells
    let event = { (action: MouseEvent.Action, index: Int) in
      PickerMessage.mouse(
        MouseEvent(action, row: cells.box(at: index).row + 1, column: cells.box(at: index).column + 1))
    }
    picker.send(event(.press, 0))
    picker.send(event(.drag, 1))
    #expect(picker.selected == ["1", "0", "2"])
    picker.send(event(.drag, 2))
    picker.send(event(.release, 2))
    #expect(picker.selected == ["1", "2", "0"] && picker.state.picks.stripCursor == 2)
    picker.send(event(.drag, 0))
    #expect(picker.selected == ["1", "2", "0"])
    picker.press(.character("K"))
    #expect(picker.selected == ["1", "0", "2"])
    picker.press(.character("J"))
    #expect(picker.selected == ["1", "2", "0"])
  }

  @Test func `Where the order does not count, dragging leaves it`() throws {
    var picker = TestPicker.open(.numbered(30)) { $0.configuration.selection = .default }
    try #require(!picker.state.options.configuration.selection.isOrdered)
    pick(3, &picker)
    let cells = picker.state.layout.strip.cells
    for (action, index) in [(MouseEvent.Action.press, 0), (.drag, 2), (.release, 2)] {
      let box = cells.box(at: index)
      picker.send(.mouse(MouseEvent(action, row: box.row + 1, column: box.column + 1)))
    }
    #expect(picker.selected == ["0", "1", "2"])
  }

  @Test func `The title says what is being chosen`() {
    var picker = open()
    pick(2, &picker)
    #expect(picker.shows("Picks, in this order"))
    var limited = TestPicker.open(status: .limited, allowed: [LocalIdentifier("2")])
    limited.press(.character("m"))
    limited.answerFetch()
    limited.press(.character("r"))
    #expect(limited.state.stripTitle == "Photos that tpick may see")
    #expect(!limited.shows("Picks, in this order"))
  }
}
