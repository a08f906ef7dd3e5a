package import Pixels

extension PixelSize {
  /// The size of a cell where no terminal tells it: that of the VT340 in 10x20.
  package static let defaultCell = PixelSize(width: 10, height: 20)

  /// No terminal has a longer side in pixels, and a larger number in an answer is a mistake.
  private static let longestSide = 1 << 16

  /// A size as a terminal answers it.
  /// - Returns: nil for what is no size.
  package init?(terminalAnswer width: Int, _ height: Int) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
    self.init(width: width, height: height)
  }

  /// Whether a window of this many pixels and cells can be true: terminals and multiplexers have been seen
  /// to answer with zeros and made-up numbers.
  package func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
