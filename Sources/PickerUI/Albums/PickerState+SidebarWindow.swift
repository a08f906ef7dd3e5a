import AssetLibrary
import Pixels

extension PickerState {
  func sidebarWindow(in layout: ScreenLayout) -> SidebarWindow? {
    guard let area = sidebarArea(in: layout) else { return nil }
    return SidebarWindow(
      area: area, lines: sidebar.albums.lines, first: sidebar.top, hasPosters: hasPosters(in: area))
  }

  private func sidebarArea(in layout: ScreenLayout) -> CellRect? {
    layout.sidebar?.inset(left: 1, right: layout.sidebarFloats ? 2 : 1)
  }

  /// Posters stand where there is room for many lines, and where a picture of a few cells can be told from others.
  private func hasPosters(in area: CellRect) -> Bool {
    area.rows >= SidebarWindow.leastRowsForPosters && posterKey != nil
  }

  /// Keeps the album that is looked at in sight, with its heading, moving the list no more than needed.
  mutating func scrollToAlbum() {
    guard let area = sidebarArea(in: layout) else { return }
    sidebar.scroll(
      to: input.focus == .sidebar ? sidebar.target : library.place, rows: area.rows,
      hasPosters: hasPosters(in: area))
  }

  // MARK: Posters

  /// Makes the token of a poster; nil where it could not be told from others.
  var posterKey: ((Asset) -> PictureKey)? {
    guard let pictureGeometry = metrics.pictureGeometry, pictureGeometry.isFine else { return nil }
    var box = pictureGeometry.pixels(for: SidebarWindow.poster)
    // A little lower than its rows, so that the one below does not touch it.
    box.height -= max(1, pictureGeometry.cell.height / 8)
    if box.height > pictureGeometry.heightStep { box.height -= box.height % pictureGeometry.heightStep }
    return box.isEmpty ? nil : { PictureKey($0, size: box, mode: .aspectFill) }
  }

  /// The albums in sight that a poster stands beside.
  private var posterCollections: [LocalIdentifier] {
    guard !preview.isFullScreen, let window = sidebarWindow(in: layout) else { return [] }
    return window.places.compactMap { $0.poster == nil ? nil : sidebar.albums.lines[$0.line].poster }
  }

  /// Asks for the posters in sight that are not known yet.
  mutating func wantPosters() -> [PickerEffect] {
    sidebar.posters.ask(for: posterCollections, isSettled: library.status.isComplete).map {
      [.fetchPosters($0)]
    } ?? []
  }

  /// The posters in sight, after everything else.
  func posterWants(in layout: ScreenLayout) -> [PictureWant] {
    guard let key = posterKey else { return [] }
    return posterCollections.compactMap { sidebar.posters.known[$0] }.map { asset in
      PictureWant(key: key(asset), asset: asset, priority: .prefetch)
    }
  }
}
