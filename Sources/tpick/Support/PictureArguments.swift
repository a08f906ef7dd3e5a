import ArgumentParser
import TerminalGraphics

/// The options that say how pictures look, the same in `pick` and `show`.
struct PictureArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The characters of blocks: half, quadrant, sextant or octant. Default: the finest that the terminal is known to draw.",
      valueName: "which"))
  var symbols: String?

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
}
