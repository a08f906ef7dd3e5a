import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The frames of picks and of the cursor, and the words in the same gaps.
@Suite struct TileFrameTests {
  /// Photos of a day each, five beside each other.
  private func open() -> TestPicker { TestPicker.open(.numbered(30), size: CellSize(columns: 120, rows: 40)) }

  /// The cells of the rows and columns around a tile.
  private func edge(of box: CellRect, _ picker: TestPicker) -> [FrameCell] {
    let frame = picker.frame
    let rows = [box.row - 1, box.endRow].flatMap { row in
      (box.column..<box.endColumn).map { Array(frame.row(row))[$0] }
    }
    let columns = (box.row..<box.endRow).flatMap { row in
      [box.column - 1, box.endColumn].map { Array(frame.row(row))[$0] }
    }
    return rows + columns
  }

  private func box(_ index: Int, _ picker: TestPicker) -> CellRect {
    picker.state.layout.cells.box(at: index)
  }

  private let ofPick: Set<TextStyle> = [.pickFrame, .pickNumber]

  @Test func `The frame of a pick is whole, whatever words and cursors are beside it`() {
    var picker = open()
    picker.press(.right, .space)
    let columns = picker.state.layout.cells.columns
    #expect(edge(of: box(1, picker), picker).allSatisfy { ofPick.contains($0.style) })
    // The cursor goes round it.
    for key in [Key.right, .down, .left, .left, .up] {
      picker.press(key)
      #expect(edge(of: box(1, picker), picker).allSatisfy { ofPick.contains($0.style) })
    }
    #expect(columns >= 3)
  }

  @Test func `The cursor is seen between picks`() {
    var picker = open()
    picker.press(.character("a"), .right, .down)
    let columns = picker.state.layout.cells.columns
    let own = edge(of: box(columns + 1, picker), picker)
    #expect(own.allSatisfy { $0.style == .pickNumber || $0.style == .cursor })
    // No other has lines all around.
    #expect(edge(of: box(columns + 3, picker), picker).contains { $0.style == .pickFrame })
  }

  @Test func `There is one cursor`() {
    var picker = open()
    picker.press(.space, .right, .space, .character("r"))
    #expect(picker.state.input.focus == .strip)
    let text = (0..<30).map { picker.frame.text(row: $0).prefix(80) }.joined()
    #expect(!text.contains("╔") && !text.contains("║"))
  }
}
