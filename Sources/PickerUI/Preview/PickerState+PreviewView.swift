import AssetLibrary
import MediaFormats
import Pixels

extension PickerState {
  func drawPreview(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let pane = layout.previewAboveStrip, let asset = current, var box = previewBox(in: layout) else {
      return
    }
    let isPane = !preview.isFullScreen && !layout.isCompact
    let whole = previewKey(in: layout)?(asset)
    let part = zoomedKey(of: asset, in: layout)
    let shown = shownPicture(for: part ?? whole, fallback: part == nil ? nil : whole)
    if isPane {
      let isOutgoing = shown != nil && shown == preview.outgoing
      box = fitted(isOutgoing ? preview.outgoingSize : presented(asset).pixelSize, in: box)
    }
    drawPicture(of: asset, in: box, key: part ?? whole, shown: shown, on: &frame)
    if preview.isFullScreen {
      let used = drawZoom(part?.part, row: box.endRow, limit: pane.columns, on: &frame)
      drawFullScreenLine(asset, row: box.endRow, limit: pane.columns - used, on: &frame)
      if let info = layout.info {
        for row in info.row..<info.endRow {
          frame.put(symbols.lines.vertical, row: row, column: info.column, style: .rule)
        }
        drawFacts(of: asset, on: &frame, layout)
      }
    } else if layout.isCompact {
      drawCompactFacts(of: asset, beside: box, in: pane, on: &frame)
    } else if preview.showsInfo, layout.hasPreviewPane {
      drawFacts(of: asset, on: &frame, layout)
    } else {
      drawFacts(of: asset, below: box, in: pane, on: &frame)
    }
  }

  /// Draws the facts in the rows that a picture leaves of its pane: in one line, else a line each.
  private func drawFacts(
    of asset: Asset, below box: CellRect, in pane: CellRect, on frame: inout ScreenFrame
  ) {
    switch pane.endRow - box.endRow {
    case ...0: break
    case 1: drawFactsLine(of: asset, in: pane.inset(top: pane.rows - 1), on: &frame)
    case 2...3: drawShortFacts(of: asset, from: box.endRow, in: pane, on: &frame)
    default: drawShortFacts(of: asset, from: box.endRow + 1, in: pane, on: &frame)
    }
  }

  /// - Parameter shown: the picture that stands for `key`, which may not be ready.
  private func drawPicture(
    of asset: Asset, in box: CellRect, key: PictureKey?, shown: PictureKey?, on frame: inout ScreenFrame
  ) {
    if let defect = asset.defect {
      frame.putMessage(errorMessage(asset, defect), in: box)
      return
    }
    if let key, case .failed(let reason) = pictures[key], !preview.playback.shows(key) {
      frame.putMessage(errorMessage(asset, reason), in: box)
    } else if let shown {
      // In the pane the picture is top-aligned, because the facts follow below.
      frame.place(PictureSlot(key: shown, rect: box, alignment: preview.isFullScreen ? .center : .top))
    } else {
      frame.putMessage([(asset.displayName.middleTruncated(to: box.columns - 4).string, .dim)], in: box)
    }
  }

  /// The best available picture for a key.
  /// - Parameter fallback: the picture shown while `key` is not ready.
  private func shownPicture(for key: PictureKey?, fallback: PictureKey?) -> PictureKey? {
    if let key, preview.playback.shows(key) { return key }
    if let key, case .ready = pictures[key] { return key }
    if let outgoing = preview.outgoing { return outgoing }
    if let fallback, case .ready = pictures[fallback] { return fallback }
    return nil
  }

  private func errorMessage(_ asset: Asset, _ reason: String) -> [(text: String, style: TextStyle)] {
    [("\(asset.displayName.string) can't be shown:", .defect), (reason, .dim)]
  }

  func drawShortFacts(of asset: Asset, from row: Int, in pane: CellRect, on frame: inout ScreenFrame) {
    let name = presented(asset).displayName.middleTruncated(to: pane.columns - 2)
    // In two lines the file's own facts stand behind the date, as far as there is room.
    let isShort = pane.endRow - row == 2
    let facts = options.locale.technicalFacts(of: presented(asset))
    let inLine = isShort ? facts.split(separator: DisplayText.separator).map(String.init) : []
    let date = DisplayText.joining([options.locale.date(of: asset)] + inLine, to: pane.columns - 2)
    var lines: [(DisplayText, TextStyle)] = [
      (name, .title), (date, isShort ? .dim : .fact), (DisplayText(facts), .dim),
    ]
    if let zone = asset.dateZoneText { lines.insert((DisplayText(zone), .dim), at: 2) }
    if let version = versionText(of: asset) {
      lines.insert((DisplayText(version), TextStyle(.accent)), at: 1)
    }
    if let details = preview.details[asset.id] {
      lines += options.locale.cameraFacts(details).map { (DisplayText($0), .dim) }
    }
    if !asset.isLocallyAvailable {
      let text = downloadText(of: asset).map { "downloading: \($0)" } ?? "on its server"
      lines.append((DisplayText("\(symbols.badges.cloud) \(text)"), TextStyle(.accent)))
    }
    if let key = previewKey(in: layout)?(asset), case .ready(let note?, _) = pictures[key] {
      lines.append((DisplayText(note), TextStyle(.warning)))
    }
    for (offset, line) in lines.enumerated() where row + offset < pane.endRow {
      frame.put(line.0, row: row + offset, column: pane.column + 1, limit: pane.columns - 2, style: line.1)
    }
    frame.highlight(
      library.userFilter.namePatterns, row: row, column: pane.column + 1, width: pane.columns - 2)
  }

  /// Draws the zoom scale at the right end of the line below the picture.
  /// - Returns: the width in cells.
  private func drawZoom(_ part: PicturePart?, row: Int, limit: Int, on frame: inout ScreenFrame) -> Int {
    guard part != nil, let zoom = preview.zoom else { return 0 }
    let percentage = DisplayText("\(Int((zoom.scale * 100).rounded()))%")
    guard percentage.width + 2 < limit else { return 0 }
    frame.put(
      percentage, row: row, column: limit - 1 - percentage.width, style: TextStyle(.accent, bold: true))
    return percentage.width + 2
  }

  private func drawFullScreenLine(_ asset: Asset, row: Int, limit: Int, on frame: inout ScreenFrame) {
    let number = picks.selection.number(of: asset.id)
    let mark = number.map { (isSingleChoice ? symbols.grid.picked : symbols.mark($0)) + " " } ?? ""
    let used = frame.put(
      DisplayText(mark + presented(asset).displayName.string).middleTruncated(to: limit / 2), row: row,
      column: 1,
      style: TextStyle(mark.isEmpty ? .plain : .accent, bold: true))
    var column = used + 4
    let seen = [burstText, versionText(of: asset)].compactMap { $0 }
    if !seen.isEmpty {
      column +=
        3
        + frame.put(
          DisplayText(seen.joined(separator: " · ")), row: row, column: column,
          limit: max(0, limit - column - 1),
          style: TextStyle(.accent))
    }
    let badges = badges(of: asset).joined(separator: " ")
    let facts = [options.locale.date(of: asset), options.locale.technicalFacts(of: presented(asset)), badges]
      .filter { !$0.isEmpty }
    frame.put(
      DisplayText(facts.joined(separator: " · ")), row: row, column: column,
      limit: max(0, limit - column - 1), style: .dim)
  }
}

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
}
