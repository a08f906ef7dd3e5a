package import Pixels

/// Encodes pictures as sixels, with a palette of their own.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14. Of a last band that the picture does not fill
/// only the picture's rows are set, and the raster attributes say the true height.
package struct SixelEncoder: PictureEncoder {
  /// Rows of pixels in one band.
  package static let band = 6

  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?
  private let preset: SixelPreset

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - registers: how many colours the terminal keeps for one picture.
  ///   - largest: the largest picture that the terminal draws.
  ///   - preset: what a picture may cost.
  package init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers))
    self.largest = largest
    self.preset = preset
  }

  package var geometry: PictureGeometry {
    PictureGeometry(cell: cell, heightStep: Self.band, largest: largest)
  }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty { return EncodedPicture(sixels: [], of: picture.size, cell: cell) }
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: preset.samples), count: colors,
      refinements: preset.refinements)
    let chosen = SixelColumns(picture, palette, thrift: preset.thrift)
    return EncodedPicture(
      sixels: SixelStream.bytes(of: chosen, palette: palette), of: picture.size, cell: cell)
  }
}

extension EncodedPicture {
  /// A picture in one sequence of sixels.
  /// - Parameters:
  ///   - size: its size in pixels; an empty one has no sequence.
  ///   - cell: the size of a character cell in pixels.
  init(sixels: [UInt8], of size: PixelSize, cell: PixelSize) {
    if size.isEmpty {
      let none = CellSize(columns: 0, rows: 0)
      self.init(size: none, covered: none, strips: [])
    } else {
      self.init(
        size: CellSize(
          columns: (size.width + cell.width - 1) / cell.width,
          rows: (size.height + cell.height - 1) / cell.height),
        covered: CellSize(columns: size.width / cell.width, rows: size.height / cell.height),
        strips: [Strip(row: 0, bytes: sixels)])
    }
  }
}
