package import Pixels

/// Encodes pictures as sixels, with a palette of their own.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14. Of a last band that the picture does not fill
/// only the picture's rows are set, and the raster attributes say the true height.
package struct SixelEncoder: PictureEncoder {
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
    PictureGeometry(cell: cell, heightStep: SixelBand.rowCount, largest: largest)
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
