import AssetLibrary

extension PickerState {
  mutating func moveInGrid(_ command: Command) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    let geometry = layout.cells
    // In full screen there is one picture: all directions mean the next or the previous one.
    let isLine = preview.isFullScreen || geometry.columns == 0
    return moveCursor(
      to: grid.index(
        after: command, isLine: isLine, page: isLine ? 10 : max(1, geometry.rows),
        count: library.assets.count))
  }

  /// Puts the cursor at an asset, with the range that follows it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    grid.moveCursor(to: index, in: library.assets)
    return stretchRange()
  }
}
