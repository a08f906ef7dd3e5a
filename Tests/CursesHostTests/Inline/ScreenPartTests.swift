import PickerUI
import Pixels
import Testing

@testable import CursesHost

/// A picker in a part of another program's screen.
@Suite struct ScreenPartTests {
  private let window = CellSize(columns: 100, rows: 40)

  private func part(_ rectangle: CellRect) -> ScreenPart {
    ScreenPart { _ in
      rectangle
    } redraw: { _ in
    }
  }

  private func place(_ rectangle: CellRect) -> ScreenPlace {
    let part = part(rectangle)
    return .part(part, part.place(in: window))
  }

  @Test(arguments: [
    (
      CellRect(column: 30, row: 5, columns: 60, rows: 30), CellRect(column: 30, row: 5, columns: 60, rows: 30)
    ),
    (
      CellRect(column: 30, row: 5, columns: 90, rows: 90), CellRect(column: 30, row: 5, columns: 70, rows: 35)
    ),
    (CellRect(column: 200, row: 90, columns: 5, rows: 5), CellRect(column: 99, row: 39, columns: 1, rows: 1)),
    (
      CellRect(column: 30, row: 5, columns: .max, rows: .max),
      CellRect(column: 30, row: 5, columns: 70, rows: 35)
    ),
    (CellRect(column: -4, row: -2, columns: 10, rows: 10), CellRect(column: 0, row: 0, columns: 6, rows: 8)),
  ])
  func `The part is within the window`(wanted: CellRect, placed: CellRect) {
    #expect(part(wanted).place(in: window) == placed)
  }

  @Test func `Output moves into the part, and the whole terminal stays as it is`() {
    let place = place(CellRect(column: 30, row: 5, columns: 60, rows: 30))
    #expect(place.size(in: window) == CellSize(columns: 60, rows: 30))
    func framed(_ text: String) -> String { String(decoding: place.framed(Array(text.utf8)), as: UTF8.self) }
    #expect(
      framed("\u{1B}[HA\u{1B}[2;3HB\u{1B}[4dC\u{1B}[7GD") == "\u{1B}[6;31HA\u{1B}[7;33HB\u{1B}[9dC\u{1B}[37GD"
    )
    #expect(framed("\u{1B}[?1049h\u{1B}[1;24r") == "")
    #expect(framed("\u{1B}_Ga=T;AAAA\u{1B}\\") == "\u{1B}_Ga=T;AAAA\u{1B}\\")
  }

  @Test func `Mouse places count from the corner of the part, and presses elsewhere are ignored`() {
    let place = place(CellRect(column: 30, row: 5, columns: 60, rows: 30))
    func event(_ row: Int, _ column: Int, _ action: MouseEvent.Action) -> [Int]? {
      place.event(MouseEvent(action, row: row, column: column)).map { [$0.row, $0.column] }
    }
    #expect(event(5, 30, .press) == [0, 0] && event(34, 89, .press) == [29, 59])
    #expect(event(4, 40, .press) == nil && event(10, 29, .press) == nil && event(10, 90, .wheelDown) == nil)
    #expect(event(0, 99, .drag) == [0, 59] && event(39, 0, .release) == [29, 0])
  }
}
