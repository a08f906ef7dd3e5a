import AssetLibrary
import Pixels

extension PickerState {
  func sidebarWindow(in layout: ScreenLayout) -> SidebarWindow? {
    guard let area = sidebarArea(in: layout) else { return nil }
    return SidebarWindow(
      area: area, lines: sidebar.albums.lines, first: sidebar.top, hasPosters: posterKey != nil)
  }

  private func sidebarArea(in layout: ScreenLayout) -> CellRect? {
    let margins = SidebarWindow.margins
    return layout.sidebar?.inset(
      left: margins.left, right: layout.sidebarFloats ? margins.rightFloating : margins.right)
  }

  /// Scrolls as little as needed to make the current album and its heading visible.
  mutating func scrollToAlbum() {
    guard let area = sidebarArea(in: layout) else { return }
    sidebar.scroll(to: input.focus == .sidebar ? sidebar.target : library.album, rows: area.rows)
  }

  // MARK: Posters

  /// The function that makes a poster's key; nil if pictures are too coarse for posters.
  var posterKey: ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, pictureGeometry.isFine else { return nil }
    var box = pictureGeometry.pixels(for: SidebarWindow.poster)
    // Lower than its row, so that adjacent posters don't touch.
    box.height = min(box.height, pictureGeometry.cell.height - max(1, pictureGeometry.cell.height / 8))
    if box.height > pictureGeometry.heightStep { box.height -= box.height % pictureGeometry.heightStep }
    return box.isEmpty ? nil : { PictureKey($0, size: box, mode: .aspectFill) }
  }

  /// The collections of the visible posters.
  private var posterCollections: [LocalIdentifier] {
    guard !preview.isFullScreen, let window = sidebarWindow(in: layout) else { return [] }
    return window.places.compactMap { $0.poster == nil ? nil : sidebar.albums.lines[$0.line].poster }
  }

  /// Requests the missing or stale posters among the visible ones.
  mutating func requestPosters() -> [PickerEffect] {
    sidebar.posters.makeQuery(
      for: posterCollections, mode: authorization.mode, canRefresh: library.status.isComplete
    ).map {
      [.fetchPosters($0)]
    } ?? []
  }

  /// The pictures of the visible posters.
  func posterWants(in layout: ScreenLayout) -> [PictureRequest] {
    guard let key = posterKey else { return [] }
    return posterCollections.compactMap { sidebar.posters.known[$0] }.map { asset in
      PictureRequest(key: key(asset), asset: asset, priority: .prefetch)
    }
  }
}
