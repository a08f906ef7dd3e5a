/// Moves output for a separate screen to a part of a larger one.
///
/// ncurses and the pictures count rows and columns from the corner of the screen. Places in sequences are shifted,
/// clearing the screen clears these rows only, and sequences that affect the whole terminal (alternate
/// screen, scrolling region) are dropped. Sequences: ECMA-48 and xterm's ctlseqs. Strings (sixel, kitty and
/// iTerm2 commands) pass unchanged.
struct CellShift: Hashable, Sendable {
  /// The row, from 0, that replaces the first one.
  var top: Int
  /// The column, from 0, that replaces the first one.
  var left = 0

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
      return Self.moving(to: top + (numbers.first ?? 1) - 1, left + (numbers.count > 1 ? numbers[1] - 1 : 0))
    case "d" where isPlain: return Array("\u{1B}[\(top + max(1, Int(text) ?? 1))d".utf8)
    case "G" where isPlain: return Array("\u{1B}[\(left + max(1, Int(text) ?? 1))G".utf8)
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
  var home: [UInt8] { Self.moving(to: top, left) }

  /// Sequence that clears the rows, and the empty rows below them.
  var clearing: [UInt8] { home + Array("\u{1B}[J".utf8) }
}
