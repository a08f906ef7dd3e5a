import AssetLibrary
package import Pixels

/// The size limits of settings.
enum ByteSize {
  /// The allowed sizes of the memory cache.
  static let memoryRange = 1 << 20...4 << 30
  /// The allowed sizes of downloaded originals.
  static let originalsRange = 0...1 << 40

  /// Reads `64MiB`, `64 MB` or `1048576`; nil for anything else, and for fractions of a byte.
  static func bytes(of text: String) -> Int? { MeasureText.bytes(of: text).flatMap { Int(exactly: $0) } }
}

/// Sizes as text: "40x20".
package enum SizeText {
  /// Columns and rows; nil for anything else.
  package static func cells(of text: String) -> CellSize? {
    guard let (columns, rows) = pair(text), (1...1000).contains(columns), (1...1000).contains(rows) else {
      return nil
    }
    return CellSize(columns: columns, rows: rows)
  }

  /// The size of a character cell in pixels; nil for anything else.
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
