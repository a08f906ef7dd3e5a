import ArgumentParser
import Configuration
import TerminalGraphics

/// The options that say how pictures look, the same in `pick` and `show`.
struct PictureArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The characters of blocks: half, quadrant, sextant or octant. Default: the finest that the terminal is known to draw.",
      valueName: "which"))
  var symbols: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What writes sixels: own, libsixel or auto. Default: auto, which takes libsixel for terminals of few colours.",
      valueName: "which"))
  var sixelEncoder: String?

  @Flag(help: "Lay pictures that let something through over a checkerboard, not the terminal's background.")
  var checker = false

  /// - Throws: `Failure` for words that are no symbols.
  func blockSymbols() throws(Failure) -> BlockSymbols? {
    guard let symbols else { return nil }
    guard let known = BlockSymbols(rawValue: symbols.lowercased()), known != .ascii else {
      throw .usage("--symbols: unknown symbols '\(symbols)'; symbols are half, quadrant, sextant, octant")
    }
    return known
  }

  /// What writes sixels; nil = what is better for the terminal.
  /// - Throws: `Failure` for a word that is no encoder.
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
