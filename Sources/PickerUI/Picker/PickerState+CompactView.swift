import AssetLibrary
import Pixels

extension PickerState {
  /// The columns needed for facts beside a preview.
  private static let factColumns = 28

  /// The picture box of the preview above or beside the single row of thumbnails: full height where the facts fit
  /// beside it or stand elsewhere, else with one line for them below.
  func compactPreviewBox(in pane: CellRect) -> CellRect {
    if layout.facts != nil { return pane.inset(left: 1, right: 1) }
    let shape = metrics.cellShape
    // 3:2, the shape of most cameras' pictures.
    let width = Int((Double(pane.rows) * 1.5 / max(0.1, shape)).rounded())
    if width + Self.factColumns <= pane.columns {
      return CellRect(column: pane.column + 1, row: pane.row, columns: width, rows: pane.rows)
    }
    return pane.inset(left: 1, right: 1, bottom: pane.rows > 2 ? 1 : 0)
  }

  func drawCompactFacts(
    of asset: Asset, beside box: CellRect, in pane: CellRect, on frame: inout ScreenFrame
  ) {
    let side = pane.inset(left: box.endColumn - pane.column)
    if side.columns >= Self.factColumns - 1 {
      drawShortFacts(of: asset, from: side.row + min(1, side.rows - 1), in: side, on: &frame)
      return
    }
    guard box.endRow < pane.endRow else { return }
    drawFactsLine(of: asset, in: pane.inset(top: box.endRow - pane.row), on: &frame)
  }

  /// Draws the scroll position of the row of thumbnails into the rule above it.
  func drawCompactScrollBar(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let visible = layout.cells.count
    guard layout.isCompact, let row = layout.dividerRow, visible > 0, library.assets.count > visible else {
      return
    }
    let width = frame.size.columns
    let length = max(2, width * visible / library.assets.count)
    let first = min(grid.topRow * layout.cells.columns, library.assets.count - visible)
    let start = (width - length) * first / (library.assets.count - visible)
    frame.put(
      String(repeating: symbols.grid.position, count: length), row: row, column: start, style: .scrollBar)
  }

  /// The index of the photo for a click on the compact scroll bar.
  func index(atCompactScrollBar column: Int) -> Int {
    max(0, min(library.assets.count - 1, column * library.assets.count / max(1, metrics.size.columns)))
  }
}
