import AssetLibrary

extension PickerState {
  /// Reports the asset that the cursor has come to, if the caller follows the cursor and could get it as a result.
  mutating func followCursor() -> [PickerEffect] {
    guard options.configuration.selection == .follow, isCursorSettled, let asset = current,
      asset.id != picks.followed, reasonNotSelectable(asset) == nil
    else { return [] }
    picks.followed = asset.id
    return [.follow(asset)]
  }

  /// Whether the cursor stands on an asset because it is to stand there.
  ///
  /// Until the first input it stays in the first place, on whatever the scan puts there. While another query is
  /// fetched the assets are those of the previous one, which the client might not even be allowed to see.
  private var isCursorSettled: Bool {
    page == .library && authorization.mode == .picking && !library.isFetchingNewQuery
      && (library.status.isComplete || grid.anchor != nil)
  }
}
