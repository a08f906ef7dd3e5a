public import Pixels

/// How pictures reach the screen.
public enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  case kitty, iterm, sixel, blocks, none
}

/// What a terminal was found to be able to do.
public struct TerminalCapabilities: Hashable, Sendable {
  /// Whether the terminal said that it understands kitty's graphics protocol.
  public var hasKitty = false
  /// Whether it said that it reads kitty's pictures from shared memory.
  public var hasKittySharedMemory = false
  /// Whether it said that it reads kitty's pictures from temporary files.
  public var hasKittyTemporaryFiles = false
  /// Whether the terminal said that it draws sixels.
  public var hasSixel = false
  /// The size of a character cell in pixels, as far as it is known.
  public var cellSize: PixelSize?
  /// The largest sixel picture in pixels.
  public var largestSixel: PixelSize?
  /// The colour registers of a sixel picture.
  public var colorRegisters: Int?
  /// Whether a frame can be shown at once (mode 2026).
  public var hasSynchronizedOutput = false
  /// What the terminal calls itself.
  public var name: String?
  /// The background, for pictures that let it through.
  public var background: Color?
  /// What is known of it beyond its answers.
  public var quirks = TerminalQuirks()
  /// What tmux says of the terminal that it runs in; nil without tmux.
  public var tmuxClient: TmuxClient?

  public init() {}

  /// Whether kitty's pictures reach it without going through the terminal's line.
  public var readsKittyHandovers: Bool { hasKittySharedMemory || hasKittyTemporaryFiles }
}

/// What tmux says of the terminal that it is attached to.
public struct TmuxClient: Hashable, Sendable {
  /// What tmux asks of itself, for `display-message`: XTVERSION of the terminal, and the option.
  public static let format = "#{client_termtype}\n#{allow-passthrough}"

  /// What the terminal answered to tmux.
  public var name: String
  /// Whether tmux passes wrapped sequences on to it.
  public var allowsPassthrough: Bool

  public init(name: String, allowsPassthrough: Bool) {
    self.name = name
    self.allowsPassthrough = allowsPassthrough
  }

  /// Reads the answer to `format`.
  public init(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    name = String(lines.first ?? "")
    allowsPassthrough = ["on", "all", "1"].contains(lines.dropFirst().first ?? "")
  }
}

extension PixelSize {
  /// The size of a cell where no terminal tells it: that of the VT340 in 10x20.
  public static let defaultCell = PixelSize(width: 10, height: 20)

  /// Whether a window of this many pixels and cells can be true: terminals and multiplexers have been seen
  /// to answer with zeros and made-up numbers.
  public func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
