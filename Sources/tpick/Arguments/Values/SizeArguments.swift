import Configuration
import Pixels

/// Parses sizes such as `40x20`.
enum SizeArguments {
  /// Columns and rows.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cells(_ text: String) throws(ArgumentProblem) -> CellSize {
    if let size = SizeText.cells(of: text) { return size }
    throw ArgumentProblem("'\(text)' is not a number of columns and rows such as 40x20")
  }

  /// The size of a character cell in pixels.
  /// - Throws: `ArgumentProblem` if the text is invalid.
  static func cellSize(_ text: String) throws(ArgumentProblem) -> PixelSize {
    if let size = SizeText.cell(of: text) { return size }
    throw ArgumentProblem("'\(text)' is not a size in pixels such as 10x20")
  }
}
