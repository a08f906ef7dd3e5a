import AssetLibrary

extension PickerState {
  mutating func moveInGrid(_ command: Command) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    let geometry = layout.cells
    // In full screen all directions mean the next or the previous picture.
    let isLine = preview.isFullScreen || geometry.columns == 0
    return moveCursor(
      to: grid.index(
        after: command, isLine: isLine, page: isLine ? 10 : max(1, geometry.wholeRows),
        count: library.assets.count))
  }

  /// Changes the number of tiles in a row.
  mutating func setColumns(_ count: Int) {
    grid.size = .columns(max(2, min(GridSize.columnRange.upperBound, count)))
  }

  /// Moves the cursor to an asset and extends the active range to it.
  mutating func moveCursor(to index: Int) -> [PickerEffect] {
    guard !library.assets.isEmpty else { return [] }
    grid.moveCursor(to: index, in: library.assets)
    return extendRange()
  }
}
