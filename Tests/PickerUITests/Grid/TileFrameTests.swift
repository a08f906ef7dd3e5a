import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The marks of picks and of the cursor, and the words in the gaps between tiles.
@Suite struct TileFrameTests {
  /// Photos of a day each, some beside each other.
  private func open(limit: Int = 0) -> TestPicker {
    var picker = TestPicker.open(.numbered(30), limit: limit, size: CellSize(columns: 120, rows: 40))
    picker.makeDemanded()
    return picker
  }

  /// The cells of the grid that belong to no tile.
  private func gaps(_ picker: TestPicker) -> [FrameCell] {
    let (frame, cells) = (picker.frame, picker.state.layout.cells)
    let area = cells.area
    return (area.row..<area.endRow).flatMap { row in
      (area.column..<area.endColumn).compactMap { column in
        cells.place(row: row, column: column) == nil ? Array(frame.row(row))[column] : nil
      }
    }
  }

  private func slot(_ index: Int, _ picker: TestPicker) -> PictureSlot? {
    picker.frame.slots.first { $0.rect == picker.state.layout.cells.box(at: index) }
  }

  @Test func `A pick has its frame in its own picture, and nothing in the gaps`() throws {
    var picker = open()
    let before = gaps(picker)
    picker.press(.space)
    #expect(gaps(picker) == before)
    // The picture stays until the one with the frame is there.
    #expect(try #require(slot(0, picker)).key.isPicked == false)
    picker.makeDemanded()
    #expect(try #require(slot(0, picker)).key.isPicked)
    #expect(try #require(slot(1, picker)).key.isPicked == false)
    picker.press(.space)
    #expect(try #require(slot(0, picker)).key.isPicked == false)
    #expect(gaps(picker) == before)
  }

  @Test(arguments: [1, 3, 40])
  func `However many are picked, no day's label is covered and the cursor is seen`(count: Int) {
    var picker = TestPicker.open(.numbered(60), size: CellSize(columns: 120, rows: 40))
    let day = { (picker: TestPicker, index: Int) in
      let box = picker.state.layout.cells.box(at: index)
      return String(picker.lines[box.row - 1].dropFirst(box.column).prefix(box.columns))
    }
    let visible = picker.state.layout.cells.columns * picker.state.layout.cells.wholeRows
    let labels = (0..<visible).map { day(picker, $0).prefix(3) }
    picker.press(.character("v"))
    for _ in 1..<count { picker.press(.right) }
    picker.press(.character("v"), .home, .right, .down)
    picker.makeDemanded()
    #expect(picker.selected.count == count)
    #expect((0..<visible).map { day(picker, $0).prefix(3) } == labels)
    let corners = picker.lines.joined().count { $0 == "╭" }
    #expect(corners == 1)
  }

  @Test func `A pick without a picture has its frame inside its tile`() {
    var picker = TestPicker.open(.numbered(30))
    picker.press(.space)
    let box = picker.state.layout.cells.box(at: 0)
    let rows = (box.row..<box.endRow).map {
      String(picker.lines[$0].dropFirst(box.column).prefix(box.columns))
    }
    #expect(rows.first?.hasPrefix("┏") == true && rows.first?.hasSuffix("┓") == true)
    #expect(rows.dropFirst().dropLast().allSatisfy { $0.hasPrefix("┃") && $0.hasSuffix("┃") })
  }

  @Test func `There is one cursor`() {
    var picker = open()
    picker.press(.space, .right, .space, .character("r"))
    #expect(picker.state.input.focus == .strip)
    let text = (0..<30).map { picker.frame.text(row: $0).prefix(80) }.joined()
    #expect(!text.contains("╭") && !text.contains("│"))
  }

  @Test(arguments: 40...220)
  func `All gaps between columns are equal, and the rest goes into the margins`(width: Int) {
    let picker = TestPicker.open(size: CellSize(columns: width, rows: 40))
    let cells = picker.state.layout.cells
    let boxes = (0..<cells.columns).map { cells.box(at: $0) }
    let gaps = Set(zip(boxes, boxes.dropFirst()).map { $1.column - $0.endColumn })
    #expect(gaps.count <= 1 && gaps.allSatisfy { 1...2 ~= $0 })
    guard let first = boxes.first, let last = boxes.last else { return }
    let (left, right) = (first.column - cells.area.column, cells.area.endColumn - last.endColumn)
    #expect(left >= 0 && 0...1 ~= right - left)
    for (index, box) in boxes.enumerated() {
      #expect(cells.place(row: box.row, column: box.column)?.index == index)
      #expect(cells.place(row: box.row, column: box.endColumn) == nil)
    }
  }

  @Test func `A pick inside a burst marks the burst's tile`() throws {
    let members = (0..<8).map { number -> Asset in
      var asset = Asset.photo("m\(number)", day: 50)
      asset.burstIdentifier = "b"
      asset.representsBurst = number == 0
      return asset
    }
    var picker = TestPicker.open([members[0], .photo("other", day: 40)])
    picker.send(.burstCounts(["b": 8]))
    picker.makeDemanded()
    let tile = { (picker: TestPicker) in
      let box = picker.state.layout.cells.box(at: 0)
      return String(picker.lines[box.endRow - 1].dropFirst(box.column).prefix(box.columns))
    }
    picker.press(.character("b"))
    picker.send(.burst("b", members))
    #expect(picker.state.current?.id == members[1].id)
    picker.press(.space, .escape)
    picker.makeDemanded()
    #expect(picker.selected == ["m1"] && tile(picker).contains(" 1 of 8 "))
    #expect(try #require(slot(0, picker)).key.isPicked)
    #expect(try #require(slot(1, picker)).key.isPicked == false)
    picker.press(.space)
    #expect(tile(picker).contains(" 2 of 8 "))
    picker.press(.space)
    #expect(tile(picker).contains(" 1 of 8 "))
    picker.press(.character("u"))
    picker.makeDemanded()
    #expect(!tile(picker).contains("of 8"))
    #expect(try #require(slot(0, picker)).key.isPicked == false)
    picker.press(.space)
    #expect(tile(picker).contains(" 1 ") && !tile(picker).contains("of 8"))
  }
}
