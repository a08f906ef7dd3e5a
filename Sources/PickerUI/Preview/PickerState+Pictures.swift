import AssetLibrary
import Pixels

extension PickerState {
  /// How many neighbours of the previewed picture are made ready, each way.
  static let prefetched = 2

  /// What every message may have changed: which pictures are wanted, and the facts of the current asset.
  mutating func followUp() -> [PickerEffect] {
    var effects: [PickerEffect] = []
    let before = pictures.wantedPreview
    preview.askForPart(current.flatMap { zoomedKey(of: $0, in: layout) }, pictures)
    let wanted = page == .library ? currentWants : []
    if wanted != pictures.wants {
      pictures.wants = wanted
      let keys = Set(wanted.map(\.key))
      effects.append(.demand(wanted))
      if let preview = wanted.wantedPreview, preview != before {
        effects += self.preview.hold(before, until: preview, pictures)
      }
      pictures.keep { [held = preview.held] in keys.contains($0) || $0 == held }
    }
    if page == .library, layout.preview != nil || input.overlay == .info {
      let distances = [0] + (1...Self.prefetched).flatMap { [$0, -$0] }
      effects += preview.wantDetails(of: distances.compactMap(neighbour))
    }
    if page == .library { effects += wantBursts() + wantPosters() }
    effects += followPlayback()
    return effects
  }

  /// Asks how many pictures the bursts in sight have, again after the library has changed.
  private mutating func wantBursts() -> [PickerEffect] {
    let bursts = grid.rows.indexes(inRows: grid.topRow..<grid.topRow + layout.cells.rows).clamped(
      to: 0..<library.assets.count
    )
    .compactMap { library.assets[$0].burstIdentifier }
    let wanted = grid.burstCounts.ask(for: bursts, isSettled: library.status.isComplete)
    return wanted.isEmpty ? [] : [.countBursts(wanted)]
  }

  /// Asks for every picture again.
  mutating func forgetPictures() {
    pictures.forgetAll()
    preview.held = nil
  }

  mutating func add(_ statuses: [PictureKey: PictureStatus]) {
    pictures.add(statuses)
    if let wanted = pictures.wantedPreview, pictures[wanted] != nil { preview.held = nil }
  }

  /// The pictures that should be at hand, the most urgent first: the cursor's preview, the thumbnails in
  /// sight, those half a screen around, the neighbours' previews.
  private var currentWants: [PictureWant] {
    guard metrics.pictureGeometry != nil else { return [] }
    let layout = layout
    var wants: [PictureWant] = []
    let previewKey = previewKey(in: layout)
    if let asset = current, !asset.isBroken, let key = previewKey?(asset) {
      if let askedPart = preview.askedPart {
        wants.append(PictureWant(key: askedPart, asset: asset, priority: .preview))
      }
      // The whole picture stays at hand: that is where the user comes back to.
      wants.append(
        PictureWant(key: key, asset: asset, priority: preview.askedPart == nil ? .preview : .visible))
    }
    if !preview.isFullScreen, let key = stripKey(in: layout) {
      let first = firstInStrip(layout)
      let shown = picks.selection.assets.dropFirst(first).prefix(layout.stripCells.columns)
      wants += shown.compactMap { asset in
        asset.isBroken ? nil : PictureWant(key: key(asset), asset: asset, priority: .visible)
      }
    }
    if let key = thumbnailKey(in: layout), !preview.isFullScreen, layout.grid != nil {
      let visible = layout.cells.rows
      let around = (visible + 1) / 2
      wants += want(grid.rows.indexes(inRows: grid.topRow..<grid.topRow + visible), .visible, key)
      wants += want(
        grid.rows.indexes(inRows: grid.topRow + visible..<grid.topRow + visible + around), .preheat, key)
      wants += want(grid.rows.indexes(inRows: grid.topRow - around..<grid.topRow), .preheat, key)
    }
    if let previewKey {
      for distance in (1...Self.prefetched).flatMap({ [$0, -$0] }) {
        guard let asset = neighbour(distance), !asset.isBroken else { continue }
        wants.append(PictureWant(key: previewKey(asset), asset: asset, priority: .prefetch))
      }
    }
    return (wants + posterWants(in: layout)).uniqued
  }

  private func want(
    _ range: Range<Int>, _ priority: ImagePriority, _ key: (Asset) -> PictureKey
  ) -> [PictureWant] {
    range.clamped(to: 0..<library.assets.count).compactMap { index in
      let asset = library.assets[index]
      return asset.isBroken ? nil : PictureWant(key: key(asset), asset: asset, priority: priority)
    }
  }

  /// Makes the token of an asset's thumbnail; nil where no pictures are drawn.
  func thumbnailKey(in layout: ScreenLayout) -> ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry else { return nil }
    let size = pictureGeometry.pixels(for: layout.cells.box)
    return size.isEmpty ? nil : { PictureKey($0, size: size, mode: .aspectFill) }
  }

  /// Makes the token of a pick in the strip; nil where no pictures are drawn.
  func stripKey(in layout: ScreenLayout) -> ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, layout.strip != nil else { return nil }
    let size = pictureGeometry.pixels(for: layout.stripCells.box)
    return size.isEmpty ? nil : { PictureKey($0, size: size, mode: .aspectFill) }
  }

  /// Makes the token of an asset's preview; nil where there is no room for one.
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
    } else if pane.rows < 12 {
      box = pane.inset(left: 1, right: 1, bottom: 1)
    } else {
      // As tall as a 4:3 picture across the pane: the facts below keep their place.
      let inner = pane.inset(left: 2, right: 2, bottom: Self.factRows + 1)
      let shape = metrics.cellShape
      let height = Int((Double(inner.columns) * 0.75 * shape).rounded(.up))
      let most = preview.showsInfo ? min(inner.rows, max(6, pane.rows * 2 / 5)) : inner.rows
      box = CellRect(
        column: inner.column, row: inner.row, columns: inner.columns, rows: min(most, height))
    }
    return box.isEmpty ? nil : box
  }

  /// Lines kept for the facts under a preview.
  static let factRows = 7
}

extension [PictureWant] {
  /// The wants without those for a picture that is wanted before already.
  fileprivate var uniqued: [PictureWant] {
    var keys: Set<PictureKey> = []
    return filter { keys.insert($0.key).inserted }
  }
}
