extension VirtualTerminal {
  /// The pictures of which anything is left, in drawing order.
  package var pictures: [TerminalPicture] {
    layer.living.values.sorted { $0.serial < $1.serial }
  }

  /// All pictures that were ever drawn.
  package var pictureHistory: [DrawnPicture] { layer.history }

  /// The number of bytes of all pictures.
  package var pictureBytes: Int { layer.history.reduce(0) { $0 + $1.byteCount } }

  /// How many cells of pictures were erased without printing over them, which many terminals ignore.
  package var pictureCellsOnlyErased: Int { layer.cellsOnlyErased }

  /// The picture that a cell shows.
  package func picture(atRow row: Int, column: Int) -> TerminalPicture? {
    layer.picture(at: TerminalPosition(row: row, column: column))
  }

  /// The displayed pictures of kitty's protocol, in the order they were placed.
  package var kittyPlacements: [KittyPlacement] { kittyLayer.placements }

  /// The numbers of the stored pictures of kitty's protocol.
  package var kittyImages: Set<UInt32> { Set(kittyLayer.images.keys) }

  /// The stored pictures of kitty's protocol, by their numbers.
  package var kittyPixels: [UInt32: KittyPixels] { kittyLayer.images }

  /// How many pictures of kitty's protocol were sent with their data.
  package var kittyTransmissions: Int { kittyLayer.transmissions }

  /// What kitty would have refused.
  package var kittyFaults: [String] { kittyLayer.faults }

  /// All complete files of iTerm2's protocol.
  package var inlineFiles: [InlineFile] { itermPayloads.compactMap(InlineFile.init) }

  /// Where pictures are shown, in any protocol.
  package var pictureAreas: Set<TerminalRectangle> {
    Set(pictures.map(\.area) + kittyPlacements.map(\.area))
  }

  /// The cells that show a picture outside of all these rectangles: ghosts, where no picture should be.
  package func pictureCells(outside rectangles: [TerminalRectangle] = []) -> [TerminalPosition] {
    pictures.flatMap(\.livingCells).filter { cell in !rectangles.contains { $0.contains(cell) } }.sorted()
  }

  /// A part of the screen as drawn by block characters, two pixels per cell.
  ///
  /// Half blocks are exact, other block characters are averaged over each half of the cell; unknown characters count as
  /// covering half.
  package func image(_ area: TerminalRectangle) -> BlockImage {
    let area = area.clipped(rows: rows, columns: columns)
    var rgb = [UInt8](repeating: 0, count: area.columns * area.rows * 6)
    for row in 0..<area.rows {
      for column in 0..<area.columns {
        let cell = cell(row: area.row + row, column: area.column + column)
        let colors = colors(of: cell)
        let coverage = BlockCoverage(of: cell.text)
        for (half, share) in [coverage.top, coverage.bottom].enumerated() {
          let base = ((row * 2 + half) * area.columns + column) * 3
          rgb[base] = Self.mix(colors.foreground.red, colors.background.red, share)
          rgb[base + 1] = Self.mix(colors.foreground.green, colors.background.green, share)
          rgb[base + 2] = Self.mix(colors.foreground.blue, colors.background.blue, share)
        }
      }
    }
    return BlockImage(width: area.columns, height: area.rows * 2, rgb: rgb)
  }

  private static func mix(_ front: UInt8, _ back: UInt8, _ share: Double) -> UInt8 {
    UInt8((Double(front) * share + Double(back) * (1 - share)).rounded())
  }
}
