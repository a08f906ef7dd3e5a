package import Pixels

/// Draws pictures with block characters, two colors per cell.
///
/// For each cell it chooses the pattern and the two colors with the least squared error, in true color or among the
/// terminal's 256, 16 or 8 colors. Without colors, shapes are drawn by dithering.
package struct BlockEncoder: PictureEncoder {
  private let cell: PixelSize
  private let depth: ColorDepth
  private let symbols: BlockSymbols
  private let isInkDark: Bool
  private let pixels: PixelSize?

  /// - Parameters:
  ///   - cell: size of a character cell in pixels; only the aspect ratio matters.
  ///   - symbols: the characters to draw with; nil means ASCII without colors, otherwise halves, which every font
  ///     has. ASCII has no colors, whatever the depth.
  ///   - isInkDark: whether text is darker than its background; used only without colors.
  ///   - pixels: how many pixels of a picture a cell covers, for pictures made for another encoder; nil means as few
  ///     as keep the aspect ratio.
  package init(
    cell: PixelSize, depth: ColorDepth, symbols: BlockSymbols? = nil, isInkDark: Bool = false,
    pixels: PixelSize? = nil
  ) {
    self.cell = cell
    self.pixels = pixels
    self.depth = symbols == .ascii ? .monochrome : depth
    self.symbols = symbols ?? (depth == .monochrome ? .ascii : .half)
    self.isInkDark = isInkDark
  }

  /// The samples of a cell have its aspect ratio, so that pictures keep theirs: 4, 6 or 8 across, the fewest that
  /// fit.
  ///
  /// They need not be a multiple of the symbols' parts: a sample on a border counts partly for both sides.
  package var geometry: PictureGeometry {
    if let pixels { return PictureGeometry(cell: pixels, isFine: false) }
    let shape = Double(max(1, cell.height)) / Double(max(1, cell.width))
    let candidates = [4, 6, 8].map { width in
      let height = max(1, Int((Double(width) * shape).rounded()))
      return (
        size: PixelSize(width: width, height: height), error: abs(Double(height) / shape / Double(width) - 1)
      )
    }
    let good = candidates.first { $0.error <= 0.03 } ?? candidates.min { $0.error < $1.error }
    return PictureGeometry(cell: good?.size ?? PixelSize(width: 4, height: 8), isFine: false)
  }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let geometry = geometry.cell
    let size = CellSize(
      columns: max(1, (picture.width + geometry.width / 2) / geometry.width),
      rows: max(1, (picture.height + geometry.height / 2) / geometry.height))
    guard !picture.size.isEmpty else { return EncodedPicture(size: size, covered: size, strips: []) }
    var strips: [EncodedPicture.Strip] = []
    strips.reserveCapacity(size.rows)
    let sampler = CellSampler(picture.size, cells: size, grid: symbols.grid)
    if let chooser {
      withUnsafeTemporaryAllocation(of: BlockCell.self, capacity: size.columns) { cells in
        cells.initialize(repeating: BlockCell())
        sampler.forEachRow(of: picture) { row, samples in
          chooser.choose(samples, into: cells)
          let bytes = BlockText.row(cells, symbols: symbols, depth: depth)
          strips.append(EncodedPicture.Strip(row: row, bytes: bytes))
        }
      }
    } else {
      var drawing = InkDrawing(symbols: symbols, columns: size.columns, isInkDark: isInkDark)
      sampler.forEachRow(of: picture) { row, samples in
        strips.append(EncodedPicture.Strip(row: row, bytes: drawing.row(samples)))
      }
    }
    return EncodedPicture(size: size, covered: size, strips: strips)
  }

  /// Chooses the colors; nil if there are none.
  private var chooser: (any CellChooser)? {
    switch depth {
    case .trueColor: TrueColorChooser()
    case .palette256: IndexedColorChooser()
    case .sixteen: NamedColorChooser(count: 16)
    case .eight: NamedColorChooser(count: 8)
    case .monochrome: nil
    }
  }
}

/// Chooses patterns and colors with the least squared error over the parts of each cell.
protocol CellChooser {
  func choose(_ samples: CellSamples, into cells: UnsafeMutableBufferPointer<BlockCell>)
}
