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
    if stage == .library, preview != nil { effects += wantDetails() }
    return effects
  }

  /// The facts under the preview, read ahead like the pictures: they appear together.
  private mutating func wantDetails() -> [PickerEffect] {
    let distances = [0] + (1...Self.prefetched).flatMap { [$0, -$0] }
    let wanted = distances.map { cursor + $0 }.filter(assets.indices.contains).map { assets[$0] }
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
    guard metrics.grain != nil, !assets.isEmpty else { return [] }
    let layout = layout
    var wants: [PictureWant] = []
    let previewKey = previewKey(in: layout)
    if let asset = current, !asset.isBroken, let key = previewKey?(asset) {
      wants.append(PictureWant(key: key, asset: asset, priority: .preview))
    }
    if let key = thumbnailKey(in: layout), !isFullScreen, layout.grid != nil {
      let geometry = layout.cells
      let first = topRow * geometry.columns
      let around = geometry.columns * ((geometry.rows + 1) / 2)
      wants += want(first..<first + geometry.count, .visible, key)
      wants += want(first + geometry.count..<first + geometry.count + around, .preheat, key)
      wants += want(first - around..<first, .preheat, key)
    }
    if let previewKey {
      for distance in 1...Self.prefetched {
        wants += want(cursor + distance..<cursor + distance + 1, .prefetch, previewKey)
        wants += want(cursor - distance..<cursor - distance + 1, .prefetch, previewKey)
      }
    }
    return wants
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
    guard let grain = metrics.grain else { return nil }
    let size = grain.pixels(for: layout.cells.box)
    return size.isEmpty ? nil : { PictureKey($0, size: size, mode: .aspectFill) }
  }

  /// Makes the token of an asset's preview; nil where there is no room for one.
  func previewKey(in layout: ScreenLayout) -> ((Asset) -> PictureKey)? {
    guard let grain = metrics.grain, let box = previewBox(in: layout) else { return nil }
    let size = grain.pixels(for: box.size)
    return size.isEmpty ? nil : { PictureKey($0, size: size, mode: .aspectFit) }
  }

  /// The box of the previewed picture.
  func previewBox(in layout: ScreenLayout) -> CellRect? {
    guard let pane = layout.preview else { return nil }
    let box: CellRect
    if isFullScreen {
      box = pane.inset(top: 0, bottom: 1)
    } else if pane.rows < 12 {
      box = pane.inset(left: 1, right: 1, bottom: 1)
    } else {
      // As tall as a 4:3 picture across the pane: the facts below keep their place.
      let inner = pane.inset(left: 2, right: 2, bottom: Self.factRows + 1)
      let shape = Double(metrics.cell.width) / Double(max(1, metrics.cell.height))
      let height = Int((Double(inner.columns) * 0.75 * shape).rounded(.up))
      box = CellRect(
        column: inner.column, row: inner.row, columns: inner.columns, rows: min(inner.rows, height))
    }
    return box.isEmpty ? nil : box
  }

  /// Lines kept for the facts under a preview.
  static let factRows = 7
}
