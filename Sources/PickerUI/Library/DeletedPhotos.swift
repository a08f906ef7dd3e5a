import AssetLibrary

// Recently Deleted: its photos can be looked at, restored, and deleted for good, and nothing else.

extension LibraryView {
  /// Whether the current album is Recently Deleted.
  var showsRecentlyDeleted: Bool { album == .collection(SmartAlbum.recentlyDeleted.localIdentifier) }

  /// Whether keys apply to photos of Recently Deleted rather than of the library.
  func handlesDeletedPhotos(in pane: InputState.Pane) -> Bool { showsRecentlyDeleted && pane != .strip }
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
