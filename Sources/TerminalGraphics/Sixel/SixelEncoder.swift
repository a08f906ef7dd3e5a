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

/// One way from left to right through a band.
struct SixelPass {
  /// The colour painted last.
  var color: UInt8 = 0
  /// The sixel that is being repeated, without its offset; 0 = the pass is free.
  var mask: UInt8 = 0
  /// The column where the sixel began, or where the pass became free.
  var start: Int32 = 0
  /// Where its next byte goes.
  var end = 0
}

/// The program part that turns pictures into sixels.
package enum SixelEncoderKind: String, CaseIterable, Hashable, Sendable {
  /// `SixelEncoder`: the nearest colours, in the least time and bytes.
  case own
  /// `LibsixelEncoder`: error diffusion.
  case libsixel

  /// A terminal with no more colour registers gets diffused pictures: VT340s and their emulators have 16.
  ///
  /// Measured on photographs (Decision 10): up to here diffusion brings them nearer to what the eye makes of them, for
  /// less than twice the bytes.
  private static let fewRegisters = 16

  /// The better one where none was asked for.
  static func best(registers: Int, preset: SixelPreset) -> SixelEncoderKind {
    registers <= fewRegisters && preset == .quality ? .libsixel : .own
  }
}

/// What a sixel picture may cost.
///
/// `quality` is for terminals that take pictures as fast as they come: 256 colours, bytes saved only
/// where nobody sees it. `speed` is for slow ones: 64 colours and less than half of the bytes, made in less time.
/// `draft` is what stands there until the better one has come over a slow link: 24 colours, a fifth of the bytes.
package enum SixelPreset: Hashable, Sendable, CaseIterable {
  case quality, speed, draft

  /// How many colours are used at most.
  var colors: Int {
    switch self {
    case .quality: 256
    case .speed: 64
    case .draft: 24
    }
  }

  /// How many pixels the colours are chosen from.
  var samples: Int { self == .quality ? 120_000 : 20_000 }
  /// How often the chosen colours are moved to the means of their pixels.
  var refinements: Int { self == .quality ? 2 : 1 }

  /// The squared error of a pixel that a byte is worth.
  var thrift: Float {
    switch self {
    case .quality: 4
    case .speed: 50
    case .draft: 250
    }
  }
}

/// Writes chosen colours as a sixel sequence.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14.
private enum SixelStream {
  /// The complete sequence, from DCS to ST.
  ///
  /// - Parameter bands: which bands it has; nil = all.
  ///
  /// P2 = 1 leaves pixels that are not set as they were; the raster attributes say how many rows of the last band
  /// there are.
  static func bytes(
    of picture: SixelColumns, palette: ColorPalette, bands: Range<Int>? = nil
  ) -> [UInt8] {
    let bands = bands ?? 0..<picture.bandCount
    let width = picture.size.width
    let bottom = min(picture.size.height, bands.upperBound * SixelBand.rowCount)
    let height = bottom - bands.lowerBound * SixelBand.rowCount
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    bytes.reserveCapacity(width * height)
    var registers = [Int](repeating: 0, count: 256)
    // The colours that are named most often get the shortest names.
    let used = palette.levels.indices.filter { picture.starts[$0] > 0 }
    let order = used.sorted { (picture.starts[$1], $0) < (picture.starts[$0], $1) }
    let named = bands.count == picture.bandCount ? nil : picture.colors(in: bands)
    for (register, index) in order.enumerated() {
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
