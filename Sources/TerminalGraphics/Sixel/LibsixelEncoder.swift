package import Pixels

/// Encodes pictures as sixels with libsixel, whose error diffusion keeps what a palette of few colours loses.
///
/// The palette is tpick's own: its colours are nearer to the picture's than those that libsixel chooses (Decision 10).
/// Pictures lower than a band, which libsixel draws a band too low (1.10.3), and those that it refuses for want of
/// memory are drawn by `SixelEncoder`.
package struct LibsixelEncoder: PictureEncoder {
  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?
  private let preset: SixelPreset
  private let fallback: SixelEncoder

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - registers: how many colours the terminal keeps for one picture.
  ///   - largest: the largest picture that the terminal draws.
  ///   - preset: what a picture may cost; `speed` does without diffusion, which costs bytes.
  package init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers))
    self.largest = largest
    self.preset = preset
    fallback = SixelEncoder(cell: cell, registers: registers, largest: largest, preset: preset)
  }

  package var geometry: PictureGeometry { fallback.geometry }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty || picture.height < SixelBand.rowCount { return fallback.encode(picture) }
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: preset.samples), count: colors,
      refinements: preset.refinements)
    guard let bytes = LibsixelStream.bytes(of: picture, palette: palette, isDiffused: preset == .quality)
    else { return fallback.encode(picture) }
    return EncodedPicture(sixels: bytes, of: picture.size, cell: cell)
  }
}
