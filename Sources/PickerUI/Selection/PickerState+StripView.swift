import AssetLibrary
import Pixels

extension PickerState {
  /// The index of the first visible pick: where the wheel scrolled to; else the cursor's row is visible, or the last one.
  func firstInStrip(_ layout: ScreenLayout) -> Int {
    let geometry = layout.strip.cells
    let columns = max(1, geometry.columns)
    let last = (picks.selection.count - 1) / columns
    let row = input.focus == .strip ? picks.stripCursor / columns : last
    let lastTop = max(0, last + 1 - geometry.wholeRows)
    if let scroll = picks.stripScroll, scroll.pickCount == picks.selection.count {
      return max(0, min(scroll.row, lastTop)) * columns
    }
    return max(0, min(row - geometry.wholeRows / 2, lastTop)) * columns
  }

  /// What the strip holds and in which order.
  var stripTitle: String {
    if authorization.mode == .managing { return "Photos that \(options.client.name) may see" }
    return options.configuration.selection.isOrdered
      ? "Picks, in this order" : "Picks, used in the order of the grid"
  }

  /// Draws the strip of the picks in their order.
  func drawStrip(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.strip.area, !preview.isFullScreen, area.rows > 0 else { return }
    let geometry = layout.strip.cells
    let first = firstInStrip(layout)
    let key = stripKey(in: layout)
    for place in 0..<geometry.count where first + place < picks.selection.count {
      let asset = picks.selection.assets[first + place]
      let box = geometry.box(at: place)
      drawThumbnail(of: asset, key: key?(asset), in: box, on: &frame)
      drawMarks(of: asset, in: box, on: &frame)
      if input.focus == .strip, first + place == picks.stripCursor {
        frame.drawFrame(around: box, in: area, style: .cursor)
      }
    }
    // After the cursor's frame, which would cut it off.
    frame.put(
      stripTitle, row: area.row, column: area.column + 1, limit: area.columns - 2, style: .heading)
    drawStripScrollBar(first: first, on: &frame, layout)
  }

  private func drawStripScrollBar(first: Int, on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let geometry = layout.strip.cells
    guard let area = layout.strip.area, geometry.count > 0, picks.selection.count > geometry.count else {
      return
    }
    let count = picks.selection.count
    let length = max(1, area.rows * geometry.count / count)
    let start = min(area.rows - length, area.rows * first / count)
    for row in start..<start + length {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1, style: .scrollBar)
    }
  }
}
