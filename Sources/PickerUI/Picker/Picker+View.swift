import AssetLibrary
import Pixels

extension Picker {
  /// Draws the state as a screen.
  package static func view(_ state: PickerState) -> ScreenFrame {
    var frame = ScreenFrame(size: state.metrics.size, symbols: state.symbols)
    let layout = state.layout
    if layout.isTooSmall {
      let needed = "\(ScreenLayout.minimumSize.columns)×\(ScreenLayout.minimumSize.rows)"
      let texts = ["tpick needs \(needed) cells", "tpick needs \(needed)", "needs \(needed)", needed]
      frame.put(
        texts.first { DisplayText($0).width <= frame.size.columns } ?? needed, row: 0, column: 0)
      return frame
    }
    switch state.page {
    case .opening: frame.putMessage(["Opening the photo library…"], in: layout, style: .dim)
    case .refused(let status): state.drawRefusal(status, on: &frame, layout)
    case .consent(let request, let choice): state.drawConsent(request, choice, on: &frame, layout)
    case .library: state.drawLibrary(on: &frame, layout)
    }
    return frame
  }
}

extension PickerState {
  fileprivate func drawLibrary(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    drawCompactScrollBar(on: &frame, layout)
    drawTitle(on: &frame, layout)
    drawGrid(on: &frame, layout)
    drawStrip(on: &frame, layout)
    drawPreview(on: &frame, layout)
    drawFactsLine(on: &frame, layout)
    drawSidebar(on: &frame, layout)
    drawStatus(on: &frame, layout)
    drawPromptLines(on: &frame)
    drawOverlay(on: &frame)
  }

  /// Draws the open overlay.
  private func drawOverlay(on frame: inout ScreenFrame) {
    switch input.overlay {
    case .help(let help): drawHelp(help, on: &frame)
    case .filters(let menu): drawFilterMenu(menu, on: &frame)
    case .sorts(let menu): drawSortMenu(menu, on: &frame)
    case .options(let menu): drawOptions(menu, on: &frame)
    case .downloads: drawDownloads(on: &frame)
    case .info: drawInfoBox(on: &frame)
    case nil: break
    }
  }
}

extension ScreenFrame {
  /// Puts lines of text in the middle of the screen.
  mutating func putMessage(_ lines: [String], in layout: ScreenLayout, style: TextStyle = .plain) {
    putMessage(
      lines.map { ($0, style) }, in: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
  }

  /// Puts lines of text in the middle of an area, wrapping those that are too long.
  /// - Parameter columns: the width of the window in whose middle they stand as far as the area reaches; nil = in the
  ///   middle of the area.
  mutating func putMessage(
    _ lines: [(text: String, style: TextStyle)], in area: CellRect, inMiddleOf columns: Int? = nil
  ) {
    let limit = max(1, min(72, area.columns - 4))
    let wrapped = lines.flatMap { line -> [(DisplayText, TextStyle)] in
      let parts = DisplayText(line.text).wrapped(to: limit)
      return parts.isEmpty ? [(DisplayText(""), line.style)] : parts.map { ($0, line.style) }
    }
    var row = area.row + max(0, (area.rows - wrapped.count) / 2)
    for (text, style) in wrapped where row < area.endRow {
      let middle = columns.map { ($0 - text.width) / 2 } ?? area.column + (area.columns - text.width) / 2
      let column = max(area.column, min(middle, area.endColumn - text.width))
      put(text, row: row, column: column, style: style)
      row += 1
    }
  }
}
