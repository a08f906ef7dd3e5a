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
  private var shift = RowShift(top: 0)

  /// - Parameters:
  ///   - height: requested part of the window.
  ///   - window: rows of the window.
  init(_ height: WindowPart, in window: Int) {
    self.height = height
    rows = Self.rows(height, in: window)
  }

  private static func rows(_ height: WindowPart, in window: Int) -> Int {
    height.cells(of: window, least: PickerState.leastRows)
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

/// Moves output for a separate screen to some rows of a larger one.
///
/// ncurses and the pictures count rows from the top of the screen. Row numbers in sequences are shifted,
/// clearing the screen clears these rows only, and sequences that affect the whole terminal (alternate
/// screen, scrolling region) are dropped. Sequences: ECMA-48 and xterm's ctlseqs. Strings (sixel, kitty and
/// iTerm2 commands) pass unchanged.
struct RowShift: Hashable, Sendable {
  /// The row, from 0, that replaces the first one.
  var top: Int

  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07

  /// - Parameter bytes: complete sequences.
  func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    var shifted: [UInt8] = []
    shifted.reserveCapacity(bytes.count + 64)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: Self.escape) {
      shifted += rest[..<start]
      let end = Self.end(of: rest[start...])
      let sequence = rest[start..<end]
      if sequence.count > 2, sequence[start + 1] == UInt8(ascii: "[") {
        shifted += self.sequence(sequence)
      } else {
        shifted += sequence
      }
      rest = rest[end...]
    }
    return shifted + rest
  }

  /// Returns the end of the sequence at the start of the bytes.
  private static func end(of bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.count > 1 else { return bytes.endIndex }
    let body = bytes.dropFirst(2)
    switch bytes[bytes.startIndex + 1] {
    case UInt8(ascii: "["):
      return body.firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 } ?? bytes.endIndex
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      let mayEndWithBell = bytes[bytes.startIndex + 1] == UInt8(ascii: "]")
      guard let last = body.firstIndex(where: { $0 == escape || mayEndWithBell && $0 == bell }) else {
        return bytes.endIndex
      }
      return bytes[last] == bell ? last + 1 : min(last + 2, bytes.endIndex)
    // The two bytes of a character set.
    case UInt8(ascii: "("), UInt8(ascii: ")"): return min(bytes.startIndex + 3, bytes.endIndex)
    default: return bytes.startIndex + 2
    }
  }

  /// Returns the replacement of a control sequence.
  private func sequence(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let parameters = bytes.dropFirst(2).dropLast()
    let text = String(decoding: parameters, as: UTF8.self)
    let isPlain = parameters.allSatisfy { (0x30...0x3B).contains($0) }
    switch bytes.last.map({ Character(Unicode.Scalar($0)) }) {
    case "H" where isPlain, "f" where isPlain:
      let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { max(1, Int($0) ?? 1) }
      return Self.moving(to: top + (numbers.first ?? 1) - 1, numbers.count > 1 ? numbers[1] - 1 : 0)
    case "d" where isPlain: return Array("\u{1B}[\(top + max(1, Int(text) ?? 1))d".utf8)
    case "J" where text == "2": return clearing
    case "h" where Self.screens.contains(text), "l" where Self.screens.contains(text): return []
    case "r" where isPlain: return []
    default: return Array(bytes)
    }
  }

  /// The modes of the alternate screen.
  private static let screens: Set<String> = ["?47", "?1047", "?1049"]

  private static func moving(to row: Int, _ column: Int) -> [UInt8] {
    Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
  }

  /// Sequence that moves the cursor to the first of the rows.
  var home: [UInt8] { Self.moving(to: top, 0) }

  /// Sequence that clears the rows, and the empty rows below them.
  var clearing: [UInt8] { home + Array("\u{1B}[J".utf8) }
}
