import PickerUI
import Pixels

/// The rows of the terminal that a picker takes which leaves the rest of the screen as it is.
///
/// Between writes the cursor stands at the beginning of the first row: when the window changes, the terminal moves the
/// cursor along with the text, and tells where it is. Where the cursor stood before, the terminal remembers (DECSC).
struct InlineRegion: Hashable, Sendable {
  private let height: InlineHeight
  private(set) var rows: Int
  private var shift = RowShift(top: 0)

  /// - Parameters:
  ///   - height: how much of the window is asked for.
  ///   - window: the rows of the window.
  init(_ height: InlineHeight, in window: Int) {
    self.height = height
    rows = Self.rows(height, in: window)
  }

  private static func rows(_ height: InlineHeight, in window: Int) -> Int {
    height.rows(of: window, least: PickerState.leastRows)
  }

  /// The window has so many rows now: the region has to be placed again.
  mutating func resize(in window: Int) { rows = Self.rows(height, in: window) }

  /// The first row is where the cursor was before there was room for the others, from 0: what does not fit below
  /// it has scrolled up.
  mutating func place(at row: Int, in window: Int) {
    shift.top = max(0, min(row, window - rows))
  }

  /// Makes room below the row of the cursor, which then stands in the first row.
  var makingRoom: [UInt8] {
    Array("\r".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: rows - 1)
      + (rows > 1 ? Array("\u{1B}[\(rows - 1)A".utf8) : [])
  }

  /// Clears the rows and leaves the cursor in the first of them.
  var clearing: [UInt8] { shift.clearing }

  private static let saving = Array("\u{1B}7".utf8)
  private static let restoring = Array("\u{1B}8".utf8)

  /// What begins the first write after the region was placed.
  var beginning: [UInt8] { clearing + Self.saving }

  /// What is sent for some bytes that are meant for a screen of the region's size.
  func framed(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : Self.restoring + shift(bytes) + Self.saving + shift.home
  }

  /// What is sent for the last of them.
  func parting(_ bytes: [UInt8]) -> [UInt8] { Self.restoring + shift(bytes) + clearing }

  /// A mouse event as the region has it; nil where it happened outside.
  ///
  /// Whoever drags may go further: that ends at the edge.
  func event(_ event: MouseEvent) -> MouseEvent? {
    var event = event
    let row = event.row - shift.top
    event.row = max(0, min(row, rows - 1))
    let mayLeave = event.action == .drag || event.action == .release
    return event.row == row || mayLeave ? event : nil
  }
}
