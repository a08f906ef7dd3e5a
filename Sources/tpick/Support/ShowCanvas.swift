import CursesHost
import Imaging
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// What `tpick show` draws on: the way of drawing and the box, as asked for or as found.
struct ShowCanvas {
  var encoder: any PictureEncoder
  /// Draws pictures that stand for a moment only: in less time and fewer bytes.
  var movingEncoder: any PictureEncoder
  /// What is known of the terminal; nil where standard output is none.
  var found: TerminalInspection?
  /// Where pictures are drawn; nil where standard output is no terminal.
  var output: DrawingOutput?
  /// The box for all pictures.
  var cells: CellSize
  /// Whether pictures are placed by moving the cursor: text comes in lines, sixels do not.
  var movesCursor: Bool
  /// How kitty's pictures are handed over and placed; nil for other ways of drawing.
  var kitty: KittyCommands?
  /// What sends files as they are; nil where the terminal reads none.
  var files: InlineImageEncoder?
  /// A sequence has to have fewer bytes than this; nil = any number.
  var longestSequence: Int?
  /// Whether nothing is drawn: files are only looked at.
  var isBlank: Bool
  /// What shows through pictures that let something through.
  var backdrop: Backdrop

  /// - Throws: `Failure` for words that are no way of drawing, no symbols and no size.
  init(
    graphics: String?, size: String?, cellSize: String?, pictures: PictureArguments
  ) throws(Failure) {
    let wish = try GraphicsWish(graphics)
    let given = try cellSize.map { text throws(Failure) in try SizeArguments.cellSize(text) }
    let asked = try size.map { text throws(Failure) in try SizeArguments.cells(text, option: "--size") }
    let symbols = try pictures.blockSymbols()
    if StandardStream.output.isTerminal {
      output = DrawingOutput(descriptor: StandardStream.output.descriptor)
    }
    // Only a terminal can answer, and only what is drawn on it needs the answer.
    found = StandardStream.output.isTerminal ? TerminalInspection.look() : nil
    let capabilities = found?.capabilities ?? TerminalCapabilities()
    let cell = given ?? found?.cellSize ?? .defaultCell
    // The last line stays free for the prompt.
    cells =
      asked ?? found.map { CellSize(columns: $0.cells.columns, rows: max(1, $0.cells.rows - 1)) }
      ?? Self.previewSize ?? CellSize(columns: 80, rows: 24)
    let environment = TerminalEnvironment.ofProcess
    let choice = GraphicsChoice(capabilities, in: environment, wish: wish.graphics)
    longestSequence = capabilities.quirks.longestSequence
    isBlank = choice.graphics == .none
    movesCursor = [.kitty, .iterm, .sixel].contains(choice.graphics)
    switch choice.graphics {
    case .kitty:
      let isWrapped = choice.needsPassthrough
      kitty = KittyCommands(usesPlaceholders: isWrapped, needsPassthrough: isWrapped)
      // Placeholders are text: they come in lines.
      movesCursor = !isWrapped
      encoder = KittyEncoder(
        cell: cell, link: environment.isRemote ? .remote : .local, usesPlaceholders: isWrapped)
      movingEncoder =
        capabilities.readsKittyHandovers && !isWrapped ? KittyEncoder(cell: cell, link: .memory) : encoder
    case .iterm:
      let files = { (quality: Int) in
        InlineImageEncoder(cell: cell, needsPassthrough: choice.needsPassthrough) {
          JPEGEncoder.encode($0, quality: quality)
        }
      }
      self.files = files(90)
      encoder = files(90).bounded(to: longestSequence) { files(65) }
      movingEncoder = files(75).bounded(to: longestSequence) { files(65) }
    case .sixel:
      let sixels = { (preset: SixelPreset) in
        SixelEncoder(
          cell: cell, registers: capabilities.colorRegisters ?? 256, largest: capabilities.largestSixel,
          preset: preset)
      }
      encoder = sixels(.quality).bounded(to: longestSequence) { sixels(.speed) }
      movingEncoder = sixels(.speed).bounded(to: longestSequence) { sixels(.speed) }
    case .blocks, .none:
      TerminalLocale.adopt()
      let known = BlockSymbols(
        terminal: capabilities.name, term: Self.environment("TERM"), isUTF8: TerminalLocale.isUTF8)
      encoder = BlockEncoder(
        cell: cell,
        depth: ColorDepth(
          described: StandardStream.output.isTerminal ? TerminalDescription.colorCount : nil,
          name: capabilities.name, in: environment),
        symbols: wish.isASCII ? .ascii : symbols ?? known,
        isInkDark: capabilities.background?.isLight ?? false)
      movingEncoder = encoder
    }
    backdrop =
      pictures.checker
      ? .checkerboard
      : Backdrop(background: capabilities.background, colors: Self.environment("COLORFGBG"))
    found?.discardLateAnswers()
  }

  /// A picture with all that draws it in its strips.
  func ready(_ picture: EncodedPicture) -> EncodedPicture {
    kitty?.drawing(picture, as: KittyNumber(.random(in: 0 ... .max))) ?? picture
  }

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// fzf tells its preview commands how large its preview is.
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
