package import Pixels

/// Encodes pictures as sixels, with a palette for each.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14. In a last band that the picture does not
/// fill, only the picture's rows are set, and the raster attributes state the true height.
package struct SixelEncoder: PictureEncoder {
  private let cell: PixelSize
  private let colors: Int
  private let largest: PixelSize?
  private let preset: SixelPreset
  private let isInStrips: Bool
  private let ground: Color?

  /// - Parameters:
  ///   - cell: size of a character cell in pixels.
  ///   - registers: number of colors that the terminal stores for one picture.
  ///   - largest: size of the largest picture that the terminal draws.
  ///   - preset: how many bytes and how much time a picture may cost.
  ///   - isInStrips: whether large pictures are sent in several sequences, each of whole rows of cells.
  ///   - ground: color of the screen, for a terminal that fills the rest of a picture's cells with register 0.
  package init(
    cell: PixelSize, registers: Int = 256, largest: PixelSize? = nil, preset: SixelPreset = .quality,
    isInStrips: Bool = false, ground: Color? = nil
  ) {
    self.cell = cell
    colors = min(preset.colors, max(2, registers)) - (ground == nil ? 0 : 1)
    self.ground = ground
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
      sixels: SixelStream.bytes(of: chosen, palette: palette, ground: ground), of: picture.size, cell: cell)
    guard isInStrips, let whole = encoded.strips.first, whole.bytes.count > Self.stripSize else {
      return encoded
    }
    let bands = bandsOfStrip
    encoded.strips = stride(from: 0, to: chosen.bandCount, by: bands).map { first in
      EncodedPicture.Strip(
        row: first * SixelBand.rowCount / cell.height,
        bytes: SixelStream.bytes(
          of: chosen, palette: palette, ground: ground, bands: first..<min(first + bands, chosen.bandCount)))
    }
    return encoded
  }

  /// Returns whether smooth areas are dithered: in thumbnails, of which a screen has many, steps are only a pixel
  /// or two wide.
  private func isDithered(_ picture: PixelBuffer) -> Bool {
    preset == .quality && picture.size.area >= Self.leastDithered
  }

  private static let leastDithered = 210 * 210

  /// Smaller pictures, in bytes, are sent in one sequence.
  private static let stripSize = 16_384

  /// Number of bands per strip: whole rows of cells, and enough that the palette at the start of a strip is
  /// negligible.
  private var bandsOfStrip: Int {
    let rows =
      (1...SixelBand.rowCount).first { $0 * cell.height % SixelBand.rowCount == 0 } ?? SixelBand.rowCount
    let least = rows * cell.height / SixelBand.rowCount
    return (Self.bandsWorthStrip + least - 1) / least * least
  }

  private static let bandsWorthStrip = 10
}

/// A pass from left to right through a band.
struct SixelPass {
  /// The color painted last.
  var color: UInt8 = 0
  /// The sixel that is being repeated, without its offset; 0 means that the pass is free.
  var mask: UInt8 = 0
  /// The column where the sixel started, or where the pass became free.
  var start: Int32 = 0
  /// Position of its next byte.
  var end = 0
}

/// The code that encodes pictures as sixels.
package enum SixelEncoderKind: String, CaseIterable, Hashable, Sendable {
  /// `SixelEncoder`: the nearest colors, in the least time and bytes.
  case own
  /// `LibsixelEncoder`: error diffusion.
  case libsixel

  /// Terminals with no more color registers get diffused pictures: VT340s and their emulators have 16.
  ///
  /// Measured on photographs (Decision 10): up to this number, diffusion comes closer to the perceived picture, for
  /// less than twice the bytes.
  private static let fewRegisters = 16

  /// Returns the better encoder, used unless the user chose one.
  static func best(registers: Int, preset: SixelPreset) -> SixelEncoderKind {
    registers <= fewRegisters && preset == .quality ? .libsixel : .own
  }
}

/// How many bytes and how much time a sixel picture may cost.
///
/// `quality` is for terminals that accept pictures without delay: 256 colors, bytes saved only where the difference
/// is invisible. `speed` is for slow ones: 64 colors and less than half of the bytes, encoded in less time. `draft`
/// is shown until the better picture has arrived over a slow link: 24 colors, a fifth of the bytes.
package enum SixelPreset: Hashable, Sendable, CaseIterable {
  case quality, speed, draft

  /// The most colors.
  var colors: Int {
    switch self {
    case .quality: 256
    case .speed: 64
    case .draft: 24
    }
  }

  /// Number of pixels from which the colors are chosen.
  var samples: Int { self == .quality ? 120_000 : 20_000 }
  /// Number of refinements of the colors.
  var refinements: Int { self == .quality ? 2 : 1 }

  /// The squared error of a pixel that is accepted to save one byte.
  var thrift: Float {
    switch self {
    case .quality: 4
    case .speed: 50
    case .draft: 250
    }
  }
}

/// Writes the chosen colors as a sixel sequence.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14.
private enum SixelStream {
  /// Returns the complete sequence, from DCS to ST.
  ///
  /// P2 = 1 leaves unset pixels unchanged; the raster attributes state how many rows of the last band belong to the
  /// picture.
  /// - Parameters:
  ///   - ground: color of register 0, which the picture does not use; nil means none.
  ///   - bands: the bands to write; nil means all.
  static func bytes(
    of picture: SixelColumns, palette: ColorPalette, ground: Color?, bands: Range<Int>? = nil
  ) -> [UInt8] {
    let bands = bands ?? 0..<picture.bandCount
    let width = picture.size.width
    let bottom = min(picture.size.height, bands.upperBound * SixelBand.rowCount)
    let height = bottom - bands.lowerBound * SixelBand.rowCount
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    bytes.reserveCapacity(width * height)
    var registers = [Int](repeating: 0, count: 256)
    // The colors that are named most often get the shortest names.
    let used = palette.levels.indices.filter { picture.starts[$0] > 0 }
    let order = used.sorted { (picture.starts[$1], $0) < (picture.starts[$0], $1) }
    let named = bands.count == picture.bandCount ? nil : picture.colors(in: bands)
    if let ground {
      let color = SIMD4<Float>(Float(ground.red), Float(ground.green), Float(ground.blue), 0)
      let level = ColorHistogram.level(of: color)
      bytes += "#0;2;\(level.x);\(level.y);\(level.z)".utf8
    }
    for (register, index) in zip((ground == nil ? 0 : 1)..., order) {
      registers[index] = register
      if let named, !named.contains(UInt8(index)) { continue }
      let level = palette.levels[index]
      bytes += "#\(register);2;\(level.x);\(level.y);\(level.z)".utf8
    }
    var band = SixelBand(width: width, registers: registers)
    picture.columns.withUnsafeBufferPointer { columns in
      for index in bands {
        if index > bands.lowerBound { bytes.append(UInt8(ascii: "-")) }
        band.write(
          UnsafeBufferPointer(rebasing: columns[index * width..<(index + 1) * width]),
          height: min(SixelBand.rowCount, picture.size.height - index * SixelBand.rowCount), to: &bytes)
      }
    }
    bytes += [0x1B, UInt8(ascii: "\\")]
    return bytes
  }
}
