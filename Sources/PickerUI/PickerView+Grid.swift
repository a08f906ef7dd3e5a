import AssetLibrary
import Pixels

extension PickerState {
  func drawGrid(on frame: inout Frame, _ layout: ScreenLayout) {
    guard let area = layout.grid, !isFullScreen else { return }
    if let banner = layout.banner { drawBanner(on: &frame, banner) }
    guard !assets.isEmpty else {
      frame.message(emptyWords, in: area)
      return
    }
    let geometry = layout.cells
    let key = thumbnailKey(in: layout)
    let first = topRow * geometry.columns
    for place in 0..<geometry.count where first + place < assets.count {
      let index = first + place
      let box = geometry.box(at: place)
      draw(assets[index], key: key?(assets[index]), in: box, on: &frame)
      drawCaption(of: assets[index], isCurrent: index == cursor, under: box, on: &frame)
    }
    drawScrollBar(on: &frame, area, geometry)
  }

  private func drawBanner(on frame: inout Frame, _ area: CellRect) {
    let text: String
    if mode == .managing {
      text = "Choose the photos that \(options.client) may see · ⏎ done · Esc back"
    } else {
      let total = options.locale.count(library.assetCount, "photo", "photos")
      text = "Limited access · \(options.locale.number(allowed.count)) of \(total) · m to choose others"
    }
    frame.put(text, row: area.row, column: area.column + 1, limit: area.columns - 2, style: .accent)
  }

  /// What an empty grid says: why it is empty and which key helps.
  private var emptyWords: [(text: String, style: TextStyle)] {
    if isFetching || !library.isComplete { return [("Reading the library…", .dim)] }
    if access == .limited, mode == .picking, allowed.isEmpty {
      return [("No photos allowed yet", .bold), ("m to select", .dim)]
    }
    if let text = options.searchText, library.assetCount > 0 {
      return [("Nothing here is found by “\(text)”", .bold), ("Tab for other albums · q to leave", .dim)]
    }
    if let filter = options.configuration.filter, library.assetCount > 0 {
      return [("Nothing here matches “\(filter)”", .bold), ("Tab for other albums · q to leave", .dim)]
    }
    return [
      ("No photos here", .bold), ("There is no picture or video in this folder or below it.", .dim),
      ("q to leave", .dim),
    ]
  }

  private func draw(_ asset: Asset, key: PictureKey?, in box: CellRect, on frame: inout Frame) {
    if let defect = asset.defect {
      drawDefect("✕", defect, in: box, on: &frame)
      return
    }
    switch key.flatMap({ pictures[$0] }) {
    case .ready:
      if let key { frame.place(PictureSlot(key: key, rect: box, alignment: .center)) }
    case .failed(let reason): drawDefect("✕", reason, in: box, on: &frame)
    case nil:
      let middle = box.row + box.rows / 2
      frame.put(
        key == nil ? "▢" : "···", row: middle, column: box.column + box.columns / 2 - 1, style: .dim)
    }
  }

  /// A picture that can't be shown, told apart from one that is still loading.
  private func drawDefect(_ mark: String, _ reason: String, in box: CellRect, on frame: inout Frame) {
    let lines = DisplayText(reason).wrapped(to: box.columns).prefix(max(0, box.rows - 1))
    var row = box.row + max(0, (box.rows - lines.count - 1) / 2)
    frame.put(mark, row: row, column: box.column + box.columns / 2, style: TextStyle(.error))
    for line in lines {
      row += 1
      frame.put(line, row: row, column: box.column + (box.columns - line.width) / 2, style: .dim)
    }
  }

  /// The caption carries what must not be written over a picture: the cursor, the number, the name.
  private func drawCaption(
    of asset: Asset, isCurrent: Bool, under box: CellRect, on frame: inout Frame
  ) {
    let row = box.endRow
    let number = selection.number(of: asset.id)
    let isDimmed = number == nil && ((selection.isFull && limit != 1) || obstacle(to: asset) != nil)
    let style: TextStyle
    if number != nil {
      style = TextStyle(.accent, bold: isCurrent, reversed: true)
    } else {
      style = TextStyle(isDimmed ? .dim : .plain, bold: isCurrent)
    }
    if isCurrent {
      let bar = TextStyle(.accent, bold: true)
      frame.put("▌", row: row, column: box.column - 1, style: bar)
      frame.put("▐", row: row, column: box.endColumn, style: bar)
    }
    if number != nil {
      frame.fill(
        CellRect(column: box.column, row: row, columns: box.columns, rows: 1), FrameCell(style: style))
    }
    let badge = DisplayText(badges(of: asset))
    var column = box.column
    if let number {
      column += frame.put(Self.mark(number) + " ", row: row, column: column, limit: box.columns, style: style)
    } else {
      column += 1
    }
    let room = box.endColumn - column - (badge.width > 0 ? badge.width + 1 : 0)
    let name = DisplayText(bytes: asset.primaryResource?.filename ?? [])
    frame.put(name.middleTruncated(to: room), row: row, column: column, limit: room, style: style)
    if badge.width > 0 {
      frame.put(badge, row: row, column: box.endColumn - badge.width, style: style)
    }
  }

  private func badges(of asset: Asset) -> String {
    if asset.isBroken { return "✕" }
    if asset.primaryResource?.path.bytes.contains(0x0A) ?? false, !options.acceptsLineBreaks { return "⏎" }
    return ""
  }

  /// ①–⑳, then (21).
  static func mark(_ number: Int) -> String {
    guard (1...20).contains(number), let scalar = Unicode.Scalar(0x245F + UInt32(number)) else {
      return "(\(number))"
    }
    return String(scalar)
  }

  private func drawScrollBar(on frame: inout Frame, _ area: CellRect, _ geometry: GridGeometry) {
    let rows = (assets.count + geometry.columns - 1) / max(1, geometry.columns)
    guard rows > geometry.rows, area.rows > 2 else { return }
    let length = max(1, area.rows * geometry.rows / rows)
    let start = (area.rows - length) * topRow / max(1, rows - geometry.rows)
    for row in start..<start + length {
      frame.put("┃", row: area.row + row, column: area.endColumn - 1, style: .dim)
    }
  }
}
