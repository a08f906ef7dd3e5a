import AssetLibrary
import Pixels

extension PickerState {
  /// How long an old preview may stand in for the next one, in milliseconds.
  static let previewPatience = 150
  /// How many neighbours of the previewed picture are made ready, each way.
  static let prefetched = 2

  /// What every message may have changed: which pictures are wanted, and the facts of the current asset.
  mutating func followUp() -> [PickerEffect] {
    var effects: [PickerEffect] = []
    let before = wantedPreview(among: wants)
    askForPart()
    let wanted = stage == .library ? currentWants : []
    if wanted != wants {
      wants = wanted
      let keys = Set(wanted.map(\.key))
      effects.append(.demand(wanted))
      if let preview = wantedPreview(among: wanted), preview != before {
        effects += holdPreview(before, until: preview)
      }
      pictures = pictures.filter { keys.contains($0.key) || $0.key == heldPreview }
    }
    if stage == .library, preview != nil || overlay == .info { effects += wantDetails() }
    if stage == .library { effects += wantBursts() + wantPosters() }
    effects += followPlayback()
    return effects
  }

  /// Asks how many pictures the bursts in sight have, again after the library has changed.
  private mutating func wantBursts() -> [PickerEffect] {
    let bursts = rows.indexes(inRows: topRow..<topRow + layout.cells.rows).clamped(to: 0..<assets.count)
      .compactMap { assets[$0].burstIdentifier }
    let wanted = burstCounts.ask(for: bursts, isSettled: library.isComplete)
    return wanted.isEmpty ? [] : [.countBursts(wanted)]
  }

  /// The facts under the preview, read ahead like the pictures: they appear together.
  private mutating func wantDetails() -> [PickerEffect] {
    let distances = [0] + (1...Self.prefetched).flatMap { [$0, -$0] }
    let wanted = distances.compactMap(neighbour)
    let before = details
    details = [:]
    for asset in wanted { details[asset.id] = before[asset.id] ?? AssetDetails() }
    return wanted.filter { before[$0.id] == nil }.map(PickerEffect.loadDetails)
  }

  /// Asks for every picture again.
  mutating func forgetPictures() {
    wants = []
    pictures = [:]
    heldPreview = nil
  }

  private var preview: CellRect? { layout.preview }

  private func wantedPreview(among wants: [PictureWant]) -> PictureKey? {
    wants.first { $0.priority == .preview }?.key
  }

  /// Lets the old preview stand while the new one is being made.
  private mutating func holdPreview(_ old: PictureKey?, until new: PictureKey) -> [PickerEffect] {
    previewGeneration += 1
    if pictures[new] != nil {
      heldPreview = nil
      return []
    }
    if let old, case .ready = pictures[old] { heldPreview = old }
    // Cells of another size would not hold the old picture.
    if let held = heldPreview, held.size != new.size { heldPreview = nil }
    return [.startTimer(.preview(generation: previewGeneration), milliseconds: Self.previewPatience)]
  }

  mutating func take(_ statuses: [PictureKey: PictureStatus]) {
    for (key, status) in statuses { pictures[key] = status }
    if let wanted = wantedPreview(among: wants), pictures[wanted] != nil { heldPreview = nil }
  }

  /// The pictures that should be at hand, the most urgent first: the cursor's preview, the thumbnails in
  /// sight, those half a screen around, the neighbours' previews.
  private var currentWants: [PictureWant] {
    guard metrics.pictureGeometry != nil else { return [] }
    let layout = layout
    var wants: [PictureWant] = []
    let previewKey = previewKey(in: layout)
    if let asset = current, !asset.isBroken, let key = previewKey?(asset) {
      if let askedPart { wants.append(PictureWant(key: askedPart, asset: asset, priority: .preview)) }
      // The whole picture stays at hand: that is where the user comes back to.
      wants.append(PictureWant(key: key, asset: asset, priority: askedPart == nil ? .preview : .visible))
    }
    if !isFullScreen, let key = stripKey(in: layout) {
      let first = firstInStrip(layout)
      let shown = selection.assets.dropFirst(first).prefix(layout.stripCells.columns)
      wants += shown.compactMap { asset in
        asset.isBroken ? nil : PictureWant(key: key(asset), asset: asset, priority: .visible)
      }
    }
    if let key = thumbnailKey(in: layout), !isFullScreen, layout.grid != nil {
      let visible = layout.cells.rows
      let around = (visible + 1) / 2
      wants += want(rows.indexes(inRows: topRow..<topRow + visible), .visible, key)
      wants += want(rows.indexes(inRows: topRow + visible..<topRow + visible + around), .preheat, key)
      wants += want(rows.indexes(inRows: topRow - around..<topRow), .preheat, key)
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
    range.clamped(to: 0..<assets.count).compactMap { index in
      let asset = assets[index]
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
      ? nil : { PictureKey($0, size: size, mode: .aspectFit, version: version(of: $0)) }
  }

  /// The box of the previewed picture.
  func previewBox(in layout: ScreenLayout) -> CellRect? {
    guard let pane = layout.preview else { return nil }
    let box: CellRect
    if isFullScreen {
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
      let most = showsInfo ? min(inner.rows, max(6, pane.rows * 2 / 5)) : inner.rows
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
