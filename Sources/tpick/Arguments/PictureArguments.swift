import ArgumentParser
import Configuration
import TerminalGraphics

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

  /// The sixel encoder; nil = chosen by the terminal.
  func sixelEncoderKind(_ settings: Settings) -> SixelEncoderKind? {
    sixelEncoder.map(\.kind) ?? settings.sixelEncoder
  }
}
