package import Pixels

extension TerminalProbe {
  /// The size of a character cell: what the terminal says of it, else what follows from the window's
  /// size in pixels where that can be true, else a usual one.
  package func cellSize(in window: (cells: CellSize, pixels: PixelSize)) -> PixelSize {
    if let cell = capabilities.cellSize { return cell }
    for area in [textArea, window.pixels] {
      if let area, area.isPlausible(for: window.cells) {
        return PixelSize(
          width: area.width / window.cells.columns, height: area.height / window.cells.rows)
      }
    }
    return .defaultCell
  }
}
