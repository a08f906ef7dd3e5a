import ArgumentParser
import Configuration
import TerminalGraphics

/// The options for drawing pictures, shared by `pick` and `show`.
struct PictureArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The characters for blocks: half, quadrant, sextant or octant. Default: the finest ones that the terminal is known to support.",
      valueName: "which"))
  var symbols: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sixel encoder: own, libsixel or auto. Default: auto, which uses libsixel for terminals with few colors.",
      valueName: "which"))
  var sixelEncoder: String?

  @Flag(help: "Draw transparent pictures on a checkerboard instead of the terminal's background.")
  var checker = false

  /// The characters for blocks; nil = chosen by the terminal.
  /// - Throws: `Failure` for an unknown value.
  func blockSymbols() throws(Failure) -> BlockSymbols? {
    guard let symbols else { return nil }
    guard let known = BlockSymbols(rawValue: symbols.lowercased()), known != .ascii else {
      throw .usage("--symbols: unknown symbols '\(symbols)'; symbols are half, quadrant, sextant, octant")
    }
    return known
  }

  /// The sixel encoder; nil = chosen by the terminal.
  /// - Throws: `Failure` for an unknown value.
  func sixelEncoderKind(_ settings: Settings) throws(Failure) -> SixelEncoderKind? {
    guard let word = sixelEncoder?.lowercased() else { return settings.sixelEncoder }
    if word == "auto" { return nil }
    guard let known = SixelEncoderKind(rawValue: word) else {
      throw .usage(
        "--sixel-encoder: unknown encoder '\(sixelEncoder ?? "")'; encoders are auto, own, libsixel")
    }
    return known
  }
}
