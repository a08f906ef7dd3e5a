import AssetLibrary
import Pixels

extension PickerState {
  func drawGrid(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.grid, !preview.isFullScreen else { return }
    if let banner = layout.banner { drawBanner(on: &frame, banner) }
    guard !library.assets.isEmpty else {
      frame.putMessage(emptyMessage, in: messageArea(in: layout, area), inMiddleOf: metrics.size.columns)
      return
    }
    drawTiles(on: &frame, layout)
    drawScrollBar(on: &frame, area, layout)
  }

  private func drawBanner(on frame: inout ScreenFrame, _ area: CellRect) {
    let parts: [String]
    if authorization.mode == .managing {
      // The last line has the keys as well.
      let (words, keys) = (
        "Choose the photos that \(options.client.name) may see", keyLabel([.confirm: "done", .close: "back"])
      )
      parts = DisplayText("\(words) · \(keys)").width <= area.columns - 2 ? [words, keys] : [words]
    } else {
      let total = options.locale.count(library.photoCount ?? library.status.assetCount, "photo", "photos")
      parts = [
        "Limited access", "\(options.locale.number(authorization.allowed.count)) of \(total)",
        keyLabel([.manageAccess: "to choose others"]),
      ]
    }
    let width = area.columns - 2
    let text = Self.bannerText(parts.filter { !$0.isEmpty }, width: width)
    frame.put(text, row: area.row, column: area.column + 1, limit: width, style: .banner)
  }

  /// The parts of a banner side by side, as many as fit: the last one, which names the key, before all others.
  static func bannerText(_ parts: [String], width: Int) -> String {
    var parts = parts
    let joined = { (parts: [String]) in parts.joined(separator: " · ") }
    while parts.count > 1, DisplayText(joined(parts)).width > width { parts.remove(at: parts.count - 2) }
    return joined(parts)
  }

  /// Which keys help where the user's own search or filters find nothing; none that is typed where one types.
  private var waysOut: [String] {
    if let ways = layers.fromTop.lazy.compactMap({ $0.waysOut(in: self) }).first { return ways }
    let clearing =
      isNarrowedByUser
      ? keyLabel([.showEverything: "clears it", .search: "searches for something else"])
      : keyLabel([.showEverything: "shows everything here"])
    // Where the search finds something in all photos, the key leads there.
    return countInAllPhotos == nil ? [clearing, keyLabel([.nextPane: "for other albums"])] : [clearing]
  }

  /// Of more folders only the number is told.
  private static let mostFoldersShown = 3

  /// Where the photos come from, in words; nil where that is no folder.
  var folderWords: String? {
    let folders = options.opening.folders
    guard let first = folders.first else { return nil }
    if folders.count > Self.mostFoldersShown {
      return "\(shownPath(first)) and \(options.locale.number(folders.count - 1)) others"
    }
    let names = folders.map(shownPath)
    return names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// Where nothing is to be seen, a message has the preview's place as well.
  private func messageArea(in layout: ScreenLayout, _ grid: CellRect) -> CellRect {
    guard let preview = layout.preview, current == nil, layout.menu == nil else { return grid }
    return preview.row == grid.row
      ? CellRect(
        column: grid.column, row: grid.row, columns: preview.endColumn - grid.column,
        rows: max(grid.rows, preview.rows))
      : CellRect(column: grid.column, row: grid.row, columns: grid.columns, rows: preview.endRow - grid.row)
  }

  /// "Nothing in May 2022": what an album has of what is searched for.
  var nothingHere: String { "Nothing in \(DisplayText(library.title).truncated(to: 24).string)" }

  /// Of more sources that can't be read, the others are told on standard error.
  private static let mostUnreadableShown = 4

  /// The message in an empty grid: why it is empty and which key helps.
  private var emptyMessage: [(text: String, style: TextStyle)] {
    if library.isFetchingNewQuery && library.userFilter.isEmpty || !library.status.isComplete {
      return [("Reading the library…", .dim)]
    }
    if library.isFetchingNewQuery { return [("Searching…", .dim)] }
    if authorization.status == .limited, authorization.mode == .picking, authorization.allowed.isEmpty {
      return [("No photos allowed yet", .bold), (keyLabel([.manageAccess: "to select"]), .dim)]
    }
    if library.status.isStopped, library.status.assetCount == 0 {
      return [("No photos here yet", .bold), (stoppedMessage, .dim)]
    }
    if library.status.assetCount > 0, !library.userFilter.isEmpty {
      let filter =
        library.userFilter.text.isEmpty
        ? library.userFilter.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }.joined(
          separator: ", ")
        : library.userFilter.text
      if let count = countInAllPhotos {
        let key = layers[Prompt.self]?.purpose == .search ? Key.tab.label(symbols) : keyLabel(.nextPane)
        let way = key.map { ": \($0)" } ?? ""
        return [
          ("\(nothingHere) · \(options.locale.number(count)) in all photos\(way)", .bold)
        ] + waysOut.map { ($0, .dim) }
      }
      let place =
        library.album == .recents
        ? "" : " in \(library.title)" + (library.countEverywhere == 0 ? " or in all photos" : "")
      var lines: [(String, TextStyle)] = [("Nothing found for “\(filter)”\(place)", .bold)]
      if let index = correction {
        let key = layers[Prompt.self] == nil ? keyLabel(.nextPane) : Key.tab.label(symbols)
        let question = suggestions.list[index].title
        let sentence = question.prefix(1).uppercased() + question.dropFirst()
        lines.append((sentence + (key.map { " \($0)" } ?? ""), .plain))
      }
      return lines + waysOut.map { ($0, .dim) }
    }
    if let filter = options.configuration.filter, library.status.assetCount > 0 {
      return [
        ("Nothing here matches “\(filter)”", .bold),
        (keyLabel([.nextPane: "for other albums", .cancel: "to leave"]), .dim),
      ]
    }
    if !library.status.unreadableSources.isEmpty, library.status.assetCount == 0 {
      // A folder that was read and has nothing in it is no reason to look for an error elsewhere.
      let title = library.status.isUnreadable ? "Nothing could be read" : "No photos here"
      return [(title, .bold)]
        + library.status.unreadableSources.prefix(Self.mostUnreadableShown).map { ($0.description, .plain) }
        + [(keyLabel([.redraw: "tries again", .cancel: "to leave"]), .dim)]
    }
    return [
      ("No photos here", .bold),
      ("There is no picture or video in \(folderWords ?? "this folder") or below it.", .dim),
      (keyLabel([.cancel: "to leave"]), .dim),
    ]
  }

  /// Draws a thumbnail, or a placeholder: still loading, failed, or no pictures on this terminal.
  func drawThumbnail(of asset: Asset, key: PictureKey?, in box: CellRect, on frame: inout ScreenFrame) {
    guard !box.isEmpty else { return }
    if let defect = asset.defect {
      drawDefect(defect, in: box, on: &frame)
      return
    }
    if let shown = key.flatMap(pictures.ready) {
      frame.place(PictureSlot(key: shown, rect: box, alignment: .center))
      return
    }
    if let key, case .failed(let reason) = pictures[key] {
      drawDefect(reason, in: box, on: &frame)
      return
    }
    frame.fill(box, FrameCell(style: .placeholder))
    let isInCloud = key.map { pictures[$0] == .inCloud } ?? false
    let symbol =
      isInCloud ? symbols.badges.cloud : key == nil ? symbols.grid.noPicture : symbols.grid.loading
    let mark = DisplayText(symbol).truncated(to: box.columns)
    frame.put(
      mark, row: box.row + box.rows / 2, column: box.column + (box.columns - mark.width) / 2,
      style: .placeholder)
  }

  /// Draws the placeholder of a picture that can't be shown.
  private func drawDefect(_ reason: String, in box: CellRect, on frame: inout ScreenFrame) {
    frame.fill(box, FrameCell(style: .placeholder))
    let lines = DisplayText(reason).wrapped(to: box.columns).prefix(max(0, box.rows - 1))
    var row = box.row + max(0, (box.rows - lines.count - 1) / 2)
    frame.put(
      symbols.grid.broken, row: row, column: box.column + box.columns / 2, style: .placeholder(.error))
    for line in lines {
      row += 1
      frame.put(
        line, row: row, column: box.column + (box.columns - line.width) / 2, style: .placeholder(.plain))
    }
  }
}

extension PickerState {
  /// Draws the visible tiles with their marks, the days above them, and the frame of the cursor.
  private func drawTiles(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let tiles = visibleTiles(in: layout)
    for tile in tiles {
      drawThumbnail(of: tile.asset, key: tile.key, in: tile.seen, on: &frame)
      let isPicked = isMarkedPicked(tile.asset)
      // A picture has the frame in its own pixels.
      if isPicked, tile.key.flatMap(pictures.ready) == nil { frame.drawPickFrame(inside: tile.seen) }
      drawMarks(of: tile.asset, in: tile.seen, standsForBurst: true, on: &frame)
    }
    for tile in tiles where tile.index == grid.cursor {
      // There is one cursor: where another pane has it, the mark of a pick says enough.
      guard input.focus == .grid || !picks.selection.contains(tile.asset.id) else { continue }
      // No piece of it beside a box.
      guard !covers.contains(where: tile.box.framed.intersects) else { continue }
      frame.drawFrame(
        around: tile.box, in: layout.cells.area, style: input.focus == .grid ? .cursor : .rule)
    }
    // Over the lower edges of frames, as the days stand over the upper ones.
    for tile in tiles
    where layout.cells.captionRows > 0 && tile.seen.endRow == tile.box.row + layout.cells.box.rows {
      drawName(of: tile.asset, under: tile.box, on: &frame)
    }
    drawDays(above: tiles, on: &frame)
  }

  /// A photo in its place on the screen.
  struct Tile {
    var index: Int
    var asset: Asset
    var key: PictureKey?
    /// Its place, down to the edge of the grid.
    var box: CellRect
    /// What of it is not under another box; empty where that is too little to be looked at.
    var seen: CellRect
  }

  /// The photos in sight, in their places.
  func visibleTiles(in layout: ScreenLayout) -> [Tile] {
    let geometry = layout.cells
    let key = thumbnailKey(in: layout)
    let covers = covers
    return (0..<geometry.rows).flatMap { line in
      grid.rows.indexes(inRow: grid.topRow + line).filter(library.assets.indices.contains).enumerated().map {
        column, index in
        let box = geometry.box(at: line * geometry.columns + column)
        let asset = library.assets[index]
        let seen = covers.reduce(box) { $0.largestPart(beside: $1) }
        let part = CellRect(
          column: seen.column - box.column, row: seen.row - box.row, columns: seen.columns, rows: seen.rows)
        return Tile(index: index, asset: asset, key: key?(asset, part), box: box, seen: seen)
      }
    }
  }

  // MARK: Marks

  /// Whether a tile of the grid is marked: its photo is picked, or another one of its burst.
  func isMarkedPicked(_ asset: Asset) -> Bool {
    picks.selection.contains(asset.id) || picks.selection.count(inBurstOf: asset) > 0
  }

  /// What is said of a pick: its number, or how many of its burst are picked, where that is not it alone.
  private func pickText(of asset: Asset, standsForBurst: Bool) -> String? {
    let number = picks.selection.number(of: asset.id)
    let picked = standsForBurst ? picks.selection.count(inBurstOf: asset) : 0
    if picked > (number == nil ? 0 : 1) {
      let count = options.locale.number(picked)
      return asset.burstIdentifier.flatMap { grid.burstCounts[$0] }.map {
        "\(count) of \(options.locale.number($0))"
      } ?? count
    }
    return number.map { isSingleChoice ? symbols.menus.checked : options.locale.number($0) }
  }

  /// Draws what a photo is and whether it is picked into the corners of its tile.
  /// - Parameter standsForBurst: whether the tile stands for all pictures of its burst.
  func drawMarks(
    of asset: Asset, in box: CellRect, standsForBurst: Bool = false, on frame: inout ScreenFrame
  ) {
    guard box.rows > 1, !asset.isBroken else { return }
    if let words = pickText(of: asset, standsForBurst: standsForBurst) {
      let digits = words.count <= box.columns ? words : words.replacing(" of ", with: "/")
      let text = DisplayText(digits.count + 2 <= box.columns ? " \(digits) " : digits)
      frame.mark(
        text, row: box.endRow - 1, column: box.endColumn - text.width, limit: box.columns, style: .pickNumber)
    }
    guard box.rows > 2 else { return }
    if asset.mediaType == .video {
      let text = asset.duration > 0 ? options.locale.duration(asset.duration) : symbols.badges.video
      // Beside the number of a pick.
      let limit = picks.selection.contains(asset.id) ? box.columns - 4 : box.columns
      frame.mark(DisplayText(text), row: box.endRow - 1, column: box.column, limit: limit, style: .mark)
    }
    let kinds = badges(of: asset.mediaType == .video ? nil : asset, asset, in: box.columns)
    frame.mark(kinds, row: box.row, column: box.column, limit: box.columns, style: .mark)
  }

  /// As many badges as fit beside each other, but for a video's: it has its duration.
  private func badges(of still: Asset?, _ asset: Asset, in width: Int) -> DisplayText {
    let all = badges(of: asset).filter { still != nil || !$0.hasPrefix(symbols.badges.video) }
    var text = DisplayText("")
    for badge in all {
      let longer = DisplayText(text.width == 0 ? badge : "\(text.string) \(badge)")
      guard longer.width <= width else { break }
      text = longer
    }
    return text
  }

  /// Draws the name of a photo below its tile.
  private func drawName(of asset: Asset, under box: CellRect, on frame: inout ScreenFrame) {
    let name = asset.displayName.middleTruncated(to: box.columns)
    let isPicked = picks.selection.contains(asset.id)
    let isDimmed = isUnfit(asset) || isBeyondLimit(asset)
    frame.put(
      name, row: box.endRow, column: box.column, limit: box.columns,
      style: isPicked
        ? TextStyle(.accent, part: .caption) : TextStyle(isDimmed ? .dim : .plain, part: .caption))
    frame.highlight(library.userFilter.namePatterns, row: box.endRow, column: box.column, width: name.width)
  }

  // MARK: Days

  /// Writes each day above its first photo, and above the first photo on the screen.
  private func drawDays(above tiles: [Tile], on frame: inout ScreenFrame) {
    var before: CalendarDay?
    for (place, tile) in tiles.enumerated() {
      guard let day = library.day(of: tile.index) else { return }
      defer { before = day }
      guard day != before else { continue }
      // A label may go on over the gaps, and over tiles of the same day in its row.
      let follower = tiles.dropFirst(place + 1).first {
        $0.box.row == tile.box.row && library.day(of: $0.index) != day
      }
      let end = follower?.box.column ?? (tiles.last { $0.box.row == tile.box.row }?.box.endColumn ?? 0) + 1
      let width = tile.index == grid.cursor ? tile.box.columns : end - 1 - tile.box.column
      let labels = options.locale.dayLabels(
        day, hasYear: before.map { $0.year != day.year } ?? false,
        hasMonth: before.map { $0.month != day.month } ?? true)
      // Days of the week are cut first.
      let text = labels.dropFirst().first { DisplayText($0).width <= width } ?? ""
      frame.put(
        text, row: tile.box.row - 1, column: tile.box.column, limit: width,
        style: picks.selection.isFull && !isSingleChoice ? .dim : .dayHeader)
    }
  }
}

extension PickerState {
  /// How much of an original has come; nil while it is not on its way.
  func downloadText(of asset: Asset) -> String? {
    pictures.downloads[asset.id].map { "\(Int(($0 * 100).rounded(.down)))%" }
  }

  /// What a photo is, in symbols and words, the most important first.
  func badges(of asset: Asset) -> [String] {
    var badges: [String] = []
    if asset.isBroken { return [symbols.grid.broken] }
    if hasForbiddenLineBreak(asset) { badges.append(symbols.badges.lineBreak) }
    if isUnfit(asset) { badges.append(symbols.badges.unfit) }
    let isRemote =
      asset.sourceType.contains(.cloudShared) || !asset.isLocallyAvailable
      || asset.resources.contains { $0.type == .photoProxy }
    if isRemote {
      badges.append(symbols.badges.cloud + (downloadText(of: asset).map { " " + $0 } ?? ""))
    }
    if asset.mediaType == .video {
      let length = asset.duration > 0 ? " " + options.locale.duration(asset.duration) : ""
      badges.append(symbols.badges.video + length)
    }
    if asset.mediaSubtypes.contains(.livePhoto) { badges.append(symbols.badges.livePhoto) }
    if asset.mediaSubtypes.contains(.animated) { badges.append(symbols.badges.animation) }
    if let burst = asset.burstIdentifier {
      badges.append(
        symbols.badges.burst + (grid.burstCounts[burst].map { $0 > 1 ? options.locale.number($0) : "" } ?? "")
      )
    }
    if asset.mediaSubtypes.contains(.raw) { badges.append(symbols.badges.raw) }
    if asset.mediaSubtypes.contains(.panorama) { badges.append(symbols.badges.panorama) }
    if asset.mediaSubtypes.contains(.hdr) { badges.append(symbols.badges.hdr) }
    if asset.hasAdjustments { badges.append(symbols.badges.edited) }
    if asset.isFavorite { badges.append(symbols.badges.favorite) }
    return badges
  }
}

extension PickerState {
  /// Draws the scroll bar and the dates beside it.
  private func drawScrollBar(on frame: inout ScreenFrame, _ area: CellRect, _ layout: ScreenLayout) {
    let visible = layout.cells.wholeRows
    guard grid.rows.rowCount > visible, visible > 0, area.rows > 2, !layout.isCompact else { return }
    let length = max(1, area.rows * visible / grid.rows.rowCount)
    let start = (area.rows - length) * grid.topRow / max(1, grid.rows.rowCount - visible)
    for row in start..<start + length {
      frame.put(symbols.grid.scrollBar, row: area.row + row, column: area.endColumn - 1, style: .scrollBar)
    }
    if layout.hasYears { drawDates(on: &frame, area) }
  }

  /// Draws years where they begin along the scroll bar, or months if there is only one year.
  private func drawDates(on frame: inout ScreenFrame, _ area: CellRect) {
    guard let days = library.days, let first = days.first?.day, let last = days.last?.day else { return }
    let hasYears = first.year != last.year
    var (shown, line) = (Int.min, Int.min)
    for section in days {
      let value = hasYears ? section.day.year : section.day.month
      guard value != shown else { continue }
      shown = value
      let row = area.rows * grid.rows.row(of: section.start) / max(1, grid.rows.rowCount)
      guard row > line, row < area.rows else { continue }
      line = row
      let months = options.locale.months
      let text =
        hasYears ? String(value) : months.indices.contains(value - 1) ? months[value - 1] : String(value)
      let label = DisplayText(text).head(cells: 4)
      frame.put(label, row: area.row + row, column: area.endColumn - 1 - label.width, style: .dim)
    }
  }

  /// The row of the grid for a click on the scroll bar.
  func row(atScrollBar row: Int, in area: CellRect) -> Int {
    max(0, min(grid.rows.rowCount - 1, (row - area.row) * grid.rows.rowCount / max(1, area.rows)))
  }
}

extension PickerState {
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

extension CellRect {
  /// A rectangle at the origin.
  init(of size: CellSize) { self.init(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// The largest part of the rectangle that another one leaves in one piece; empty where too little is left to be
  /// looked at.
  func largestPart(beside cover: CellRect) -> CellRect {
    guard intersects(cover) else { return self }
    let parts = [
      CellRect(column: column, row: row, columns: columns, rows: cover.row - row),
      CellRect(column: column, row: cover.endRow, columns: columns, rows: endRow - cover.endRow),
      CellRect(column: column, row: row, columns: cover.column - column, rows: rows),
      CellRect(column: cover.endColumn, row: row, columns: endColumn - cover.endColumn, rows: rows),
    ]
    let most = parts.max { $0.columns * $0.rows < $1.columns * $1.rows } ?? self
    let isWorthALook = most.rows >= 2 && most.columns >= 4
    return isWorthALook ? most : CellRect(column: column, row: row, columns: 0, rows: 0)
  }

  /// The rectangle with the cells of a frame around it.
  fileprivate var framed: CellRect {
    CellRect(column: column - 1, row: row - 1, columns: columns + 2, rows: rows + 2)
  }
}

extension ScreenFrame {
  /// Draws lines in the gaps around a tile, as far as they lie in the area of the tiles.
  mutating func drawFrame(around box: CellRect, in area: CellRect, style: TextStyle) {
    drawBox(box.framed, symbols.lines, hasEnd: box.endRow < area.endRow, style: style)
  }

  /// Draws the frame of a pick into a tile that has no picture.
  mutating func drawPickFrame(inside box: CellRect) {
    guard box.columns > 2, box.rows > 2 else { return }
    drawBox(box, symbols.pickLines, style: .pickFrame)
  }

  /// Draws lines in the outermost cells of a rectangle.
  /// - Parameter hasEnd: whether the last row belongs to it.
  private mutating func drawBox(
    _ box: CellRect, _ lines: Symbols.Lines, hasEnd: Bool = true, style: TextStyle
  ) {
    let horizontal = String(repeating: lines.horizontal, count: max(0, box.columns - 2))
    put(lines.topLeft + horizontal + lines.topRight, row: box.row, column: box.column, style: style)
    for row in box.row + 1..<max(box.row + 1, box.endRow - 1) {
      put(lines.vertical, row: row, column: box.column, style: style)
      put(lines.vertical, row: row, column: box.endColumn - 1, style: style)
    }
    guard hasEnd else { return }
    put(
      lines.bottomLeft + horizontal + lines.bottomRight, row: box.endRow - 1, column: box.column, style: style
    )
  }
}
