import AssetLibrary
import Pixels

/// The visible photos of the grid in their tiles: their layout, the pictures they need, and how they are
/// drawn.
///
/// Created for a single frame or a single list of wanted pictures, and never stored.
struct Tiles {
  private let options: PickerOptions
  private let library: LibraryView
  private let grid: GridState
  private let selection: Selection
  private let pictures: PictureState
  private let layout: ScreenLayout
  private let rules: PickRules
  private let keyPhotos: KeyPhotos
  private let focus: InputState.Pane
  /// Whether picks have no order: one photo is chosen, or those that a client may see.
  private let marksWithoutNumbers: Bool
  /// The rectangles of boxes over the grid; photos are drawn up to their edges.
  private let covers: [CellRect]
  private let pictureGeometry: PictureGeometry?
  private var symbols: Symbols { options.symbols }

  init(of picker: PickerState) {
    (options, library, grid, selection) = (
      picker.options, picker.library, picker.grid, picker.picks.selection
    )
    (pictures, layout, rules, focus) = (picker.pictures, picker.layout, picker.rules, picker.input.focus)
    keyPhotos = KeyPhotos(of: picker)
    marksWithoutNumbers = picker.picks.selection.isSingleChoice || picker.authorization.mode == .managing
    covers = picker.layers.covers(in: picker)
    pictureGeometry = picker.layout.metrics.pictureGeometry
  }

  /// Draws the visible photos with their marks, the days above them, and the scroll bar.
  func draw(on frame: inout ScreenFrame, in area: CellRect) {
    drawTiles(on: &frame)
    drawScrollBar(on: &frame, area)
  }

  /// A photo and its position on the screen.
  private struct Tile {
    var index: Int
    var asset: Asset
    var key: PictureKey?
    /// The box of the tile, cut at the edge of the grid.
    var box: CellRect
    /// The part of the box that no other box covers; empty if it is too small to be useful.
    var seen: CellRect
  }

  // MARK: Visible tiles

  /// The visible tiles, in reading order.
  private var visible: [Tile] {
    let geometry = layout.cells
    let key = key
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

  /// The pictures to have ready, the most urgent first: the visible ones, then those within half a screen
  /// above and below.
  var wants: [PictureRequest] {
    guard let key, layout.grid != nil else { return [] }
    let whole = layout.cells.wholeRows
    // Half a screen around, and all photos that are visible again when the sidebar or a menu is closed.
    let (cells, closed) = (layout.cells, layout.cellsWhenClosed)
    let hidden = max(0, closed.count - whole * cells.columns)
    let around = max((whole + 1) / 2, (hidden + cells.columns - 1) / max(1, cells.columns))
    let end = grid.topRow + whole
    let full = { key($0, CellRect(of: layout.cells.box)) }
    let tiles = visible
    var wants = tiles.compactMap { tile in
      tile.asset.isBroken || tile.seen.isEmpty
        ? nil : tile.key.map { PictureRequest(key: $0, asset: tile.asset, priority: .visible) }
    }
    if grid.scrubbing.target != nil {
      wants += tiles.flatMap { tile in
        stillKeys(of: tile).map { PictureRequest(key: $0, asset: tile.asset, priority: .visible) }
      }
    }
    if tiles.contains(where: { $0.seen != $0.box }) {
      // Keeps covered pictures ready, so that they are drawn at once when the box is closed.
      wants += want(grid.rows.indexes(inRows: grid.topRow..<end), .visible, full)
    }
    wants += want(grid.rows.indexes(inRows: end..<end + around), .preheat, full)
    return wants + want(grid.rows.indexes(inRows: grid.topRow - around..<grid.topRow), .preheat, full)
  }

  private func want(
    _ range: Range<Int>, _ priority: ImagePriority, _ key: (Asset) -> PictureKey
  ) -> [PictureRequest] {
    range.clamped(to: 0..<library.assets.count).compactMap { index in
      let asset = library.assets[index]
      return asset.isBroken ? nil : PictureRequest(key: key(asset), asset: asset, priority: priority)
    }
  }

  /// The function that makes an asset's thumbnail key for the visible part of a tile; nil if no pictures are
  /// drawn.
  ///
  /// The rectangle is in cells from the tile's upper left corner.
  private var key: ((Asset, _ seen: CellRect) -> PictureKey)? {
    guard let pictureGeometry else { return nil }
    let box = layout.cells.box
    let size = pictureGeometry.pixels(for: box)
    guard !size.isEmpty else { return nil }
    let cell = pictureGeometry.cell
    // A picture smaller than its box is centered.
    let left = (box.columns * cell.width - size.width) / 2
    let top = (box.rows * cell.height - size.height) / 2
    return { asset, seen in
      var key = keyPhotos.shown(PictureKey(asset, size: size, mode: .aspectFill), of: asset)
      key.isPicked = isMarkedPicked(asset)
      key.isDimmed = !key.isPicked && (rules.isUnfit(asset) || rules.isBeyondLimit(asset, in: selection))
      if seen.size != box {
        let part = pictureGeometry.pixels(for: seen.size)
        key.cut = PictureCut(
          x: max(0, min(seen.column * cell.width - left, size.width - part.width)),
          y: max(0, min(seen.row * cell.height - top, size.height - part.height)),
          size: PixelSize(width: min(part.width, size.width), height: min(part.height, size.height)))
      }
      return key
    }
  }

  /// The key of a visible thumbnail that is shown whole and without marks; nil if there is none.
  func plainKey(at index: Int) -> PictureKey? {
    guard let tile = visible.first(where: { $0.index == index }), tile.seen == tile.box, let key = tile.key,
      tile.box.size == layout.cells.box, pictures.ready(for: key) == key
    else { return nil }
    return key == key.unmarked ? key : nil
  }

  // MARK: Stills

  /// Whether a visible photo has stills to show.
  var haveStills: Bool {
    grid.rows.indexes(inRows: grid.topRow..<grid.topRow + layout.cells.rows)
      .clamped(to: 0..<library.assets.count).contains { Self.hasStills(library.assets[$0]) }
  }

  /// Whether an asset moves, and its file can be read without a download.
  private static func hasStills(_ asset: Asset) -> Bool {
    !asset.isBroken && (asset.playableResource()?.isLocallyAvailable ?? false)
  }

  /// The still under the mouse; nil if there is none.
  func scrubTarget(under event: MouseEvent) -> Scrubbing.Target? {
    guard let place = layout.cells.place(row: event.row, column: event.column), !place.isCaption,
      let index = grid.index(at: place.index, in: layout.cells), library.assets.indices.contains(index),
      !covers.contains(where: { $0.contains(row: event.row, column: event.column) })
    else { return nil }
    let asset = library.assets[index]
    guard Self.hasStills(asset) else { return nil }
    let box = layout.cells.box(at: place.index)
    let part = (Double(event.column - box.column) + event.x) / Double(max(1, box.columns))
    let still = Int(part * Double(Scrubbing.stillCount))
    return Scrubbing.Target(asset: asset.id, still: max(0, min(Scrubbing.stillCount - 1, still)))
  }

  /// The outcome of a still in the tile under the mouse; nil while it is pending.
  func status(ofStill still: Int) -> PictureStatus? {
    guard let tile = visible.first(where: { $0.asset.id == grid.scrubbing.target?.asset }),
      let key = tile.key?.showing(still: still)
    else { return nil }
    return pictures[pictures.ready(for: key) ?? key]
  }

  /// The stills to have ready for a tile, the most urgent first.
  private func stillKeys(of tile: Tile) -> [PictureKey] {
    guard tile.asset.id == grid.scrubbing.target?.asset, let key = tile.key else { return [] }
    return grid.scrubbing.wanted.map(key.showing)
  }

  // MARK: One tile

  /// Draws a thumbnail, or a placeholder if it is loading, has failed, or the terminal shows no pictures.
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
    // A margin at both sides, if there is room for the words without it.
    let inner = DisplayText(reason).wrapped(to: box.columns - 2)
    let fits = inner.count < box.rows && inner.allSatisfy { $0.width < box.columns - 1 } && box.columns > 10
    let lines = (fits ? inner : DisplayText(reason).wrapped(to: box.columns)).prefix(max(0, box.rows - 1))
    var row = box.row + max(0, (box.rows - lines.count - 1) / 2)
    frame.put(
      symbols.grid.broken, row: row, column: box.column + box.columns / 2, style: .placeholder(.error))
    for line in lines {
      row += 1
      frame.put(
        line, row: row, column: box.column + (box.columns - line.width) / 2, style: .placeholder(.plain))
    }
  }

  /// Draws the visible tiles with their marks, the days above them, and the frame of the cursor.
  private func drawTiles(on frame: inout ScreenFrame) {
    let tiles = visible
    let isScrubbing = grid.scrubbing.target != nil
    for tile in tiles {
      var key = tile.key
      if isScrubbing { key = stillKeys(of: tile).first { pictures.ready(for: $0) != nil } ?? key }
      drawThumbnail(of: tile.asset, key: key, in: tile.seen, on: &frame)
      let isPicked = isMarkedPicked(tile.asset)
      // The frame of a pick is part of its picture.
      if isPicked, key.flatMap(pictures.ready) == nil { frame.drawPickFrame(inside: tile.seen) }
      drawMarks(of: tile.asset, in: tile.seen, standsForBurst: true, on: &frame)
    }
    for tile in tiles where tile.index == grid.cursor {
      // Without the focus, the grid shows its cursor only on a photo that is not marked as picked: the screen
      // must not seem to have two cursors.
      guard focus == .grid || !selection.contains(tile.asset.id) else { continue }
      // A box that covers a part of the frame would leave lines that mean nothing.
      guard !covers.contains(where: tile.box.framed.intersects) else { continue }
      frame.drawFrame(
        around: tile.box, in: layout.cells.area, style: focus == .grid ? .cursor : .rule)
    }
    // Names come after the cursor's frame, because they replace a part of its lower edge. Days replace a part
    // of its upper edge.
    for tile in tiles
    where layout.cells.captionRows > 0 && tile.seen.endRow == tile.box.row + layout.cells.box.rows
      && tile.seen.endRow < layout.cells.area.endRow
    {
      drawName(of: tile.asset, under: tile.box, on: &frame)
    }
    drawDays(above: tiles, on: &frame)
  }

  // MARK: Marks

  /// Whether a tile is marked as picked: its photo is picked, or another one of its burst.
  private func isMarkedPicked(_ asset: Asset) -> Bool {
    selection.contains(asset.id) || selection.count(inBurstOf: asset) > 0
  }

  /// The text of a pick mark: the number of the pick, or a check mark.
  ///
  /// For the tile of a burst of which other pictures are picked, the number of its picked pictures.
  private func pickText(of asset: Asset, standsForBurst: Bool) -> String? {
    let number = selection.number(of: asset.id)
    let picked = standsForBurst ? selection.count(inBurstOf: asset) : 0
    if picked > (number == nil ? 0 : 1) {
      let count = options.locale.number(picked)
      return asset.burstIdentifier.flatMap { grid.burstCounts[$0] }.map {
        "\(count) of \(options.locale.number($0))"
      } ?? count
    }
    return number.map { marksWithoutNumbers ? symbols.menus.checked : options.locale.number($0) }
  }

  /// Draws the badges and the pick mark into the corners of a tile.
  /// - Parameter standsForBurst: whether the tile represents all pictures of its burst.
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
      // Leaves room for the number of a pick.
      let limit = selection.contains(asset.id) ? box.columns - 4 : box.columns
      frame.mark(DisplayText(text), row: box.endRow - 1, column: box.column, limit: limit, style: .mark)
    }
    let kinds = badges(of: asset.mediaType == .video ? nil : asset, asset, in: box.columns)
    frame.mark(kinds, row: box.row, column: box.column, limit: box.columns, style: .mark)
  }

  /// Returns as many badges as fit side by side, without that of a video, whose duration is drawn instead.
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
    let isPicked = selection.contains(asset.id)
    let isDimmed = rules.isUnfit(asset) || rules.isBeyondLimit(asset, in: selection)
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
      // A label may extend over the gaps, and over tiles of the same day in its row.
      let follower = tiles.dropFirst(place + 1).first {
        $0.box.row == tile.box.row && library.day(of: $0.index) != day
      }
      let end = follower?.box.column ?? (tiles.last { $0.box.row == tile.box.row }?.box.endColumn ?? 0) + 1
      let width = tile.index == grid.cursor ? tile.box.columns : end - 1 - tile.box.column
      let labels = options.locale.dayLabels(
        day, hasYear: before.map { $0.year != day.year } ?? false,
        hasMonth: before.map { $0.month != day.month } ?? true)
      // The first label, with the weekday in full, is never used; the others are in order of length.
      let text = labels.dropFirst().first { DisplayText($0).width <= width } ?? ""
      frame.put(
        text, row: tile.box.row - 1, column: tile.box.column, limit: width,
        style: selection.isFull && !selection.isSingleChoice ? .dim : .dayHeader)
    }
  }

  /// The badges of a photo, the most important first.
  func badges(of asset: Asset) -> [String] {
    var badges: [String] = []
    if asset.isBroken { return [symbols.grid.broken] }
    if rules.hasForbiddenLineBreak(asset) { badges.append(symbols.badges.lineBreak) }
    if rules.isUnfit(asset) { badges.append(symbols.badges.unfit) }
    let isRemote =
      asset.sourceType.contains(.cloudShared) || !asset.isLocallyAvailable
      || asset.resources.contains { $0.type == .photoProxy }
    if isRemote {
      badges.append(symbols.badges.cloud + (pictures.downloadText(of: asset).map { " " + $0 } ?? ""))
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

  // MARK: Scroll bars

  /// Draws the scroll bar and the dates beside it.
  private func drawScrollBar(on frame: inout ScreenFrame, _ area: CellRect) {
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

  /// Draws the scroll position of the row of thumbnails into the rule above it.
  func drawCompactScrollBar(on frame: inout ScreenFrame) {
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
}

extension GridState {
  /// Draws the photos, or the reason why there are none, and the banner above them.
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let area = picker.layout.grid, !picker.preview.isFullScreen else { return }
    if let banner = picker.layout.banner { drawBanner(on: &frame, banner, in: picker) }
    guard !picker.library.assets.isEmpty else {
      frame.putMessage(
        emptyMessage(in: picker), in: messageArea(area, in: picker),
        inMiddleOf: picker.layout.metrics.size.columns)
      return
    }
    Tiles(of: picker).draw(on: &frame, in: area)
  }

  private func drawBanner(on frame: inout ScreenFrame, _ area: CellRect, in picker: PickerState) {
    let parts: [String]
    if picker.authorization.mode == .managing {
      // The last line shows the keys as well.
      let (words, keys) = (
        "Choose the photos that \(picker.options.client.name) may see",
        picker.options.keyLabel([.confirm: "done", .close: "back"])
      )
      parts = DisplayText("\(words) · \(keys)").width <= area.columns - 2 ? [words, keys] : [words]
    } else {
      let total = picker.options.locale.count(
        picker.library.photoCount ?? picker.library.status.assetCount, "photo", "photos")
      parts = [
        "Limited access", "\(picker.options.locale.number(picker.authorization.allowed.count)) of \(total)",
        picker.options.keyLabel([.manageAccess: "to choose others"]),
      ]
    }
    let width = area.columns - 2
    let text = Self.bannerText(parts.filter { !$0.isEmpty }, width: width)
    frame.put(text, row: area.row, column: area.column + 1, limit: width, style: .banner)
  }

  /// Joins the parts of a banner, as many as fit: the last one, which names the key, has priority.
  static func bannerText(_ parts: [String], width: Int) -> String {
    var parts = parts
    let joined = { (parts: [String]) in parts.joined(separator: " · ") }
    while parts.count > 1, DisplayText(joined(parts)).width > width { parts.remove(at: parts.count - 2) }
    return joined(parts)
  }

  /// The keys that help if the user's own search or filters find nothing.
  ///
  /// An open prompt names its own keys, because most keys type a character there.
  private func helpfulKeys(in picker: PickerState) -> [String] {
    if let ways = picker.layers.fromTop.lazy.compactMap({ $0.helpfulKeys(in: picker) }).first { return ways }
    let clearing =
      picker.library.userFilter.isNarrowed(beyond: picker.options.search)
      ? picker.options.keyLabel([.showEverything: "clear", .search: "search again"])
      : picker.options.keyLabel([.showEverything: "show everything here"])
    // Where the search finds something in all photos, the key searches them instead of opening the albums.
    return picker.library.countInAllPhotos == nil
      ? [clearing, picker.options.keyLabel([.nextPane: "other albums"])] : [clearing]
  }

  /// If there are no photos, the message also uses the area of the preview.
  private func messageArea(_ grid: CellRect, in picker: PickerState) -> CellRect {
    guard let preview = picker.layout.preview, picker.current == nil, picker.layout.menu == nil else {
      return grid
    }
    return preview.row == grid.row
      ? CellRect(
        column: grid.column, row: grid.row, columns: preview.endColumn - grid.column,
        rows: max(grid.rows, preview.rows))
      : CellRect(column: grid.column, row: grid.row, columns: grid.columns, rows: preview.endRow - grid.row)
  }

  /// Further unreadable sources are only reported on standard error.
  private static let mostUnreadableShown = 4

  /// The message in an empty grid: why it is empty and which key helps.
  private func emptyMessage(in picker: PickerState) -> [(text: String, style: TextStyle)] {
    if picker.library.isFetchingNewQuery && picker.library.userFilter.isEmpty
      || !picker.library.status.isComplete
    {
      return [("Reading the library…", .dim)]
    }
    if picker.library.isFetchingNewQuery { return [("Searching…", .dim)] }
    if picker.authorization.status == .limited, picker.authorization.mode == .picking,
      picker.authorization.allowed.isEmpty
    {
      return [
        ("No photos allowed yet", .bold), (picker.options.keyLabel([.manageAccess: "choose photos"]), .dim),
      ]
    }
    if picker.library.status.isStopped, picker.library.status.assetCount == 0 {
      return [("No photos here yet", .bold), (picker.library.status.stoppedMessage(picker.options), .dim)]
    }
    if picker.library.status.assetCount > 0, !picker.library.userFilter.isEmpty {
      let filter =
        picker.library.userFilter.text.isEmpty
        ? picker.library.userFilter.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }.joined(
          separator: ", ")
        : picker.library.userFilter.text
      if let count = picker.library.countInAllPhotos {
        let key =
          picker.layers[Prompt.self]?.purpose == .search
          ? Key.tab.label(picker.options.symbols) : picker.options.keyLabel(.nextPane)
        let way = key.map { ": \($0)" } ?? ""
        return [
          (
            "\(picker.library.nothingHere) · \(picker.options.locale.number(count)) in all photos\(way)",
            .bold
          )
        ] + helpfulKeys(in: picker).map { ($0, .dim) }
      }
      let place =
        picker.library.album == .recents
        ? ""
        : " in \(picker.library.title)" + (picker.library.countEverywhere == 0 ? " or in all photos" : "")
      var lines: [(String, TextStyle)] = [("Nothing found for “\(filter)”\(place)", .bold)]
      if let index = picker.library.correction {
        let key =
          picker.layers[Prompt.self] == nil
          ? picker.options.keyLabel(.nextPane) : Key.tab.label(picker.options.symbols)
        let question = picker.library.suggestions.list[index].title
        let sentence = question.prefix(1).uppercased() + question.dropFirst()
        lines.append((sentence + (key.map { " \($0)" } ?? ""), .plain))
      }
      return lines + helpfulKeys(in: picker).map { ($0, .dim) }
    }
    if let filter = picker.options.configuration.filter, picker.library.status.assetCount > 0 {
      return [
        ("Nothing here matches “\(filter)”", .bold),
        (picker.options.keyLabel([.nextPane: "other albums", .close: "leave"]), .dim),
      ]
    }
    if !picker.library.status.unreadableSources.isEmpty, picker.library.status.assetCount == 0 {
      // If some folder could be read, the grid is empty because it has no photos; the errors are listed
      // below.
      let title = picker.library.status.isUnreadable ? "Nothing could be read" : "No photos here"
      return [(title, .bold)]
        + picker.library.status.unreadableSources.prefix(Self.mostUnreadableShown).map {
          ($0.description, .plain)
        }
        + [(picker.options.keyLabel([.redraw: "try again", .close: "leave"]), .dim)]
    }
    return [
      ("No photos here", .bold),
      ("No photos or videos in \(picker.options.folderWords ?? "this folder") or its subfolders", .dim),
      (picker.options.keyLabel([.close: "leave"]), .dim),
    ]
  }
}

extension CellRect {
  /// A rectangle at the origin.
  init(of size: CellSize) { self.init(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// The largest part of the rectangle that another one leaves in one piece; empty if the rest is too small
  /// to be useful.
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
  /// Draws lines in the gaps around a tile, clipped to the area of the tiles.
  mutating func drawFrame(around box: CellRect, in area: CellRect, style: TextStyle) {
    drawBox(box.framed, symbols.lines, hasEnd: box.endRow < area.endRow, style: style)
  }

  /// Draws the frame of a pick into a tile that has no picture.
  mutating func drawPickFrame(inside box: CellRect) {
    guard box.columns > 2, box.rows > 2 else { return }
    drawBox(box, symbols.pickLines, style: .pickFrame)
  }

  /// Draws lines in the outermost cells of a rectangle.
  /// - Parameter hasEnd: whether the lower line is drawn, because its row is visible.
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
