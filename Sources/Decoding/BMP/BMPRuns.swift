import Pixels

/// The rows of a run-length coded bitmap, from the bottom up, as rows of packed indices.
///
/// Format: Microsoft, "Bitmap Compression". What a code skips has index 0.
struct BMPRuns {
  private let stream: ByteStream
  private let width: Int
  private let isNibbles: Bool
  private var x = 0
  /// Rows that are skipped before the codes go on.
  private var skipped = 0
  /// Where the codes go on in a row after a skip.
  private var resume = 0
  private var isAtEnd = false

  init(_ header: BMPHeader, _ stream: ByteStream) {
    self.stream = stream
    width = header.size.width
    isNibbles = header.compression == .rle4
  }

  /// Fills the next row; false where the file ends before it.
  mutating func next(into row: inout [UInt8]) -> Bool {
    for index in row.indices { row[index] = 0 }
    if isAtEnd { return true }
    if skipped > 0 {
      skipped -= 1
      if skipped > 0 { return true }
    }
    x = resume
    resume = 0
    while true {
      guard let count = stream.next(), let value = stream.next() else { return false }
      if count > 0 {
        for index in 0..<Int(count) { put(isNibbles && index % 2 == 0 ? value >> 4 : value, into: &row) }
        continue
      }
      switch value {
      case 0: return true
      case 1:
        isAtEnd = true
        return true
      case 2:
        guard let right = stream.next(), let up = stream.next() else { return false }
        x += Int(right)
        if up > 0 {
          (skipped, resume) = (Int(up), min(x, width))
          return true
        }
      default: guard readLiterals(Int(value), into: &row) else { return false }
      }
    }
  }

  private mutating func readLiterals(_ count: Int, into row: inout [UInt8]) -> Bool {
    let length = isNibbles ? (count + 1) / 2 : count
    var byte: UInt8 = 0
    for index in 0..<count {
      if !isNibbles || index % 2 == 0 {
        guard let next = stream.next() else { return false }
        byte = next
      }
      put(isNibbles && index % 2 == 0 ? byte >> 4 : byte, into: &row)
    }
    return length % 2 == 0 || stream.next() != nil
  }

  /// Writes one index; those beyond the row's end are left out.
  private mutating func put(_ value: UInt8, into row: inout [UInt8]) {
    defer { x += 1 }
    guard x < width else { return }
    if isNibbles {
      row[x / 2] |= x % 2 == 0 ? value << 4 : value & 0x0F
    } else {
      row[x] = value
    }
  }
}
