public import Pixels

/// Encodes pictures as sixels, with a palette of their own.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14. Heights are cut to a multiple of 6,
/// one band of sixels: terminals disagree on what an unfinished band does to the cursor.
public struct SixelEncoder: PictureEncoder {
  /// Rows of pixels in one band.
  public static let band = 6

  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?
  private let preset: SixelPreset

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - registers: how many colours the terminal keeps for one picture.
  ///   - largest: the largest picture that the terminal draws.
  ///   - preset: what a picture may cost.
  public init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers))
    self.largest = largest
    self.preset = preset
  }

  public var grain: PictureGrain {
    PictureGrain(cell: cell, heightStep: Self.band, largest: largest)
  }

  public func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let none = CellSize(columns: 0, rows: 0)
    if picture.size.isEmpty { return EncodedPicture(size: none, covered: none, strips: []) }
    let picture = picture.wholeBands
    let palette = ColorPalette(
      for: ColorHistogram(of: picture, samples: preset.samples), count: colors,
      refinements: preset.refinements)
    let chosen = SixelColumns(picture, palette, thrift: preset.thrift)
    let size = CellSize(
      columns: (picture.width + cell.width - 1) / cell.width,
      rows: (picture.height + cell.height - 1) / cell.height)
    let covered = CellSize(columns: picture.width / cell.width, rows: picture.height / cell.height)
    let bytes = SixelStream.bytes(of: chosen, palette: palette)
    return EncodedPicture(
      size: size, covered: covered, strips: [EncodedPicture.Strip(row: 0, bytes: bytes)])
  }
}

extension PixelBuffer {
  /// The picture with its height a multiple of a band: cut by up to five rows, or its last row repeated
  /// where it has fewer than one band.
  fileprivate var wholeBands: PixelBuffer {
    let band = SixelEncoder.band
    if height >= band {
      return height % band == 0
        ? self : cropped(x: 0, y: 0, to: PixelSize(width: width, height: height - height % band))
    }
    var bytes = bytes
    let last = Array(bytes.suffix(width * Self.bytesPerPixel))
    for _ in height..<band { bytes += last }
    return PixelBuffer(size: PixelSize(width: width, height: band), bytes: bytes)
  }
}
