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
  /// The box for all pictures.
  var cells: CellSize
  /// Whether pictures are placed by moving the cursor: text comes in lines, sixels do not.
  var movesCursor: Bool
  /// How kitty's pictures are handed over and placed; nil for other ways of drawing.
  var kitty: KittyCommands?
  /// What sends files as they are; nil where the terminal reads none.
  var files: InlineImageEncoder?
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
    // Only a terminal can answer, and only what is drawn on it needs the answer.
    let found = StandardStream.output.isTerminal ? TerminalInspection.look() : nil
    let capabilities = found?.capabilities ?? TerminalCapabilities()
    let cell = given ?? found?.cellSize ?? .defaultCell
    // The last line stays free for the prompt.
    cells =
      asked ?? found.map { CellSize(columns: $0.cells.columns, rows: max(1, $0.cells.rows - 1)) }
      ?? Self.previewSize ?? CellSize(columns: 80, rows: 24)
    let environment = TerminalEnvironment.ofProcess
    let choice = GraphicsChoice(capabilities, in: environment, wish: wish.graphics)
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
    case .iterm:
      let files = InlineImageEncoder(cell: cell, needsPassthrough: choice.needsPassthrough) {
        JPEGEncoder.encode($0, quality: 90)
      }
      self.files = files
      encoder = files
    case .sixel:
      encoder = SixelEncoder(
        cell: cell, registers: capabilities.colorRegisters ?? 256, largest: capabilities.largestSixel)
    case .blocks, .none:
      TerminalLocale.adopt()
      let known = BlockSymbols(
        terminal: capabilities.name, term: Self.environment("TERM"), isUTF8: TerminalLocale.isUTF8)
      encoder = BlockEncoder(
        cell: cell, depth: Self.depth, symbols: wish.isASCII ? .ascii : symbols ?? known,
        isInkDark: capabilities.background?.isLight ?? false)
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

  /// The colours of text: what the environment says, and all of them where it says nothing.
  private static var depth: ColorDepth {
    if getenv("NO_COLOR").map({ $0.pointee != 0 }) ?? false { return .monochrome }
    let term = environment("TERM")
    let color = environment("COLORTERM")
    if ["truecolor", "24bit"].contains(color) || !StandardStream.output.isTerminal { return .trueColor }
    return term.contains("256") ? .palette256 : term == "linux" ? .eight : .palette256
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
