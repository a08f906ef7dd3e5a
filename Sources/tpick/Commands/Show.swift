import ArgumentParser
import AssetLibrary
import CursesHost
import FolderLibrary
import Imaging
import Pixels
import SystemPackage
import TerminalGraphics

/// `tpick show FILE ...`: draws pictures to standard output and returns.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick show",
    abstract: "Draw pictures on standard output.",
    usage: "tpick show [options] file ...",
    discussion: """
      The pictures are drawn one below the other, or in a grid, and the program returns: for a look, for \
      scripts, and as fzf's preview command: fzf --preview 'tpick show --graphics sixel {}'
      """,
    version: ProgramVersion.current)

  @Argument(help: ArgumentHelp("A picture.", valueName: "file"))
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How pictures are drawn: auto, kitty, iterm, sixel, blocks, ascii or none. Default: auto, which asks the terminal; blocks where there is none.",
      valueName: "how"))
  var graphics: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The box for all pictures, in cells. Default: the window, or fzf's preview.", valueName: "COLSxROWS"))
  var size: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Arrange the pictures in so many columns and rows.", valueName: "COLSxROWS"))
  var grid: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of a character cell in pixels, over what the terminal says.", valueName: "WxH"))
  var cellSize: String?

  @Flag(help: "Show each picture whole. The default without --grid.")
  var fit = false

  @Flag(help: "Let each picture fill its box, its overhang cut off. The default with --grid.")
  var fill = false

  @Flag(help: "Play what moves, until it has been shown as often as its file says, or until a key.")
  var animate = false

  @OptionGroup var pictures: PictureArguments

  @OptionGroup var settings: SettingsArguments

  @Flag(help: "Be content with the small picture that a camera puts into its files.")
  var fast = false

  @Option(parsing: .unconditional, help: .hidden)
  var debugStats: String?

  @Flag(help: "Print what the terminal was asked, what it answered and what follows, for bug reports.")
  var probe = false

  func perform() throws(Failure) -> ExitStatus {
    if probe { return try report() }
    guard !files.isEmpty else { throw .usage("show: name a picture; tpick shows the pictures of a folder") }
    if fit, fill { throw .usage("--fit and --fill: a picture can't do both") }
    let file = try SettingsFile(settings)
    let canvas = try ShowCanvas(
      graphics: graphics, size: size, cellSize: cellSize, pictures: pictures, settings: file.settings)
    let grid = try self.grid.map { text throws(Failure) in try SizeArguments.cells(text, option: "--grid") }
    let sheet = PictureSheet(
      canvas: canvas, grid: grid, mode: fill || (grid != nil && !fit) ? .aspectFill : .aspectFit,
      isFast: fast)
    if animate, grid != nil {
      throw .usage("--animate and --grid: animations are played one after the other")
    }
    let paths = files.map { FilePath(bytes: ArgumentBytes.bytes($0)) }
    let library = ShowLibrary(paths)
    defer { DebugStats(debugStats)?.write(images: library.images.counters) }
    return animate
      ? try MovingSheet(sheet: sheet).draw(paths, of: library) : try sheet.draw(paths, of: library)
  }

  private func report() throws(Failure) -> ExitStatus {
    let wish = try GraphicsWish(graphics)
    guard let found = TerminalInspection.look() else { throw .error("show --probe: no terminal to ask") }
    found.discardLateAnswers()
    let lines = ["tpick \(ProgramVersion.current)"] + found.report(wish: wish.graphics)
    let text = lines.map { $0 + "\n" }.joined()
    guard StandardStream.output.write(Array(text.utf8)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}
