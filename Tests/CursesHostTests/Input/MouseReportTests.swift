import PickerRuntime
import PickerUI
import Pixels
import Testing

@testable import CursesHost

/// Mouse reports in SGR form: button and modifiers, column and row from 1, press or release.
@Suite struct MouseReportTests {
  private func events(_ report: String) -> [TerminalEvent] {
    var decoder = KeyDecoder()
    return decoder.feed(Array("\u{1B}[<\(report)".utf8))
  }

  @Test(
    arguments: [
      ("0;3;5M", .press), ("0;3;5m", .release), ("2;3;5M", .rightPress), ("32;3;5M", .drag),
      ("64;3;5M", .wheelUp), ("65;3;5M", .wheelDown), ("35;3;5M", .motion), ("39;3;5M", .motion),
      ("291;3;5M", .leave), ("288;3;5M", .leave),
    ] as [(String, MouseEvent.Action)])
  func `Each button has its event, with the cell counted from 0`(report: String, action: MouseEvent.Action) {
    #expect(events(report) == [.mouse(MouseEvent(action, row: 4, column: 2, isControl: false))])
  }

  @Test(arguments: [(0, false), (4, false), (8, false), (12, false), (16, true), (28, true)])
  func `Of the modifiers only Control counts`(modifiers: Int, isControl: Bool) {
    let expected = TerminalEvent.mouse(MouseEvent(.press, row: 0, column: 0, isControl: isControl))
    #expect(events("\(modifiers);1;1M") == [expected])
  }

  @Test(
    arguments: [
      // Pixels from 1, row and column, place in the cell in pixels.
      ("1;1", 0, 0, 0, 0), ("10;20", 0, 0, 9, 19), ("11;21", 1, 1, 0, 0), ("47;133", 6, 4, 6, 12),
      ("65536;1", 0, 6553, 5, 0),
    ] as [(String, Int, Int, Double, Double)])
  func `Pixels are a cell and a place in it`(pixels: String, row: Int, column: Int, x: Double, y: Double) {
    guard case .mouse(let event)? = events("0;\(pixels)M").first else {
      Issue.record("no mouse event")
      return
    }
    let found = event.inCells(of: PixelSize(width: 10, height: 20))
    #expect(found.row == row && found.column == column)
    #expect(abs(found.x - (x + 0.5) / 10) < 1e-9 && abs(found.y - (y + 0.5) / 20) < 1e-9)
    #expect(event.inCells(of: PixelSize(width: 0, height: 0)) == event)
  }

  @Test func `Cell numbers are never negative`() {
    #expect(events("0;0;0M") == [.mouse(MouseEvent(.press, row: 0, column: 0, isControl: false))])
  }

  @Test(arguments: [
    "1;3;5M", "2;3;5m", "33;3;5M", "128;3;5M", "256;3;5M", "66;3;5M", "96;3;5M", "0;3M", "0;3;5;7M", "0;3;5x",
  ])
  func `Other mouse reports are ignored`(report: String) {
    #expect(events(report).isEmpty == true)
  }
}
