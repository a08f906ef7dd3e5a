import ArgumentParser
import Configuration
import CursesHost
import Imaging
import PhotoPicker
import Pixels
import System
import TerminalGraphics

extension TerminalCanvas {
  /// The output of `tpick show`: protocol, encoder and size, from the arguments, the configuration or the terminal.
  init(
    graphics: GraphicsMode?, size: CellSize?, cellSize: PixelSize?, pictures: PictureArguments,
    settings: Settings
  ) {
    let requested = graphics ?? settings.graphics
    var options = Options()
    options.graphics = requested.graphics
    options.cellSize = cellSize ?? settings.cellSize
    options.cells = size
    options.symbols = requested.isASCII ? .ascii : pictures.symbols
    options.sixelEncoder = pictures.sixelEncoderKind(settings)
    if let size = Self.previewSize { options.cellsElsewhere = size }
    options.isCheckered = pictures.checker
    options.colors = StandardStream.output.isTerminal ? TerminalDescription.colorCount : nil
    TerminalLocale.adopt()
    options.isUTF8 = TerminalLocale.isUTF8
    self.init(options, compress: JPEGEncoder.encode)
  }

  /// The size of fzf's preview, from the environment.
  private static var previewSize: CellSize? {
    guard let columns = number("FZF_PREVIEW_COLUMNS"), let rows = number("FZF_PREVIEW_LINES") else {
      return nil
    }
    return CellSize(columns: columns, rows: rows)
  }

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { (1...10000).contains($0) ? $0 : nil }
  }
}

/// The options for drawing pictures, shared by `pick` and `show`.
struct PictureArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The characters for blocks. Default: the finest ones that the terminal is known to support.",
      valueName: "which"))
  var symbols: BlockSymbols?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sixel encoder. Default: auto, which uses libsixel for terminals with few colors.",
      valueName: "which"))
  var sixelEncoder: SixelEncoderArgument?

  @Flag(help: "Draw transparent pictures on a checkerboard instead of the terminal's background.")
  var checker = false

  /// The sixel encoder; nil = chosen for the terminal.
  func sixelEncoderKind(_ settings: Settings) -> SixelEncoderKind? {
    sixelEncoder.map(\.kind) ?? settings.sixelEncoder
  }
}
