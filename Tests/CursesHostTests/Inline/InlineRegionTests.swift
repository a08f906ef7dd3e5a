import PickerUI
import Testing

@testable import CursesHost

/// The rows used by an inline picker, which leaves the rest of the screen unchanged.
@Suite struct InlineRegionTests {
  @Test(arguments: [
    ("15", 40, 15), ("15", 10, 10), ("1", 40, 6), ("1", 4, 4), ("40%", 40, 16), ("100%", 40, 40),
    ("1%", 40, 6),
    ("99999999", 40, 40), ("33%", 50, 16),
  ])
  func `Rows and fractions of the window are accepted`(text: String, window: Int, rows: Int) throws {
    #expect(InlineRegion(try #require(WindowPart(text)), in: window).rows == rows)
  }

  @Test(arguments: [
    "", "0", "0%", "101%", "-3", "+3", "4.5", "40 %", "%", "~40%", "x", "٣", "99999999999999999999",
  ])
  func `Other values are rejected`(text: String) {
    #expect(WindowPart(text) == nil)
  }

  private func region(_ rows: Int, at row: Int, in window: Int = 40) -> InlineRegion {
    var region = InlineRegion(.cells(rows), in: window)
    region.place(at: row, in: window)
    return region
  }

  @Test(arguments: [(0, 0), (20, 20), (30, 30), (31, 30), (39, 30), (60, 30)])
  func `Without room below the cursor the region is at the bottom`(row: Int, top: Int) {
    #expect(region(10, at: row).clearing == Array("\u{1B}[\(top + 1);1H\u{1B}[J".utf8))
  }

  @Test func `Between writes the cursor is in the first row`() {
    let region = region(10, at: 5)
    #expect(region.framed([]).isEmpty)
    #expect(region.framed(Array("\u{1B}[2;2Hx".utf8)) == Array("\u{1B}8\u{1B}[7;2Hx\u{1B}7\u{1B}[6;1H".utf8))
    #expect(region.makingRoom == Array("\r\(String(repeating: "\n", count: 9))\u{1B}[9A".utf8))
  }

  @Test func `Mouse rows count from the first row, and presses elsewhere are ignored`() {
    let region = region(10, at: 5)
    func row(_ row: Int, _ action: MouseEvent.Action) -> Int? {
      region.event(MouseEvent(action, row: row, column: 3))?.row
    }
    #expect(row(5, .press) == 0 && row(14, .press) == 9)
    #expect(row(4, .press) == nil && row(15, .press) == nil && row(15, .wheelDown) == nil)
    #expect(row(4, .drag) == 0 && row(30, .release) == 9)
  }
}
