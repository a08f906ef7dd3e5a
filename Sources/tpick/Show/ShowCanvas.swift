import Configuration
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
  /// What is drawn: text comes in lines, pictures do not.
  private var kind: SheetLayout.Kind
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
    graphics: String?, size: String?, cellSize: String?, pictures: PictureArguments, settings: Settings
  ) throws(Failure) {
    let wish = try GraphicsWish(graphics)
    let given = try cellSize.map { text throws(Failure) in try SizeArguments.cellSize(text) }
    let asked = try size.map { text throws(Failure) in try SizeArguments.cells(text, option: "--size") }
    let symbols = try pictures.blockSymbols()
    let sixelEncoder = try pictures.sixelEncoderKind(settings)
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
    TerminalLocale.adopt()
    let isTerminal = StandardStream.output.isTerminal
    let encoders = EncoderChoice(
      capabilities, in: .ofProcess, wish: wish.graphics, sixelEncoder: sixelEncoder, cell: cell,
      colors: isTerminal ? TerminalDescription.colorCount : nil, symbols: wish.isASCII ? .ascii : symbols,
      isUTF8: TerminalLocale.isUTF8, compress: JPEGEncoder.encode)
    // Nobody stays until the terminal has read what stands.
    encoder = encoders.encoder(.full, handsOver: false) ?? encoders.blocks
    movingEncoder = encoders.encoder(.speed, handsOver: true) ?? encoders.blocks
    longestSequence = encoders.longestSequence
    isBlank = encoders.graphics == .none
    if encoders.graphics == .kitty { kitty = encoders.kitty }
    if encoders.graphics == .iterm { files = encoders.files(.full) }
    kind =
      switch encoders.graphics {
      case .blocks, .none: .lines
      case .iterm, .sixel: .pictures
      // Placeholders are text.
      case .kitty: encoders.kitty.usesPlaceholders ? .lines : .placements
      }
    backdrop =
      pictures.checker
      ? .checkerboard
      : Backdrop(background: capabilities.background, colors: Self.environment("COLORFGBG"))
    found?.discardLateAnswers()
  }

  /// How pictures are arranged, in a grid or one after the other.
  func layout(grid: CellSize?) -> SheetLayout {
    SheetLayout(cells: cells, grid: grid, kind: kind, isPlacedByOthers: !StandardStream.output.isTerminal)
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
