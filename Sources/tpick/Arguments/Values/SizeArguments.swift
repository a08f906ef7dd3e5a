import Pixels

/// Parses sizes such as `40x20`.
enum SizeArguments {
  /// Parses "40x20" as columns and rows.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cells(_ text: String) throws(ArgumentProblem) -> CellSize {
    guard let (columns, rows) = pair(text), (1...1000).contains(columns), (1...1000).contains(rows) else {
      throw ArgumentProblem("'\(text)' is not a number of columns and rows such as 40x20")
    }
    return CellSize(columns: columns, rows: rows)
  }

  /// Parses "10x20" as the size of a character cell in pixels.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cellSize(_ text: String) throws(ArgumentProblem) -> PixelSize {
    guard let (width, height) = pair(text), (2...200).contains(width), (4...400).contains(height) else {
      throw ArgumentProblem("'\(text)' is not a size in pixels such as 10x20")
    }
    return PixelSize(width: width, height: height)
  }

  private static func pair(_ text: String) -> (Int, Int)? {
    let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
    return (first, second)
  }
}
