package import Pixels

/// Parses and formats sizes such as `64MiB`.
enum ByteSize {
  /// The allowed sizes of the memory cache.
  static let memoryRange = 1 << 20...4 << 30
  /// The allowed sizes of the originals of servers.
  static let originalsRange = 0...1 << 40

  /// Units with binary and decimal prefixes (IEC 80000-13, 13-9 and SI).
  private static let units: [(word: String, bytes: Int)] = [
    ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10), ("gb", 1_000_000_000), ("mb", 1_000_000),
    ("kb", 1000), ("b", 1),
  ]

  /// Reads `64MiB`, `64 MB` or `1048576`; nil for anything else.
  static func bytes(of text: String) -> Int? {
    let text = text.lowercased()
    let digits = text.prefix { ("0"..."9").contains($0) }
    let rest = text.dropFirst(digits.count).drop(while: \.isWhitespace)
    guard let number = Int(digits) else { return nil }
    guard let unit = rest.isEmpty ? 1 : units.first(where: { $0.word == rest })?.bytes else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : bytes
  }

  /// A number of bytes in the largest unit that represents it exactly.
  static func text(of bytes: Int) -> String {
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes > 0 && bytes.isMultiple(of: size) {
      return "\(bytes / size)\(unit)"
    }
    return "\(bytes)B"
  }
}

/// Sizes as text: "40x20".
package enum SizeText {
  /// Columns and rows; nil for what is no size of a window.
  package static func cells(of text: String) -> CellSize? {
    guard let (columns, rows) = pair(text), (1...1000).contains(columns), (1...1000).contains(rows) else {
      return nil
    }
    return CellSize(columns: columns, rows: rows)
  }

  /// The size of a character cell in pixels; nil for what is none.
  package static func cell(of text: String) -> PixelSize? {
    guard let (width, height) = pair(text), (2...200).contains(width), (4...400).contains(height) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  private static func pair(_ text: String) -> (Int, Int)? {
    let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
    return (first, second)
  }
}
