import AssetLibrary
import MediaFormats
import Pixels

/// The place and the picture of the previewed photo.
struct PreviewPlace {
  private let preview: PreviewState
  private let layout: ScreenLayout
  private let keyPhotos: KeyPhotos

  init(of picker: PickerState) {
    (preview, layout, keyPhotos) = (picker.preview, picker.layout, KeyPhotos(of: picker))
  }

  /// The box of the previewed picture.
  var box: CellRect? {
    guard let pane = layout.preview else { return nil }
    let box: CellRect
    if preview.isFullScreen {
      box = pane.inset(top: 0, bottom: 1)
    } else if layout.isCompact {
      box = compactBox(in: pane)
    } else {
      // As large as the pane allows.
      let inner = pane.inset(
        left: 1, top: layout.grid == nil ? 0 : 1, right: 1,
        bottom: layout.leastFactRows + layout.strip.reservedRows)
      let most =
        preview.showsInfo && layout.hasPreviewPane
        ? min(inner.rows, max(6, pane.rows * 2 / 5)) : inner.rows
      box = CellRect(column: inner.column, row: inner.row, columns: inner.columns, rows: most)
    }
    return box.isEmpty ? nil : box
  }

  /// The part of a preview's box that a photo of some size fills: the facts follow below it.
  ///
  /// A photo of unknown size is placed like most photos.
  func fitted(_ size: PixelSize, in box: CellRect) -> CellRect {
    let size = size.isEmpty ? PixelSize(width: 4, height: 3) : size
    let rows = Double(box.columns) * layout.metrics.cellShape * Double(size.height) / Double(size.width)
    var box = box
    box.rows = min(box.rows, max(3, Int(rows.rounded(.up))))
    return box
  }

  /// The columns needed for facts beside a preview.
  static let factColumns = 28

  /// The picture box of the preview above or beside the single row of thumbnails: full height if the facts fit beside
  /// it or are elsewhere, else one line is left for them.
  private func compactBox(in pane: CellRect) -> CellRect {
    if layout.facts != nil { return pane.inset(left: 1, right: 1) }
    let shape = layout.metrics.cellShape
    // 3:2, the shape of most cameras' pictures.
    let width = Int((Double(pane.rows) * 1.5 / max(0.1, shape)).rounded())
    if width + Self.factColumns <= pane.columns {
      return CellRect(column: pane.column + 1, row: pane.row, columns: width, rows: pane.rows)
    }
    return pane.inset(left: 1, right: 1, bottom: pane.rows > 2 ? 1 : 0)
  }

  /// The size of the box in pixels; nil if there is no room for a picture, or none is drawn.
  var size: PixelSize? {
    guard let pictureGeometry = layout.metrics.pictureGeometry, let box else { return nil }
    let size = pictureGeometry.pixels(for: box.size)
    return size.isEmpty ? nil : size
  }

  /// The picture of an asset; nil if there is no room for one.
  func key(of asset: Asset) -> PictureKey? { size.map { key(of: asset, $0) } }

  /// The picture of an asset in a size.
  /// - Parameter isCurrent: whether it may play; false for the neighbors of the photo that is shown.
  func key(of asset: Asset, _ size: PixelSize, isCurrent: Bool = true) -> PictureKey {
    let key = keyPhotos.shown(
      PictureKey(asset, size: size, mode: .aspectFit, version: preview.version(of: asset)), of: asset)
    return isCurrent && !isZoomed(asset) ? preview.playback.keepingKeyPhoto(key) : key
  }

  /// The slot of a whole picture: cut, if boxes cover a part of it; nil if they leave too little of it.
  /// - Parameters:
  ///   - photo: the size of the photo in pixels.
  ///   - covers: the areas of the boxes.
  func slot(of key: PictureKey, _ photo: PixelSize, beside covers: [CellRect]) -> PictureSlot? {
    guard let box, let geometry = layout.metrics.pictureGeometry else { return nil }
    let slot = PictureSlot(key: key, rect: box, alignment: preview.isFullScreen ? .center : .top)
    guard !photo.isEmpty, covers.contains(where: box.intersects) else { return slot }
    // The cells of the picture within its box.
    let (size, cell) = (photo.scaled(toward: key.size, .aspectFit), geometry.cell)
    var picture = box
    picture.columns = min(box.columns, (size.width + cell.width - 1) / max(1, cell.width))
    picture.rows = min(box.rows, (size.height + cell.height - 1) / max(1, cell.height))
    picture.column += (box.columns - picture.columns) / 2
    if slot.alignment == .center { picture.row += (box.rows - picture.rows) / 2 }
    let seen = covers.reduce(picture) { $0.largestPart(beside: $1) }
    if seen == picture { return PictureSlot(key: key, rect: picture, alignment: .top) }
    guard !seen.isEmpty else { return nil }
    let (x, y) = ((seen.column - picture.column) * cell.width, (seen.row - picture.row) * cell.height)
    let part = geometry.pixels(for: seen.size)
    var cut = key
    cut.cut = PictureCut(
      x: x, y: y,
      size: PixelSize(width: min(part.width, size.width - x), height: min(part.height, size.height - y)))
    return PictureSlot(key: cut, rect: seen, alignment: .top)
  }

  // MARK: Zoomed

  /// The visible part of a picture that is larger than the screen; nil if all of it is visible.
  private func zoomedPart(of asset: Asset) -> PicturePart? {
    guard preview.isFullScreen, let zoom = preview.zoom, let size else { return nil }
    return zoom.part(of: preview.presented(asset).pixelSize, in: size)
  }

  /// The picture of the visible part; nil if all of the picture is visible.
  func zoomedKey(of asset: Asset) -> PictureKey? {
    guard let part = zoomedPart(of: asset) else { return nil }
    var key = key(of: asset)
    key?.part = part
    return key
  }

  /// An asset with its box in pixels; nil without pictures, or where the asset's size is unknown.
  func zoomFrame(of asset: Asset) -> PreviewState.ZoomFrame? {
    let picture = preview.presented(asset).pixelSize
    guard !picture.isEmpty, let size else { return nil }
    return PreviewState.ZoomFrame(picture: picture, box: size, isZoomed: isZoomed(asset))
  }

  /// The pointer, or the center of its cell, in pixels of the picture's box; nil outside of the box.
  func zoomPoint(of event: MouseEvent) -> Zoom.Point? {
    guard let box, let pictureGeometry = layout.metrics.pictureGeometry, let size,
      box.contains(row: event.row, column: event.column)
    else { return nil }
    // If picture sizes are limited, the box is smaller than its cells, and centered in them.
    let left = max(0, box.columns - size.width / max(1, pictureGeometry.cell.width)) / 2
    return Zoom.Point(
      x: (Double(event.column - box.column - left) + event.x) * Double(pictureGeometry.cell.width),
      y: (Double(event.row - box.row) + event.y) * Double(pictureGeometry.cell.height))
  }

  /// Whether only a part of an asset's picture is visible.
  func isZoomed(_ asset: Asset?) -> Bool { asset.map { zoomedPart(of: $0) != nil } ?? false }
}

/// Draws the photo in the preview and in full screen, with its facts.
struct PreviewPane {
  private let picker: PickerState
  private let place: PreviewPlace

  init(of picker: PickerState) {
    (self.picker, place) = (picker, PreviewPlace(of: picker))
  }

  func draw(on frame: inout ScreenFrame) {
    guard let pane = picker.layout.previewAboveStrip, let asset = picker.current, var box = place.box else {
      return
    }
    let isPane = !picker.preview.isFullScreen && !picker.layout.isCompact
    let whole = place.key(of: asset)
    let part = place.zoomedKey(of: asset)
    let shown = shownPicture(for: part ?? whole, fallback: part == nil ? nil : whole)
    if isPane {
      let isOutgoing = shown != nil && shown == picker.preview.outgoing
      box = place.fitted(
        isOutgoing ? picker.preview.outgoingSize : picker.preview.presented(asset).pixelSize, in: box)
    }
    drawPicture(of: asset, in: box, key: part ?? whole, shown: shown, on: &frame)
    let playback = PlaybackLine.area(in: picker)
    defer { PlaybackLine(of: picker)?.draw(on: &frame) }
    if picker.preview.isFullScreen {
      let used = drawZoom(part?.part, row: box.endRow, limit: pane.columns, on: &frame)
      drawFullScreenLine(asset, row: box.endRow, limit: playback?.column ?? pane.columns - used, on: &frame)
      if let info = picker.layout.info {
        for row in info.row..<info.endRow {
          frame.put(picker.options.symbols.lines.vertical, row: row, column: info.column, style: .rule)
        }
        PhotoInfo(in: picker)?.draw(on: &frame)
      }
    } else if picker.layout.isCompact {
      drawCompactFacts(of: asset, beside: box, in: pane, on: &frame)
    } else if picker.preview.showsInfo, picker.layout.hasPreviewPane {
      PhotoInfo(in: picker)?.draw(on: &frame)
    } else {
      // With more room, the facts leave a line free.
      if playback != nil, pane.endRow - box.endRow < 4 { box.rows += 1 }
      drawFacts(of: asset, below: box, in: pane, on: &frame)
    }
  }

  /// Draws the facts in the rows that the picture leaves: in one line, else one line each.
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

  /// - Parameter shown: the picture drawn for `key`, which may not be ready.
  private func drawPicture(
    of asset: Asset, in box: CellRect, key: PictureKey?, shown: PictureKey?, on frame: inout ScreenFrame
  ) {
    if let defect = asset.defect {
      frame.putMessage(errorMessage(asset, defect, in: box), in: box)
      return
    }
    if let key, case .failed(let reason) = picker.pictures[key], !picker.preview.playback.shows(key) {
      frame.putMessage(errorMessage(asset, reason, in: box), in: box)
    } else if let shown {
      if shown == place.key(of: asset), !picker.preview.playback.shows(shown) {
        drawWhole(shown, of: asset, in: box, on: &frame)
      } else {
        placePicture(shown, in: box, on: &frame)
      }
    } else {
      frame.putMessage([(asset.displayName.middleTruncated(to: box.columns - 4).string, .dim)], in: box)
    }
  }

  /// Draws a whole picture, or the part of it that boxes leave visible.
  private func drawWhole(
    _ key: PictureKey, of asset: Asset, in box: CellRect, on frame: inout ScreenFrame
  ) {
    let covers = picker.layers.covers(in: picker)
    guard covers.contains(where: box.intersects) else { return placePicture(key, in: box, on: &frame) }
    let photo = picker.preview.presented(asset).pixelSize
    guard let slot = place.slot(of: key, photo, beside: covers), case .ready = picker.pictures[slot.key]
    else { return }
    frame.place(slot)
  }

  private func placePicture(_ key: PictureKey, in box: CellRect, on frame: inout ScreenFrame) {
    // In the pane the picture is top-aligned, because the facts follow below.
    frame.place(PictureSlot(key: key, rect: box, alignment: picker.preview.isFullScreen ? .center : .top))
  }

  /// The best available picture for a key.
  /// - Parameter fallback: the picture shown while `key` is not ready.
  private func shownPicture(for key: PictureKey?, fallback: PictureKey?) -> PictureKey? {
    if let key, picker.preview.playback.shows(key) { return key }
    if let key, case .ready = picker.pictures[key] { return key }
    if let outgoing = picker.preview.outgoing { return outgoing }
    if let fallback, case .ready = picker.pictures[fallback] { return fallback }
    return nil
  }

  private func errorMessage(
    _ asset: Asset, _ reason: String, in box: CellRect
  ) -> [(text: String, style: TextStyle)] {
    // In one line where possible: a wrapped name would be hard to read.
    let words = " can't be shown:"
    let name = asset.displayName.middleTruncated(to: max(12, min(72, box.columns - 4) - words.count))
    return [(name.string + words, .defect), (reason, .dim)]
  }

  private func drawShortFacts(of asset: Asset, from row: Int, in pane: CellRect, on frame: inout ScreenFrame)
  {
    let name = picker.preview.presented(asset).displayName.middleTruncated(to: pane.columns - 2)
    // With two lines, the technical facts follow the date, as far as there is room.
    let isShort = pane.endRow - row == 2
    let facts = picker.options.locale.technicalFacts(of: picker.preview.presented(asset))
    let inLine = isShort ? facts.split(separator: DisplayText.separator).map(String.init) : []
    let date = DisplayText.joining([picker.options.locale.date(of: asset)] + inLine, to: pane.columns - 2)
    var lines: [(DisplayText, TextStyle)] = [
      (name, .title), (date, isShort ? .dim : .fact), (DisplayText(facts), .dim),
    ]
    if let zone = asset.dateZoneText { lines.insert((DisplayText(zone), .dim), at: 2) }
    if let version = picker.preview.versionText(of: asset) {
      lines.insert((DisplayText(version), TextStyle(.accent)), at: 1)
    }
    if let details = picker.preview.details[asset.id] {
      lines += picker.options.locale.cameraFacts(details).map { (DisplayText($0), .dim) }
    }
    if !asset.isLocallyAvailable {
      let text = picker.pictures.downloadText(of: asset).map { "downloading: \($0)" } ?? "on server"
      lines.append((DisplayText("\(picker.options.symbols.badges.cloud) \(text)"), TextStyle(.accent)))
    }
    if let key = place.key(of: asset), case .ready(let note?, _) = picker.pictures[key] {
      lines.append((DisplayText(note), TextStyle(.warning)))
    }
    for (offset, line) in lines.enumerated() where row + offset < pane.endRow {
      frame.put(line.0, row: row + offset, column: pane.column + 1, limit: pane.columns - 2, style: line.1)
    }
    frame.highlight(
      picker.library.userFilter.namePatterns, row: row, column: pane.column + 1, width: pane.columns - 2)
  }

  /// Draws the zoom scale at the right end of the line below the picture.
  /// - Returns: the width in cells.
  private func drawZoom(_ part: PicturePart?, row: Int, limit: Int, on frame: inout ScreenFrame) -> Int {
    guard part != nil, let zoom = picker.preview.zoom else { return 0 }
    let percentage = DisplayText("\(Int((zoom.scale * 100).rounded()))%")
    guard percentage.width + 2 < limit else { return 0 }
    frame.put(
      percentage, row: row, column: limit - 1 - percentage.width, style: TextStyle(.accent, bold: true))
    return percentage.width + 2
  }

  /// The position in the burst, such as "burst 2 of 5"; nil if the picture is the one in the grid.
  private var burstText: String? {
    guard picker.input.focus == .grid,
      let burst = picker.preview.shownBurst(of: picker.preview.burst?.representative)
    else { return nil }
    let locale = picker.options.locale
    return "burst \(locale.number(burst.index + 1)) of \(locale.number(burst.members.count))"
  }

  private func drawFullScreenLine(_ asset: Asset, row: Int, limit: Int, on frame: inout ScreenFrame) {
    let number = picker.picks.selection.number(of: asset.id)
    let mark =
      number.map {
        (picker.picks.selection.isSingleChoice || picker.authorization.mode == .managing
          ? picker.options.symbols.grid.picked : picker.options.symbols.mark($0)) + " "
      } ?? ""
    let used = frame.put(
      DisplayText(mark + picker.preview.presented(asset).displayName.string).middleTruncated(to: limit / 2),
      row: row,
      column: 1,
      style: TextStyle(mark.isEmpty ? .plain : .accent, bold: true))
    var column = used + 4
    let seen = [burstText, picker.preview.versionText(of: asset)].compactMap { $0 }
    if !seen.isEmpty {
      column +=
        3
        + frame.put(
          DisplayText(seen.joined(separator: " · ")), row: row, column: column,
          limit: max(0, limit - column - 1),
          style: TextStyle(.accent))
    }
    let badges = Tiles(of: picker).badges(of: asset).joined(separator: " ")
    let technical = picker.options.locale.technicalFacts(of: picker.preview.presented(asset))
    let facts =
      [picker.options.locale.date(of: asset)]
      + technical.split(separator: DisplayText.separator).map(String.init) + [badges]
    frame.put(
      Self.wholeFacts(facts, in: limit - column - 1), row: row, column: column, style: .dim)
  }

  private func drawCompactFacts(
    of asset: Asset, beside box: CellRect, in pane: CellRect, on frame: inout ScreenFrame
  ) {
    let side = pane.inset(left: box.endColumn - pane.column)
    if side.columns >= PreviewPlace.factColumns - 1 {
      drawShortFacts(of: asset, from: side.row + min(1, side.rows - 1), in: side, on: &frame)
      return
    }
    guard box.endRow < pane.endRow else { return }
    drawFactsLine(of: asset, in: pane.inset(top: box.endRow - pane.row), on: &frame)
  }

  // MARK: One line

  /// Draws the line of facts if no preview shows them.
  func drawFactsLine(on frame: inout ScreenFrame) {
    guard let area = picker.layout.facts, !picker.preview.isFullScreen, let asset = picker.current else {
      return
    }
    drawFactsLine(of: asset, in: area, on: &frame)
  }

  /// Draws the name of a photo, and as many facts as there is room for, in one line.
  private func drawFactsLine(of asset: Asset, in area: CellRect, on frame: inout ScreenFrame) {
    let limit = area.columns - 2
    // The name has priority over facts; a long one leaves room for one of them. What is wrong with a file is more
    // important than all of a long name.
    let most = asset.defect.map { max(limit / 3, limit - DisplayText(" · \($0)").width) } ?? limit * 3 / 4
    let name = picker.preview.presented(asset).displayName.middleTruncated(to: max(12, most))
    var column = area.column + 1
    column += frame.put(name, row: area.row, column: column, limit: limit, style: .title)
    frame.highlight(
      picker.library.userFilter.namePatterns, row: area.row, column: area.column + 1, width: name.width)
    if let defect = asset.defect {
      frame.put(
        " · \(defect)", row: area.row, column: column, limit: area.endColumn - 1 - column, style: .defect)
      return
    }
    var facts = [
      picker.options.locale.date(of: asset),
      picker.options.locale.technicalFacts(of: picker.preview.presented(asset)),
    ]
    if let details = picker.preview.details[asset.id] { facts += picker.options.locale.cameraFacts(details) }
    let separator = DisplayText(DisplayText.separator)
    let text = Self.wholeFacts(facts, in: area.endColumn - 1 - column - separator.width)
    guard text.width > 0 else { return }
    column += frame.put(separator, row: area.row, column: column, style: .dim)
    frame.put(text, row: area.row, column: column, style: .dim)
  }

  /// Returns as many facts as fit in a width; each is shown in full or not at all, the last ones are dropped first.
  private static func wholeFacts(_ facts: [String], in width: Int) -> DisplayText {
    var text = DisplayText("")
    for fact in facts where !fact.isEmpty {
      let longer =
        text.width == 0 ? DisplayText(fact) : DisplayText(text.string + DisplayText.separator + fact)
      guard longer.width <= width else { break }
      text = longer
    }
    return text
  }
}
