import AssetLibrary
package import Pixels

extension PickerState {
  /// How many neighbors of the previewed picture are prefetched in each direction.
  private static let prefetchDistance = 2

  /// The effects that follow from the new state: pictures, facts, burst counts, posters and playback to
  /// request.
  mutating func followUp() -> [PickerEffect] {
    var effects: [PickerEffect] = []
    let before = pictures.wantedPreview
    preview.requestPart(current.flatMap { zoomedKey(of: $0, in: layout) }, pictures)
    let wanted = showsLibrary ? currentWants : []
    if wanted != pictures.wants {
      pictures.wants = wanted
      let keys = Set(wanted.map(\.key))
      // Until a picture has come with another mark, the one without stays.
      let unmarked = Set(keys.map(\.unmarked))
      effects.append(.demand(wanted))
      if let preview = wanted.wantedPreview, preview != before {
        let size = current.map { presented($0).pixelSize } ?? PixelSize(width: 0, height: 0)
        effects += self.preview.keepShowing(before, until: preview, size: size, pictures)
      }
      pictures.keep { [outgoing = preview.outgoing] in unmarked.contains($0.unmarked) || $0 == outgoing }
    }
    if showsLibrary, layout.preview != nil || layout.facts != nil || layers[InfoBox.self] != nil {
      let distances = [0] + (1...Self.prefetchDistance).flatMap { [$0, -$0] }
      effects += preview.requestDetails(of: distances.compactMap(neighbor))
    }
    if showsLibrary {
      effects += requestBurstCounts() + requestPosters()
      effects += layers[FilterMenu.self].map { $0.requestCounts(in: &self) } ?? []
    }
    effects += requestSuggestions() + followPlayback()
    return effects
  }

  /// Requests the counts of the visible bursts, again after the library has changed.
  private mutating func requestBurstCounts() -> [PickerEffect] {
    let bursts = grid.rows.indexes(inRows: grid.topRow..<grid.topRow + layout.cells.rows).clamped(
      to: 0..<library.assets.count
    )
    .compactMap { library.assets[$0].burstIdentifier }
    let wanted = grid.burstCounts.takeMissing(of: bursts, canRefresh: library.status.isComplete)
    return wanted.isEmpty ? [] : [.countBursts(wanted, authorization.mode)]
  }

  /// Drops all pictures, so that they are requested again.
  mutating func forgetPictures() {
    pictures.forgetAll()
    preview.outgoing = nil
  }

  mutating func add(_ statuses: [PictureKey: PictureStatus]) {
    pictures.add(statuses)
    if let wanted = pictures.wantedPreview, pictures[wanted] != nil { preview.outgoing = nil }
  }

  /// The pictures to have ready, the most urgent first: the preview, the visible thumbnails, those half a
  /// screen around, the neighbors' previews.
  private var currentWants: [PictureRequest] {
    guard metrics.pictureGeometry != nil else { return [] }
    let layout = layout
    var wants: [PictureRequest] = []
    let previewKey = previewKey(in: layout)
    if let asset = current, !asset.isBroken, let key = previewKey?(asset) {
      if let requestedPart = preview.requestedPart {
        wants.append(PictureRequest(key: requestedPart, asset: asset, priority: .preview))
      }
      // The whole picture stays ready for when the user zooms out.
      wants.append(
        PictureRequest(key: key, asset: asset, priority: preview.requestedPart == nil ? .preview : .visible))
    }
    wants += stripWants
    if let key = thumbnailKey(in: layout), !preview.isFullScreen, layout.grid != nil {
      let whole = layout.cells.wholeRows
      let around = (whole + 1) / 2
      let end = grid.topRow + whole
      let full = { key($0, CellRect(of: layout.cells.box)) }
      let tiles = visibleTiles(in: layout)
      wants += tiles.compactMap { tile in
        tile.asset.isBroken || tile.seen.isEmpty
          ? nil : tile.key.map { PictureRequest(key: $0, asset: tile.asset, priority: .visible) }
      }
      if tiles.contains(where: { $0.seen != $0.box }) {
        // What a box covers is back at once when the box is closed.
        wants += want(grid.rows.indexes(inRows: grid.topRow..<end), .visible, full)
      }
      wants += want(grid.rows.indexes(inRows: end..<end + around), .preheat, full)
      wants += want(grid.rows.indexes(inRows: grid.topRow - around..<grid.topRow), .preheat, full)
    }
    if let previewKey {
      for distance in (1...Self.prefetchDistance).flatMap({ [$0, -$0] }) {
        guard let asset = neighbor(distance), !asset.isBroken else { continue }
        wants.append(PictureRequest(key: previewKey(asset), asset: asset, priority: .prefetch))
      }
    }
    return (wants + posterWants(in: layout)).uniqued
  }

  private func want(
    _ range: Range<Int>, _ priority: ImagePriority, _ key: (Asset) -> PictureKey
  ) -> [PictureRequest] {
    range.clamped(to: 0..<library.assets.count).compactMap { index in
      let asset = library.assets[index]
      return asset.isBroken ? nil : PictureRequest(key: key(asset), asset: asset, priority: priority)
    }
  }

  /// The function that makes an asset's thumbnail key for what is seen of a tile; nil if no pictures are drawn.
  ///
  /// The rectangle is in cells from the tile's upper left corner.
  func thumbnailKey(in layout: ScreenLayout) -> ((Asset, _ seen: CellRect) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry else { return nil }
    let box = layout.cells.box
    let size = pictureGeometry.pixels(for: box)
    guard !size.isEmpty else { return nil }
    let cell = pictureGeometry.cell
    // A picture smaller than its box stands in the middle.
    let left = (box.columns * cell.width - size.width) / 2
    let top = (box.rows * cell.height - size.height) / 2
    return { [self] asset, seen in
      var key = PictureKey(asset, size: size, mode: .aspectFill)
      key.isPicked = isMarkedPicked(asset)
      key.isDimmed = !key.isPicked && (isUnfit(asset) || isBeyondLimit(asset))
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

  /// The size in pixels in which the grid shows photos; nil if no pictures are drawn.
  package var thumbnailSize: PixelSize? {
    let size = metrics.pictureGeometry?.pixels(for: layout.cells.box)
    return size.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The function that makes an asset's preview key; nil if there is no room for a preview.
  func previewKey(in layout: ScreenLayout) -> ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, let box = previewBox(in: layout) else { return nil }
    let size = pictureGeometry.pixels(for: box.size)
    return size.isEmpty
      ? nil : { PictureKey($0, size: size, mode: .aspectFit, version: preview.version(of: $0)) }
  }

  /// The box of the previewed picture.
  func previewBox(in layout: ScreenLayout) -> CellRect? {
    guard let pane = layout.preview else { return nil }
    let box: CellRect
    if preview.isFullScreen {
      box = pane.inset(top: 0, bottom: 1)
    } else if layout.isCompact {
      box = compactPreviewBox(in: pane)
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

  /// The part of a preview's box that a photo of some size takes: the facts follow below it.
  ///
  /// What has no size stands where most photos do.
  func fitted(_ size: PixelSize, in box: CellRect) -> CellRect {
    let size = size.isEmpty ? PixelSize(width: 4, height: 3) : size
    let rows = Double(box.columns) * metrics.cellShape * Double(size.height) / Double(size.width)
    var box = box
    box.rows = min(box.rows, max(3, Int(rows.rounded(.up))))
    return box
  }
}

extension [PictureRequest] {
  /// The wants without later duplicates of a picture.
  fileprivate var uniqued: [PictureRequest] {
    var keys: Set<PictureKey> = []
    return filter { keys.insert($0.key).inserted }
  }
}
