import AssetLibrary
import Pixels

extension PickerState {
  /// Draws the visible tiles with their marks, the days above them, and the frame of the cursor.
  func drawTiles(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let tiles = visibleTiles(in: layout)
    for tile in tiles {
      drawThumbnail(of: tile.asset, key: tile.key, in: tile.box, on: &frame)
      let isPicked = isMarkedPicked(tile.asset)
      // A picture has the frame in its own pixels.
      if isPicked, tile.key.flatMap(pictures.ready) == nil { frame.drawPickFrame(inside: tile.box) }
      drawMarks(of: tile.asset, in: tile.box, standsForBurst: true, on: &frame)
    }
    for tile in tiles where tile.index == grid.cursor {
      // There is one cursor: where another pane has it, the mark of a pick says enough.
      guard input.focus == .grid || !picks.selection.contains(tile.asset.id) else { continue }
      frame.drawFrame(
        around: tile.box, in: layout.cells.area, style: input.focus == .grid ? .cursor : .rule)
    }
    // Over the lower edges of frames, as the days stand over the upper ones.
    for tile in tiles where layout.cells.captionRows > 0 && tile.box.rows == layout.cells.box.rows {
      drawName(of: tile.asset, under: tile.box, on: &frame)
    }
    drawDays(above: tiles, on: &frame)
  }

  /// A photo in its place on the screen.
  private struct Tile {
    var index: Int
    var asset: Asset
    var key: PictureKey?
    var box: CellRect
  }

  private func visibleTiles(in layout: ScreenLayout) -> [Tile] {
    let geometry = layout.cells
    let key = thumbnailKey(in: layout)
    return (0..<geometry.rows).flatMap { line in
      grid.rows.indexes(inRow: grid.topRow + line).enumerated().map { column, index in
        let box = geometry.box(at: line * geometry.columns + column)
        let asset = library.assets[index]
        return Tile(index: index, asset: asset, key: key?(asset, box.rows), box: box)
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
    let name = name(of: asset).middleTruncated(to: box.columns)
    let isPicked = picks.selection.contains(asset.id)
    let isDimmed = isUnfit(asset) || isBeyondLimit(asset)
    frame.put(
      name, row: box.endRow, column: box.column, limit: box.columns,
      style: isPicked
        ? TextStyle(.accent, part: .caption) : TextStyle(isDimmed ? .dim : .plain, part: .caption))
    highlight(searchPatterns, row: box.endRow, column: box.column, width: name.width, on: &frame)
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
