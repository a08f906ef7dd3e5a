package import Pixels

extension PixelSize {
  /// The size of a cell where no terminal tells it: that of the VT340 in 10x20.
  package static let defaultCell = PixelSize(width: 10, height: 20)

  /// Whether a window of this many pixels and cells can be true: terminals and multiplexers have been seen
  /// to answer with zeros and made-up numbers.
  package func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
