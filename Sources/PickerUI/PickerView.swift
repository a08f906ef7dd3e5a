import AssetLibrary
import Pixels

extension Picker {
  /// What the picker looks like.
  public static func view(_ state: PickerState) -> Frame {
    var frame = Frame(size: state.metrics.size)
    let layout = state.layout
    if layout.isTooSmall {
      let least = ScreenLayout.least
      frame.put("tpick needs \(least.columns)×\(least.rows) cells", row: 0, column: 0)
      return frame
    }
    switch state.stage {
    case .opening: frame.message(["Opening the photo library…"], in: layout, style: .dim)
    case .refused(let status): state.drawRefusal(status, on: &frame, layout)
    case .consent(let request, let choice): state.drawConsent(request, choice, on: &frame, layout)
    case .library: state.drawLibrary(on: &frame, layout)
    }
    return frame
  }
}

extension PickerState {
  fileprivate func drawLibrary(on frame: inout Frame, _ layout: ScreenLayout) {
    drawRules(on: &frame, layout)
    drawTitle(on: &frame, layout)
    drawGrid(on: &frame, layout)
    drawPreview(on: &frame, layout)
    drawSidebar(on: &frame, layout)
    drawStatus(on: &frame, layout)
    if showsHelp { drawHelp(on: &frame, layout) }
  }

  private func drawRules(on frame: inout Frame, _ layout: ScreenLayout) {
    for (row, junction) in [(layout.upperRule, "┬"), (layout.lowerRule, "┴")] {
      guard let row else { continue }
      frame.put(String(repeating: "─", count: frame.size.columns), row: row, column: 0, style: .dim)
      for column in layout.dividers { frame.put(junction, row: row, column: column, style: .dim) }
    }
    if let upper = layout.upperRule, let lower = layout.lowerRule {
      for column in layout.dividers {
        for row in upper + 1..<lower { frame.put("│", row: row, column: column, style: .dim) }
      }
    }
    if let row = layout.previewRule, let preview = layout.preview {
      frame.put(
        String(repeating: "─", count: preview.columns), row: row, column: preview.column, style: .dim)
    }
  }

  private func drawTitle(on frame: inout Frame, _ layout: ScreenLayout) {
    guard let area = layout.title else { return }
    var right: [String] = []
    if library.isComplete || !assets.isEmpty {
      right.append(options.locale.count(assets.count, "photo", "photos"))
    }
    if !library.isComplete { right.append("reading…") }
    right.append(options.configuration.sort.rawValue)
    if let filter = options.configuration.filter { right.append(filter.description) }
    if let text = options.searchText { right.append("“\(text)”") }
    let facts = DisplayText(right.joined(separator: " · "))
    let title = mode == .managing ? "Photos that \(options.client) may see" : collectionTitle
    let used = frame.put(
      DisplayText(title), row: area.row, column: 1, limit: area.columns - 2, style: .bold)
    if facts.width + used + 4 <= area.columns {
      frame.put(facts, row: area.row, column: area.columns - facts.width - 1, style: .dim)
    }
  }

  private var collectionTitle: String {
    collections.first { $0.id == collection }?.title ?? "Recents"
  }

  private func drawSidebar(on frame: inout Frame, _ layout: ScreenLayout) {
    guard let area = layout.sidebar else { return }
    if layout.sidebarFloats {
      frame.clear(area)
      for row in area.row..<area.endRow {
        frame.put("│", row: row, column: area.endColumn - 1, style: .dim)
      }
    }
    let inner = area.inset(left: 1, right: layout.sidebarFloats ? 2 : 1)
    var lines: [SidebarLine] = []
    for (index, collection) in collections.enumerated() {
      if index == 0 { lines.append(.heading("Library")) }
      if collection.type == .album, index == 0 || collections[index - 1].type != .album {
        lines += [.blank, .heading("Albums")]
      }
      lines.append(.collection(index, collection))
    }
    // Keep the album under the cursor in sight.
    let current = lines.firstIndex { $0.index == sidebarCursor } ?? 0
    let first = max(0, min(current - inner.rows / 2, lines.count - inner.rows))
    for (row, line) in lines.dropFirst(first).prefix(inner.rows).enumerated() {
      draw(line, row: inner.row + row, in: inner, on: &frame)
    }
  }

  private enum SidebarLine {
    case heading(String)
    case blank
    case collection(Int, AssetCollection)

    var index: Int? { if case .collection(let index, _) = self { index } else { nil } }
  }

  private func draw(_ line: SidebarLine, row: Int, in area: CellRect, on frame: inout Frame) {
    guard case .collection(let index, let collection) = line else {
      if case .heading(let text) = line { frame.put(text, row: row, column: area.column, style: .dim) }
      return
    }
    let isCurrent = collection.id == self.collection
    let hasFocus = focus == .sidebar && index == sidebarCursor
    let style = TextStyle(isCurrent ? .accent : .plain, bold: isCurrent, reversed: hasFocus)
    if hasFocus {
      frame.fill(
        CellRect(column: area.column, row: row, columns: area.columns, rows: 1), FrameCell(style: style))
    }
    let mark = collection.type == .smartAlbum ? "●" : isCurrent ? "▸" : " "
    let count = DisplayText(collection.estimatedAssetCount.map(options.locale.number) ?? "")
    let indent = min(6, 2 * max(0, collection.depth - 1))
    frame.put(mark, row: row, column: area.column, limit: 1, style: style)
    frame.put(
      DisplayText(collection.title), row: row, column: area.column + 2 + indent,
      limit: max(0, area.columns - 3 - indent - count.width), style: style)
    frame.put(
      count, row: row, column: area.endColumn - count.width,
      style: hasFocus ? style : isCurrent ? .accent : .dim)
  }
}

extension Frame {
  /// Lines of text in the middle of the screen.
  mutating func message(_ lines: [String], in layout: ScreenLayout, style: TextStyle = .plain) {
    message(
      lines.map { ($0, style) }, in: CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows))
  }

  /// Lines of text in the middle of an area, each broken where it is too long.
  mutating func message(_ lines: [(text: String, style: TextStyle)], in area: CellRect) {
    let limit = max(1, min(72, area.columns - 4))
    let wrapped = lines.flatMap { line -> [(DisplayText, TextStyle)] in
      let parts = DisplayText(line.text).wrapped(to: limit)
      return parts.isEmpty ? [(DisplayText(""), line.style)] : parts.map { ($0, line.style) }
    }
    var row = area.row + max(0, (area.rows - wrapped.count) / 2)
    for (text, style) in wrapped where row < area.endRow {
      put(text, row: row, column: area.column + max(0, (area.columns - text.width) / 2), style: style)
      row += 1
    }
  }
}
