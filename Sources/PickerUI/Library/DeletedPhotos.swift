import AssetLibrary

// Recently Deleted: its photos can be looked at, restored, and deleted for good, and nothing else.

extension PickerState {
  /// Whether keys apply to photos of Recently Deleted rather than of the library.
  var handlesDeletedPhotos: Bool { library.showsRecentlyDeleted && input.focus != .strip }

  /// The photos that are restored or deleted for good: all shown ones if the sidebar has the focus, otherwise the
  /// one under the cursor.
  private var deletedPhotos: [Asset] {
    // Until the album is fetched, the photos on the screen may be those of another one.
    guard !library.isFetchingNewQuery else { return [] }
    let photos = input.focus == .sidebar ? Array(library.assets) : current.map { [$0] } ?? []
    return photos.filter { $0.deletion != nil }
  }

  /// Moves deleted photos back to the folders that they came from.
  mutating func restoreDeletedPhotos() -> [PickerEffect] {
    let photos = deletedPhotos
    if photos.isEmpty { return [] }
    return edit(.changes([.restore(photos.map(\.id))]), "\(words(for: photos)) restored")
  }

  /// Asks whether to delete photos for good.
  mutating func askToDeletePermanently() -> [PickerEffect] {
    let photos = deletedPhotos
    if !photos.isEmpty { layers.open(DeleteQuestion(photos, isPermanent: true)) }
    return []
  }

  /// Deletes photos for good, after the question.
  mutating func deletePermanently(_ photos: [Asset]) -> [PickerEffect] {
    edit(.changes([.deletePermanently(photos.map(\.id))]), "\(words(for: photos)) deleted for good")
  }
}

extension LibraryView {
  /// Whether the current album is Recently Deleted.
  var showsRecentlyDeleted: Bool { album == .collection(SmartAlbum.recentlyDeleted.localIdentifier) }
}

extension AssetChange {
  /// The change without assets that were deleted for good; nil if nothing of it remains.
  func without(_ gone: Set<LocalIdentifier>) -> AssetChange? {
    let rest = { (assets: [LocalIdentifier]) in assets.filter { !gone.contains($0) } }
    switch self {
    case .delete(let assets): return Self.some(rest(assets)) { .delete($0) }
    case .restore(let assets): return Self.some(rest(assets)) { .restore($0) }
    case .addAssets(let assets, let album): return Self.some(rest(assets)) { .addAssets($0, to: album) }
    default: return requiredAssets.contains(where: gone.contains) ? nil : self
    }
  }

  private static func some(
    _ assets: [LocalIdentifier], _ change: ([LocalIdentifier]) -> AssetChange
  ) -> AssetChange? {
    assets.isEmpty ? nil : change(assets)
  }
}
