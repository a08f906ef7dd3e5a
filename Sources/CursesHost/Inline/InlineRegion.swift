import PickerUI
import Pixels

/// The rows of the terminal that an inline picker uses, leaving the rest of the screen as it is.
///
/// Between writes the cursor stays at the start of the first row: when the window changes, the terminal moves
/// the cursor along with the text, and reports its position. The terminal remembers the cursor's previous
/// position (DECSC).
struct InlineRegion: Hashable, Sendable {
  private let height: WindowPart
  private(set) var rows: Int
  private var shift = CellShift(top: 0)

  /// - Parameters:
  ///   - height: requested part of the window.
  ///   - window: rows of the window.
  init(_ height: WindowPart, in window: Int) {
    self.height = height
    rows = Self.rows(height, in: window)
  }

  private static func rows(_ height: WindowPart, in window: Int) -> Int {
    height.cells(of: window, least: Picker.minimumSize.rows)
  }

  /// Adopts a new number of window rows; the region must be placed again.
  mutating func resize(in window: Int) { rows = Self.rows(height, in: window) }

  /// Sets the first row after room was made at the cursor.
  /// - Parameter row: the row of the cursor, from 0. If the region does not fit below it, the terminal has
  ///   scrolled,
  ///   and the region has the last rows of the window.
  mutating func place(at row: Int, in window: Int) {
    shift.top = max(0, min(row, window - rows))
  }

  /// Sequence that makes room below the cursor's row and leaves the cursor in the first row.
  var makingRoom: [UInt8] {
    Array("\r".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: rows - 1)
      + (rows > 1 ? Array("\u{1B}[\(rows - 1)A".utf8) : [])
  }

  /// Sequence that clears the rows and leaves the cursor in the first of them.
  var clearing: [UInt8] { shift.clearing }

  private static let saving = Array("\u{1B}7".utf8)
  private static let restoring = Array("\u{1B}8".utf8)

  /// Sequence that starts the first write after the region was placed.
  var beginning: [UInt8] { clearing + Self.saving }

  /// Converts output for a screen of the region's size to output for the window.
  func framed(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : Self.restoring + shift(bytes) + Self.saving + shift.home
  }

  /// Converts the last output.
  func parting(_ bytes: [UInt8]) -> [UInt8] { Self.restoring + shift(bytes) + clearing }

  /// Converts a mouse event to the region; nil if it happened outside.
  ///
  /// A drag that leaves the region ends at its edge.
  func event(_ event: MouseEvent) -> MouseEvent? {
    var event = event
    let row = event.row - shift.top
    event.row = max(0, min(row, rows - 1))
    let mayLeave = event.action == .drag || event.action == .release
    return event.row == row || mayLeave ? event : nil
  }
}

/// The part of the window's rows or columns that a picker uses.
package enum WindowPart: Hashable, Sendable {
  case cells(Int)
  /// Of the window's rows or columns.
  case percent(Int)

  /// Parses "15" as rows or columns and "40%" as a part of the window.
  /// - Returns: nil for anything else, and for zero.
  package init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits),
      number > 0, !isPercent || number <= 100
    else { return nil }
    self = isPercent ? .percent(number) : .cells(number)
  }

  /// Returns the number of rows or columns in a window: no more than it has, and no fewer than a picker needs, if
  /// available.
  func cells(of window: Int, least: Int) -> Int {
    let cells =
      switch self {
      case .cells(let count): count
      case .percent(let part): window * part / 100
      }
    return min(max(cells, least), window)
  }
}
