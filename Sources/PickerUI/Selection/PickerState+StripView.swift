import AssetLibrary
import Pixels

extension PickerState {
  /// The index of the first visible pick in the strip.
  func firstInStrip(_ layout: ScreenLayout) -> Int {
    let columns = layout.stripCells.columns
    return max(0, min(picks.stripCursor - columns / 2, picks.selection.count - columns))
  }

  /// Draws the strip with the selection in picking order.
  func drawStrip(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.strip, !preview.isFullScreen, area.rows > 0 else { return }
    let isOrdered = options.configuration.selection.isOrdered
    let heading = isOrdered ? " Selection, in this order " : " Selection, used in the order of the grid "
    frame.put(
      String(repeating: symbols.lines.horizontal, count: area.columns), row: area.row, column: area.column,
      style: .rule)
    frame.put(heading, row: area.row, column: area.column + 2, limit: area.columns - 4, style: .heading)
    let geometry = layout.stripCells
    guard geometry.columns > 0, area.rows > 1 else { return }
    let first = firstInStrip(layout)
    let key = stripKey(in: layout)
    for place in 0..<geometry.columns where first + place < picks.selection.count {
      let asset = picks.selection.assets[first + place]
      let box = geometry.box(at: place)
      if box.rows > 0 { drawThumbnail(of: asset, key: key?(asset), in: box, on: &frame) }
      drawCaption(
        of: asset, isCurrent: first + place == picks.stripCursor, hasFocus: input.focus == .strip, under: box,
        on: &frame)
    }
  }
}
