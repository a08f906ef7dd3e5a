import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The marks of picks and cursor, and the text in the gaps between tiles.
@Suite struct TileFrameTests {
  /// Photos of one day each, some side by side.
  private func open(limit: Int = 0) -> TestPicker {
    var picker = TestPicker.open(.numbered(30), limit: limit, size: CellSize(columns: 120, rows: 40))
    picker.makeDemanded()
    return picker
  }

  /// The cells of the grid outside all tiles.
  private func gaps(_ picker: TestPicker) -> [FrameCell] {
    let (frame, tiles) = (picker.frame, picker.tiles.map(\.rectangle))
    let start = picker.sidebarWidth ?? 0
    let end = tiles.map(\.endColumn).max() ?? 0
    return (1..<frame.size.rows - 1).flatMap { row in
      let cells = Array(frame.row(row))
      return (start...end).compactMap { column in
        tiles.contains { $0.contains(row: row, column: column) } ? nil : cells[column]
      }
    }
  }

  private func slot(_ index: Int, _ picker: TestPicker) -> PictureSlot? {
    let box = picker.tiles[index].rectangle
    return picker.frame.slots.first { $0.rect == box }
  }

  @Test func `A pick has its frame inside its own picture, and nothing in the gaps`() throws {
    var picker = open()
    let before = gaps(picker)
    picker.press(.space)
    #expect(gaps(picker) == before)
    // The old picture stays until the one with the frame arrives.
    #expect(try #require(slot(0, picker)).key.isPicked == false)
    picker.makeDemanded()
    #expect(try #require(slot(0, picker)).key.isPicked)
    #expect(try #require(slot(1, picker)).key.isPicked == false)
    picker.press(.space)
    #expect(try #require(slot(0, picker)).key.isPicked == false)
    #expect(gaps(picker) == before)
  }

  @Test(arguments: [1, 3, 40])
  func `Any number of picks leaves day labels uncovered and the cursor visible`(count: Int) {
    var picker = TestPicker.open(.numbered(60), size: CellSize(columns: 120, rows: 40))
    let boxes = picker.tiles.map(\.rectangle)
    let day = { (picker: TestPicker, index: Int) in
      let box = boxes[index]
      return String(picker.lines[box.row - 1].dropFirst(box.column).prefix(box.columns))
    }
    let visible = picker.columns * picker.wholeRows
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
    let box = picker.tiles[0].rectangle
    let rows = (box.row..<box.endRow).map {
      String(picker.lines[$0].dropFirst(box.column).prefix(box.columns))
    }
    #expect(rows.first?.hasPrefix("┏") == true && rows.first?.hasSuffix("┓") == true)
    #expect(rows.dropFirst().dropLast().allSatisfy { $0.hasPrefix("┃") && $0.hasSuffix("┃") })
  }

  @Test func `There is one cursor`() {
    var picker = open()
    picker.press(.space, .right, .space, .character("r"))
    #expect(picker.stripHasFocus)
    let text = (0..<30).map { picker.frame.text(row: $0).prefix(80) }.joined()
    #expect(!text.contains("╭") && !text.contains("│"))
  }

  @Test(arguments: 40...220)
  func `All gaps between columns are equal, and the rest goes into the margins`(width: Int) {
    let picker = TestPicker.open(size: CellSize(columns: width, rows: 40))
    let tiles = picker.tiles
    let boxes = tiles.prefix(picker.columns).map(\.rectangle)
    let gaps = Set(zip(boxes, boxes.dropFirst()).map { $1.column - $0.endColumn })
    #expect(gaps.count <= 1 && gaps.allSatisfy { 1...2 ~= $0 })
    guard let first = boxes.first, let last = boxes.last else { return }
    let (start, end) = GridTests.area(of: picker)
    let (left, right) = (first.column - start, end - last.endColumn)
    // The four columns of the years beside the scroll bar, where there are years, are room at the right, too.
    #expect(left >= 0 && right >= 0 && -4...1 ~= right - left, "\(left) \(right)")
    // A click in a gap hits no tile.
    for box in Set([boxes.dropFirst().first ?? last, last]) where box != first {
      var clicked = picker
      clicked.mouse(.press, row: box.row, column: box.endColumn)
      #expect(clicked.isFramed(first, .cursor, in: clicked.frame))
      clicked.mouse(.press, row: box.row, column: box.column)
      #expect(clicked.isFramed(box, .cursor, in: clicked.frame))
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
      let box = picker.tiles[0].rectangle
      return String(picker.lines[box.endRow - 1].dropFirst(box.column).prefix(box.columns))
    }
    picker.press(.character("b"))
    picker.send(.burst("b", members))
    #expect(picker.cursor == "m1")
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
