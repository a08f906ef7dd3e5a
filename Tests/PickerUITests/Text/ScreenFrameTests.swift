import Pixels
import Testing

@testable import PickerUI

/// The contents of the cells of a frame.
@Suite struct ScreenFrameTests {
  @Test(arguments: [(0, "x 本"), (1, " x本"), (2, "日x "), (3, "日 x")])
  func `A wide character that is cut in half becomes a blank`(column: Int, text: String) {
    for row in 0...1 {
      var frame = ScreenFrame(size: CellSize(columns: 4, rows: 2))
      frame.put("日本", row: row, column: 0)
      frame.put("x", row: row, column: column)
      #expect(frame.text(row: row) == text)
      #expect(frame.text(row: 1 - row) == "    ")
    }
  }

  @Test(arguments: 1...8)
  func `A box keeps its corners and stays within the screen at any height`(rows: Int) {
    let box = OverlayBox(
      title: "Help", footer: "Esc", width: 10, height: 1, screen: CellSize(columns: 40, rows: rows))
    var frame = ScreenFrame(size: CellSize(columns: 40, rows: rows))
    frame.draw(box)
    let lines = (0..<rows).map { frame.text(row: $0).filter { $0 != " " } }
    let (top, bottom) = (box.outer.row, box.outer.endRow - 1)
    #expect(
      lines.enumerated().allSatisfy { row, line in box.outer.row..<box.outer.endRow ~= row || line.isEmpty })
    guard bottom > top + 1 else { return }
    #expect(lines[top].hasPrefix("╭") && lines[top].hasSuffix("╮") && lines[top].contains("Help"))
    #expect(lines[bottom].hasPrefix("╰") && lines[bottom].hasSuffix("╯"))
    #expect(lines[top + 1..<bottom].allSatisfy { $0.hasPrefix("│") && $0.hasSuffix("│") })
  }
}
