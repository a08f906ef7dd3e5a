import ArgumentParser
import Configuration
import Pixels

/// How pictures are drawn: options of `pick` and `run`.
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

  // `pick` and `list` declare these options themselves: each option group costs a tenth of a millisecond at startup.
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
