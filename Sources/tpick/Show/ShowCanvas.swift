import Configuration
import CursesHost
import Imaging
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// The output of `tpick show`: protocol, encoder and size, from the arguments or the terminal.
struct ShowCanvas {
  var encoder: any PictureEncoder
  /// Encodes animation frames: faster and smaller, with lower quality.
  var animationEncoder: any PictureEncoder
  /// The inspected terminal; nil if standard output is not one.
  var terminal: TerminalInspection?
  /// The output to the terminal; nil if standard output is not one.
  var output: DrawingOutput?
  /// The size for all pictures together.
  var cells: CellSize
  /// Whether the encoder's output is lines of text or pictures.
  private var kind: SheetLayout.Kind
  /// The commands of kitty's protocol; nil for other protocols.
  var kitty: KittyCommands?
  /// The encoder that sends files unmodified; nil if the terminal does not accept files.
  var fileEncoder: InlineImageEncoder?
  /// Escape sequences must be shorter than this number of bytes; nil = unlimited.
  var longestSequence: Int?
  /// Whether nothing is drawn and files are only checked.
  var isBlank: Bool
  /// What is behind transparent pictures.
  var backdrop: Backdrop

  init(
    graphics: GraphicsMode?, size asked: CellSize?, cellSize given: PixelSize?,
    pictures: PictureArguments, settings: Settings
  ) {
    let requested = graphics ?? settings.graphics
    let sixelEncoder = pictures.sixelEncoderKind(settings)
    if StandardStream.output.isTerminal {
      output = DrawingOutput(descriptor: StandardStream.output.descriptor)
    }
    // Queried only if the pictures are drawn on the terminal.
    terminal = StandardStream.output.isTerminal ? TerminalInspection.inspect() : nil
    let capabilities = terminal?.capabilities ?? TerminalCapabilities()
    let cell = given ?? settings.cellSize ?? terminal?.cellSize ?? .defaultCell
    // The last line stays free for the prompt.
    cells =
      asked ?? terminal.map { CellSize(columns: $0.cells.columns, rows: max(1, $0.cells.rows - 1)) }
      ?? Self.previewSize ?? CellSize(columns: 80, rows: 24)
    TerminalLocale.adopt()
    let isTerminal = StandardStream.output.isTerminal
    let encoders = EncoderChoice(
      capabilities, in: .ofProcess, requested: requested.graphics, sixelEncoder: sixelEncoder, cell: cell,
      colors: isTerminal ? TerminalDescription.colorCount : nil,
      symbols: requested.isASCII ? .ascii : pictures.symbols,
      isUTF8: TerminalLocale.isUTF8, compress: JPEGEncoder.encode)
    // No handover by files or shared memory: the process may exit before the terminal has read them.
    encoder = encoders.encoder(.full, usesSharedMemory: false) ?? encoders.blocks
    animationEncoder = encoders.encoder(.speed, usesSharedMemory: true) ?? encoders.blocks
    longestSequence = encoders.longestSequence
    isBlank = encoders.graphics == .none
    if encoders.graphics == .kitty { kitty = encoders.kitty }
    if encoders.graphics == .iterm { fileEncoder = encoders.files(.full) }
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
    terminal?.discardLateAnswers()
  }

  /// The layout of pictures in a grid or one below the other.
  func layout(grid: CellSize?) -> SheetLayout {
    SheetLayout(cells: cells, grid: grid, kind: kind, isPlacedByOthers: !StandardStream.output.isTerminal)
  }

  /// The picture with the commands that place it.
  func ready(_ picture: EncodedPicture) -> EncodedPicture {
    kitty?.drawing(picture, as: KittyNumber(.random(in: 0 ... .max))) ?? picture
  }

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// The size of fzf's preview, from the environment.
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
