public import Pixels
import System

/// Draws pictures on a terminal that goes on as it is: in rows below what stands there, without taking its screen.
///
/// Drawn is with the best that the terminal confirms: kitty's protocol, iTerm2's, sixels, else blocks of color. What is
/// no terminal gets blocks. Used by one thread at a time.
///
///     let canvas = TerminalCanvas { JPEGEncoder.file(of: $0) }
///     let grid = CellSize(columns: 6, rows: 4)
///     try canvas.draw(row, in: grid)
public struct TerminalCanvas: Sendable {
  /// How it is to be drawn, where that is not for the terminal to say.
  package struct Options: Sendable {
    /// The way of drawing; nil = the best that the terminal confirmed.
    package var graphics: GraphicsProtocol?
    /// What writes sixels; nil = what is better for the terminal's color registers.
    package var sixelEncoder: SixelEncoderKind?
    /// The characters of blocks; nil = as the terminal is known to draw them.
    package var symbols: BlockSymbols?
    /// The size of a character cell in pixels; nil = what the terminal says.
    package var cellSize: PixelSize?
    /// The room for all pictures; nil = the terminal's window but for its last line.
    package var cells: CellSize?
    /// The same where there is no terminal.
    package var cellsElsewhere = CellSize(columns: 80, rows: 24)
    /// Whether pictures that let something through lie on a checkerboard.
    package var isCheckered = false
    /// How many colors the terminal's description gives to text; nil where there is no terminal.
    package var colors: Int?
    /// Whether the locale has more characters than ASCII.
    package var isUTF8 = true

    package init() {}
  }

  package let encoder: any PictureEncoder
  /// Encodes the frames of what moves: faster and smaller, with lower quality.
  package let animationEncoder: any PictureEncoder
  /// The inspected terminal; nil if standard output is not one.
  package let terminal: TerminalInspection?
  /// The room for all pictures together, in cells.
  package let cells: CellSize
  /// The commands of kitty's protocol; nil for other protocols.
  package let kitty: KittyCommands?
  /// The encoder that sends files unmodified; nil if the terminal does not accept files.
  package let fileEncoder: InlineImageEncoder?
  /// Escape sequences must be shorter than this number of bytes; nil = unlimited.
  package let longestSequence: Int?
  /// Whether nothing is drawn.
  package let isBlank: Bool
  /// What is behind transparent pictures.
  package let backdrop: Backdrop
  /// Whether the encoder's output is lines of text or pictures.
  private let kind: SheetLayout.Kind
  /// nil if standard output is not a terminal.
  private let output: DrawingOutput?

  /// Asks the terminal on standard output what it can do.
  ///
  /// Waits for its answers, a second at the most, three over SSH. Signals that come meanwhile have their effect once the
  /// terminal is as it was: without a handler of the program they end it, as Ctrl-C does.
  /// - Parameter compress: makes a file of a picture, a JPEG for example, for terminals that read files (iTerm2); nil when
  ///   it can't. Called on the thread that draws.
  public init(compress: @escaping @Sendable (PixelBuffer) -> [UInt8]?) {
    var options = Options()
    let environment = TerminalEnvironment.ofProcess
    options.colors = Self.isTerminal ? environment.usualColorCount : nil
    options.isUTF8 = TerminalLocale.environmentIsUTF8
    self.init(options) { picture, _ in compress(picture) }
  }

  package init(_ options: Options, compress: @escaping EncoderChoice.Compressor) {
    // Asked only if the pictures are drawn on the terminal.
    terminal = Self.isTerminal ? TerminalInspection.inspect() : nil
    output = Self.isTerminal ? DrawingOutput(descriptor: STDOUT_FILENO) : nil
    let capabilities = terminal?.capabilities ?? TerminalCapabilities()
    // The last line stays free for the prompt.
    cells =
      options.cells ?? terminal.map { CellSize(columns: $0.cells.columns, rows: max(1, $0.cells.rows - 1)) }
      ?? options.cellsElsewhere
    let encoders = EncoderChoice(
      capabilities, in: .ofProcess, requested: options.graphics, sixelEncoder: options.sixelEncoder,
      cell: options.cellSize ?? terminal?.cellSize ?? .defaultCell, colors: options.colors,
      symbols: options.symbols, isUTF8: options.isUTF8, compress: compress)
    // No handover by files or shared memory: the process may exit before the terminal has read them.
    encoder = encoders.encoder(.full, usesSharedMemory: false) ?? encoders.blocks
    animationEncoder = encoders.encoder(.speed, usesSharedMemory: true) ?? encoders.blocks
    longestSequence = encoders.longestSequence
    isBlank = encoders.graphics == .none
    kitty = encoders.graphics == .kitty ? encoders.kitty : nil
    fileEncoder = encoders.graphics == .iterm ? encoders.files(.full) : nil
    kind =
      switch encoders.graphics {
      case .blocks, .none: .lines
      case .iterm, .sixel: .pictures
      // Placeholders are text.
      case .kitty: encoders.kitty.usesPlaceholders ? .lines : .placements
      }
    backdrop =
      options.isCheckered
      ? .checkerboard
      : Backdrop(
        background: capabilities.background, colors: getenv("COLORFGBG").map { String(cString: $0) } ?? "")
    terminal?.discardLateAnswers()
  }

  private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  // MARK: Drawing

  /// The box of a picture in a grid, in pixels: the size to ask for.
  /// - Parameter grid: how many pictures stand side by side, and how many rows of them fill the window.
  public func pictureSize(in grid: CellSize) -> PixelSize {
    encoder.geometry.pixels(for: layout(grid: grid).box)
  }

  /// Draws a row of pictures below what stands there, the cursor below it.
  /// - Parameters:
  ///   - row: pictures of the size that `pictureSize(in:)` gives, or smaller; the place of nil stays free. What is behind
  ///     as many as the grid has columns is left out.
  ///   - grid: how many pictures stand side by side, and how many rows of them fill the window.
  /// - Throws: `TerminalError` when standard output takes nothing more.
  public func draw(_ row: [PixelBuffer?], in grid: CellSize) throws(TerminalError) {
    let pictures = row.prefix(max(1, grid.columns)).map { picture in
      picture.map { ready(encoder.encode($0, over: backdrop)) }
    }
    guard write(layout(grid: grid).row(of: pictures)) else { throw .lost("standard output can't be written") }
  }

  /// The layout of pictures in a grid or one below the other.
  package func layout(grid: CellSize?) -> SheetLayout {
    SheetLayout(cells: cells, grid: grid, kind: kind, isPlacedByOthers: output == nil)
  }

  /// The picture with the commands that place it.
  package func ready(_ picture: EncodedPicture) -> EncodedPicture {
    kitty?.drawing(picture, as: KittyNumber(.random(in: 0 ... .max))) ?? picture
  }

  /// Writes bytes to standard output; nothing where nothing is drawn.
  /// - Returns: whether it has taken them.
  package func write(_ bytes: [UInt8]) -> Bool {
    if isBlank { return true }
    return output?.write(bytes) ?? (DescriptorWriter(STDOUT_FILENO).write(bytes) == .written)
  }
}
