import ArgumentParser
import AssetLibrary
import CodecProtocol
import Configuration
import CursesHost
import FolderLibrary
import Imaging
import Pixels
import SystemPackage
import TerminalGraphics

/// `tpick show FILE ...`: draws pictures to standard output.
struct Show: Subcommand {
  static let configuration = CommandConfiguration(
    of: .show,
    usage: "tpick show [options] file ...",
    discussion: """
      Draws pictures one below the other or in a grid, and exits: for a quick look, for scripts, and as a \
      preview command of fzf: fzf --preview 'tpick show --graphics sixel {}'

      A picture can come through standard input: curl -s https://example.org/a.jpg | tpick show -
      """)

  @Argument(
    help: ArgumentHelp(
      "A picture, or - for one whose bytes come through standard input (up to 2 GiB); files may also be file:// URIs or identifiers from --format ids.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The graphics protocol. Default: auto, which queries the terminal, or blocks without one.",
      valueName: "how"))
  var graphics: GraphicsMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size in cells for all pictures together. Default: the window or fzf's preview.",
      valueName: "COLSxROWS"),
    transform: SizeArguments.cells)
  var size: CellSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Arrange the pictures in a grid.", valueName: "COLSxROWS"),
    transform: SizeArguments.cells)
  var grid: CellSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of a character cell in pixels, instead of what the terminal reports.", valueName: "WxH"),
    transform: SizeArguments.cellSize)
  var cellSize: PixelSize?

  @Flag(help: "Show whole pictures. The default without --grid.")
  var fit = false

  @Flag(help: "Crop pictures to fill their boxes. The default with --grid.")
  var fill = false

  @Flag(help: "Play animations and videos, as often as the file specifies or until a key is pressed.")
  var animate = false

  @OptionGroup var pictures: PictureArguments

  @OptionGroup var settings: SettingsArguments

  @Flag(help: "Show the embedded thumbnail if a file has one: faster, but coarse.")
  var fast = false

  @Option(parsing: .unconditional, help: .hidden)
  var debugStats: String?

  @Flag(
    help:
      "Print the queries to the terminal, its replies, the conclusions, and the confinement of the helpers, for bug reports."
  )
  var probe = false

  func perform() throws(Failure) -> ExitStatus {
    let file = try SettingsFile(settings)
    if probe { return try report(file.settings) }
    guard !files.isEmpty else {
      throw .usage("show: expected a picture; for a folder use tpick or tpick list")
    }
    if fit, fill { throw .usage("--fit and --fill: can't be used together") }
    let canvas = TerminalCanvas(
      graphics: graphics, size: size, cellSize: cellSize, pictures: pictures, settings: file.settings)
    let sheet = PictureSheet(
      canvas: canvas, grid: grid, mode: fill || (grid != nil && !fit) ? .aspectFill : .aspectFit,
      isFast: fast)
    if animate, grid != nil {
      throw .usage("--animate: can't be used with --grid; animations are played one after the other")
    }
    let library = try ShowLibrary(ArgumentFolding.words(files))
    defer { DebugStats(debugStats)?.write(images: library.images.counters) }
    return animate
      ? try AnimationSheet(sheet: sheet).draw(library.files, of: library)
      : try sheet.draw(library.files, of: library)
  }

  private func report(_ settings: Settings) throws(Failure) -> ExitStatus {
    guard let found = TerminalInspection.inspect() else {
      throw .error("show --probe: no terminal to ask; over SSH use ssh -t")
    }
    found.discardLateAnswers()
    let helpers = [
      (HelperProgram.reader, ReaderClient.standard.confinement()), (.codecs, CodecClient().confinement()),
    ]
    let lines =
      ["tpick \(ProgramVersion.current)"]
      + found.report(requested: graphics?.graphics ?? settings.graphics.graphics)
      + [""] + helpers.map { "\($0.rawValue): \($1?.words ?? "missing")" }
    let text = lines.map { $0 + "\n" }.joined()
    guard StandardStream.output.write(Array(text.utf8)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}
