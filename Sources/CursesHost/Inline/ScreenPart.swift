package import Pixels
import PickerUI

/// A part of the screen of the program that shows the picker.
///
/// The program's own screen stays: the picker writes nothing outside of the part.
package struct ScreenPart {
  let rectangle: (CellSize) -> CellRect
  let redraw: (CellSize) -> Void

  /// - Parameters:
  ///   - rectangle: returns the picker's cells in a window of a size; asked at the start and whenever the window
  ///     has changed, on the thread of the run loop.
  ///   - redraw: draws the program's own part in a window of a size: after the window has changed, after other
  ///     programs used the terminal, and at the end. Called on the same thread.
  package init(rectangle: @escaping (CellSize) -> CellRect, redraw: @escaping (CellSize) -> Void) {
    self.rectangle = rectangle
    self.redraw = redraw
  }

  /// Returns the picker's cells in a window: at least one, and none outside.
  func place(in window: CellSize) -> CellRect {
    let wanted = rectangle(window)
    let column = max(0, min(wanted.column, window.columns - 1))
    let row = max(0, min(wanted.row, window.rows - 1))
    return CellRect(
      column: column, row: row,
      columns: max(1, min(Self.end(wanted.column, wanted.columns), window.columns) - column),
      rows: max(1, min(Self.end(wanted.row, wanted.rows), window.rows) - row))
  }

  /// A program may ask for all columns there are, as `Int.max`.
  private static func end(_ start: Int, _ count: Int) -> Int {
    let (end, isOverflow) = start.addingReportingOverflow(count)
    return isOverflow ? .max : end
  }
}

/// What the picker's screen is on the terminal: all of it, some rows, or a part of another program's screen.
enum ScreenPlace {
  case whole
  /// The rows of an inline picker.
  case rows(InlineRegion)
  /// A part of the program's screen, at these cells.
  case part(ScreenPart, CellRect)

  var part: ScreenPart? { if case .part(let part, _) = self { part } else { nil } }

  /// The rows of an inline picker; nil if it is not one.
  var region: InlineRegion? { if case .rows(let region) = self { region } else { nil } }

  /// Whether other text shares the screen.
  var isShared: Bool { if case .whole = self { false } else { true } }

  /// The size of the picker's screen in a window.
  func size(in window: CellSize) -> CellSize {
    switch self {
    case .whole: window
    case .rows(let region): CellSize(columns: window.columns, rows: region.rows)
    case .part(_, let rectangle): rectangle.size
    }
  }

  /// Converts output for the picker's screen to output for the window.
  func framed(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .whole: bytes
    case .rows(let region): region.framed(bytes)
    case .part(_, let rectangle): CellShift(top: rectangle.row, left: rectangle.column)(bytes)
    }
  }

  /// Converts the last output.
  func parting(_ bytes: [UInt8]) -> [UInt8] { region?.parting(bytes) ?? bytes }

  /// Converts a mouse event to the picker's screen; nil if it happened outside.
  ///
  /// A drag that leaves the screen ends at its edge.
  func event(_ event: MouseEvent) -> MouseEvent? {
    switch self {
    case .whole: return event
    case .rows(let region): return region.event(event)
    case .part(_, let rectangle):
      let isInside = rectangle.contains(row: event.row, column: event.column)
      var event = event
      event.row = max(0, min(event.row - rectangle.row, rectangle.rows - 1))
      event.column = max(0, min(event.column - rectangle.column, rectangle.columns - 1))
      return isInside || event.action == .drag || event.action == .release ? event : nil
    }
  }
}
