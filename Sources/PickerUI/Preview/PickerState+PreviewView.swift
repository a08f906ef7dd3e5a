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
      frame.putMessage([(name(of: asset).middleTruncated(to: box.columns - 4).string, .dim)], in: box)
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
    [("\(name(of: asset).string) can't be shown:", .defect), (reason, .dim)]
  }

  func name(of asset: Asset) -> DisplayText { DisplayText(bytes: asset.nameBytes) }

  /// The name in a sentence, which has room for more than it.
  func shortName(of asset: Asset) -> String { name(of: asset).middleTruncated(to: 40).string }

  func drawShortFacts(of asset: Asset, from row: Int, in pane: CellRect, on frame: inout ScreenFrame) {
    let name = name(of: presented(asset)).middleTruncated(to: pane.columns - 2)
    // In two lines the file's own facts stand behind the date, as far as there is room.
    let isShort = pane.endRow - row == 2
    let facts = technicalFacts(of: presented(asset))
    let inLine = isShort ? facts.split(separator: DisplayText.separator).map(String.init) : []
    let date = DisplayText.joining([date(of: asset)] + inLine, to: pane.columns - 2)
    var lines: [(DisplayText, TextStyle)] = [
      (name, .title), (date, isShort ? .dim : .fact), (DisplayText(facts), .dim),
    ]
    if let zone = asset.dateZoneText { lines.insert((DisplayText(zone), .dim), at: 2) }
    if let version = versionText(of: asset) {
      lines.insert((DisplayText(version), TextStyle(.accent)), at: 1)
    }
    if let details = preview.details[asset.id] {
      lines += cameraFacts(details).map { (DisplayText($0), .dim) }
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
    highlight(searchPatterns, row: row, column: pane.column + 1, width: pane.columns - 2, on: &frame)
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
      DisplayText(mark + name(of: presented(asset)).string).middleTruncated(to: limit / 2), row: row,
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
    let facts = [date(of: asset), technicalFacts(of: presented(asset)), badges].filter { !$0.isEmpty }
    frame.put(
      DisplayText(facts.joined(separator: " · ")), row: row, column: column,
      limit: max(0, limit - column - 1), style: .dim)
  }

  func date(of asset: Asset) -> String {
    let time = asset.creationDate.components
    let clock = [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "\(options.locale.day(year: time.year, month: time.month, day: time.day)), \(clock)"
  }

  func technicalFacts(of asset: Asset) -> String {
    var facts: [String] = []
    if !asset.pixelSize.isEmpty { facts.append(asset.pixelSize.description) }
    if asset.duration > 0 { facts.append(options.locale.duration(asset.duration)) }
    if let resource = asset.primaryResource {
      facts.append(options.locale.size(resource.byteCount))
      facts.append(Self.format(resource.uniformTypeIdentifier))
    }
    return facts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The common name of a format, by default the last word of its identifier in capitals.
  static func format(_ identifier: String) -> String {
    if let format = FileFormat(uniformTypeIdentifier: identifier) { return format.name }
    if identifier == FileFormat.unknownTypeIdentifier { return "" }
    return identifier.split(separator: ".").last?.uppercased() ?? ""
  }

  func exposure(_ details: AssetDetails) -> String? {
    var exposure: [String] = []
    if let aperture = details.fNumber { exposure.append("f/\(options.locale.decimal(aperture))") }
    switch details.exposureTime.flatMap(ExposureTime.init) {
    case .fraction(let denominator): exposure.append("1/\(denominator)")
    case .seconds(let seconds): exposure.append("\(options.locale.decimal(seconds)) s")
    case nil: break
    }
    if let speed = details.isoSpeed { exposure.append("ISO \(speed)") }
    if let length = details.focalLength { exposure.append("\(options.locale.decimal(length)) mm") }
    return exposure.isEmpty ? nil : exposure.joined(separator: " · ")
  }

  func cameraFacts(_ details: AssetDetails) -> [String] {
    [details.camera, details.lens, exposure(details)].compactMap { $0 }
  }
}
