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
  private let isInStrips: Bool

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - registers: how many colours the terminal keeps for one picture.
  ///   - largest: the largest picture that the terminal draws.
  ///   - preset: what a picture may cost.
  ///   - isInStrips: whether large pictures come in several sequences, each of whole rows of cells.
  package init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality,
    isInStrips: Bool = false
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers))
    self.largest = largest
    self.preset = preset
    self.isInStrips = isInStrips
  }

  package var geometry: PictureGeometry {
    PictureGeometry(cell: cell, heightStep: SixelBand.rowCount, largest: largest)
  }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    if picture.size.isEmpty { return EncodedPicture(sixels: [], of: picture.size, cell: cell) }
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: preset.samples), count: colors,
      refinements: preset.refinements)
    let chosen = SixelColumns(picture, palette, thrift: preset.thrift, isDithered: isDithered(picture))
    var encoded = EncodedPicture(
      sixels: SixelStream.bytes(of: chosen, palette: palette), of: picture.size, cell: cell)
    guard isInStrips, let whole = encoded.strips.first, whole.bytes.count > Self.stripSize else {
      return encoded
    }
    let bands = bandsOfStrip
    encoded.strips = stride(from: 0, to: chosen.bandCount, by: bands).map { first in
      EncodedPicture.Strip(
        row: first * SixelBand.rowCount / cell.height,
        bytes: SixelStream.bytes(
          of: chosen, palette: palette, bands: first..<min(first + bands, chosen.bandCount)))
    }
    return encoded
  }

  /// Whether smooth areas are dithered: in thumbnails, of which a screen has many, steps are a pixel or two wide anyway.
  private func isDithered(_ picture: PixelBuffer) -> Bool {
    preset == .quality && picture.size.area >= Self.leastDithered
  }

  private static let leastDithered = 210 * 210

  /// Pictures of fewer bytes come in one sequence.
  private static let stripSize = 16_384

  /// How many bands are whole rows of cells, at least so many that the colors at the head of a strip don't count.
  private var bandsOfStrip: Int {
    let rows =
      (1...SixelBand.rowCount).first { $0 * cell.height % SixelBand.rowCount == 0 } ?? SixelBand.rowCount
    let least = rows * cell.height / SixelBand.rowCount
    return (Self.bandsWorthStrip + least - 1) / least * least
  }

  private static let bandsWorthStrip = 10
}
