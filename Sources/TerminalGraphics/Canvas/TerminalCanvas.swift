public import Pixels
import System

/// Draws pictures in a terminal without taking over its screen, in rows below the existing text.
///
/// Uses the best protocol that the terminal confirms: kitty's, iTerm2's, sixels, otherwise blocks of color. Output
/// that is not a terminal gets blocks. Use it from one thread at a time.
///
///     let canvas = TerminalCanvas { JPEGEncoder.file(of: $0) }
///     let grid = CellSize(columns: 6, rows: 4)
///     try canvas.draw(row, in: grid)
public struct TerminalCanvas: Sendable {
  /// Options that override the terminal's properties.
  package struct Options: Sendable {
    /// Graphics protocol; nil selects the best one that the terminal confirms.
    package var graphics: GraphicsProtocol?
    /// Sixel encoder; nil selects one by the terminal's color registers.
    package var sixelEncoder: SixelEncoderKind?
    /// Characters for blocks; nil selects those that the terminal is known to draw.
    package var symbols: BlockSymbols?
    /// Size of a character cell in pixels; nil uses the terminal's.
    package var cellSize: PixelSize?
    /// Room for all pictures; nil means the terminal's window except its last line.
    package var cells: CellSize?
    /// Room for all pictures if there is no terminal.
    package var cellsElsewhere = CellSize(columns: 80, rows: 24)
    /// Whether transparent pictures are shown on a checkerboard.
    package var isCheckered = false
    /// Number of colors for text by the terminal's terminfo entry; nil if there is no terminal.
    package var colors: Int?
    /// Whether the locale has characters beyond ASCII.
    package var isUTF8 = true

    package init() {}
  }

  package private(set) var encoder: any PictureEncoder
  /// Encodes the frames of animations and videos: faster and smaller, with lower quality.
  package let animationEncoder: any PictureEncoder
  /// The inspected terminal; nil if standard output is not one.
  package let terminal: TerminalInspection?
  /// The room for all pictures together, in cells.
  package let cells: CellSize
  /// The commands of kitty's protocol; nil for other protocols.
  package let kitty: KittyCommands?
  private let kittyNumbers = KittyNumbers()
  /// The encoder that sends files unmodified; nil if the terminal does not accept files.
  package let fileEncoder: InlineImageEncoder?
  /// Escape sequences must be shorter than this number of bytes; nil = unlimited.
  package let longestSequence: Int?
  /// Whether nothing is drawn.
  package let isBlank: Bool
  /// What is behind transparent pictures.
  package let backdrop: Backdrop
  /// Whether the encoder's output is lines of text or pictures.
  private var kind: SheetLayout.Kind
  /// Encodes pictures as text.
  private let blocks: BlockEncoder
  /// The most pictures that the terminal keeps; nil means any number.
  private let mostPictures: Int?
  /// Nil if standard output is not a terminal.
  private let output: DrawingOutput?

  /// Queries the capabilities of the terminal on standard output.
  ///
  /// Waits for the answers at most one second, or three seconds over SSH. Signals that arrive meanwhile take effect
  /// after the terminal's modes are restored: unless the program handles them, they end it, as Ctrl-C does.
  /// - Parameter compress: creates an image file from a picture, for example a JPEG, for terminals that read files
  ///   (iTerm2); returns nil on failure. Called on the thread that draws.
  public init(compress: @escaping @Sendable (PixelBuffer) -> [UInt8]?) {
    var options = Options()
    let environment = TerminalEnvironment.ofProcess
    options.colors = Self.isTerminal ? environment.usualColorCount : nil
    options.isUTF8 = TerminalLocale.environmentIsUTF8
    self.init(options) { picture, _ in compress(picture) }
  }

  package init(_ options: Options, compress: @escaping EncoderChoice.Compressor) {
    // Queried only if the pictures are drawn on the terminal.
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
    // No transmission by files or shared memory: the process may exit before the terminal has read them.
    encoder = encoders.encoder(.full, usesSharedMemory: false) ?? encoders.blocks
    animationEncoder = encoders.encoder(.speed, usesSharedMemory: true) ?? encoders.blocks
    blocks = encoders.blocks
    mostPictures = encoders.mostPictures
    longestSequence = encoders.longestSequence
    isBlank = encoders.graphics == .none
    kitty = encoders.graphics == .kitty ? encoders.kitty : nil
    fileEncoder = encoders.graphics == .iterm ? encoders.files(.full) : nil
    kind =
      switch encoders.graphics {
      case .blocks, .none: .lines
      // tmux leaves the cursor one line lower than terminals do; above it, a picture would lose its first row.
      case .sixel where mostPictures != nil: .placements
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

  /// Returns the canvas for a number of pictures, which are drawn as text where the terminal would lose some: if they
  /// are more than it keeps, or take more rows than the window has, because tmux keeps no pictures above the window.
  /// - Parameter grid: number of pictures side by side and below each other; nil means all below each other.
  package func drawing(_ count: Int, grid: CellSize?) -> TerminalCanvas {
    guard let mostPictures, let window = terminal?.cells,
      count > mostPictures || layout(grid: grid).rowCount(of: count) >= window.rows
    else { return self }
    var canvas = self
    (canvas.encoder, canvas.kind) = (blocks, .lines)
    return canvas
  }

  // MARK: Drawing

  /// Returns the size in pixels of the box for each picture in a grid, which is the size to request.
  /// - Parameter grid: number of pictures side by side, and number of their rows that fill the window.
  public func pictureSize(in grid: CellSize) -> PixelSize {
    encoder.geometry.pixels(for: layout(grid: grid).box)
  }

  /// Draws a row of pictures below the existing text, and leaves the cursor below them.
  /// - Parameters:
  ///   - row: pictures of the size from `pictureSize(in:)`, or smaller; nil leaves a place free. Pictures beyond
  ///     the grid's columns are ignored.
  ///   - grid: number of pictures side by side, and number of their rows that fill the window.
  /// - Throws: `TerminalError` if standard output accepts no more output.
  public func draw(_ row: [PixelBuffer?], in grid: CellSize) throws(TerminalError) {
    let pictures = row.prefix(max(1, grid.columns)).map { picture in
      picture.map { ready(encoder.encode($0, over: backdrop)) }
    }
    guard write(layout(grid: grid).row(of: pictures)) else { throw .lost("cannot write to standard output") }
  }

  /// Returns the layout of pictures in a grid, or below each other without a grid.
  package func layout(grid: CellSize?) -> SheetLayout {
    SheetLayout(cells: cells, grid: grid, kind: kind, isPlacedByOthers: output == nil)
  }

  /// Returns the picture with the commands that place it.
  package func ready(_ picture: EncodedPicture) -> EncodedPicture {
    kitty?.drawing(picture, as: kittyNumbers.take()) ?? picture
  }

  /// Writes bytes to standard output; nothing if the canvas is blank.
  /// - Returns: whether they were written.
  package func write(_ bytes: [UInt8]) -> Bool {
    if isBlank { return true }
    return output?.write(bytes) ?? (DescriptorWriter(STDOUT_FILENO).write(bytes) == .written)
  }
}
