import ArgumentParser
import Configuration
import Pixels

/// How pictures come to the terminal: the options of `pick` and `run`.
struct ScreenArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: Self.graphicsHelp)
  var graphics: GraphicsMode?

  @Option(
    parsing: .unconditional,
    help: Self.cellSizeHelp,
    transform: SizeArguments.cellSize)
  var cellSize: PixelSize?

  @OptionGroup var pictures: PictureArguments

  // `pick` and `list` have these among their own: a group of options costs a tenth of a millisecond at every start.
  static var graphicsHelp: ArgumentHelp {
    ArgumentHelp(
      "The graphics protocol. Default: auto, which queries the terminal.",
      valueName: "how")
  }

  static var cellSizeHelp: ArgumentHelp {
    ArgumentHelp(
      "The size of a character cell in pixels, instead of what the terminal reports.", valueName: "WxH")
  }
}
