import ArgumentParser
import Configuration
import Pixels

/// How pictures come to the terminal: the options of `pick` and `run`.
struct ScreenArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The graphics protocol. Default: auto, which queries the terminal.",
      valueName: "how"))
  var graphics: GraphicsMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of a character cell in pixels, instead of what the terminal reports.", valueName: "WxH"),
    transform: SizeArguments.cellSize)
  var cellSize: PixelSize?

  @OptionGroup var pictures: PictureArguments
}
