package import Pixels

/// How pictures reach the screen.
package enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  case kitty, iterm, sixel, blocks, none
}

/// What a terminal was found to be able to do.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Whether the terminal said that it understands kitty's graphics protocol.
  package var hasKitty = false
  /// Whether it said that it reads kitty's pictures from shared memory.
  package var hasKittySharedMemory = false
  /// Whether it said that it reads kitty's pictures from temporary files.
  package var hasKittyTemporaryFiles = false
  /// Whether the terminal said that it draws sixels.
  package var hasSixel = false
  /// The size of a character cell in pixels, as far as it is known.
  package var cellSize: PixelSize?
  /// The largest sixel picture in pixels.
  package var largestSixel: PixelSize?
  /// The colour registers of a sixel picture.
  package var colorRegisters: Int?
  /// Whether a frame can be shown at once (mode 2026).
  package var hasSynchronizedOutput = false
  /// What the terminal calls itself.
  package var name: String?
  /// The background, for pictures that let it through.
  package var background: Color?
  /// What is known of it beyond its answers.
  package var quirks = TerminalQuirks()
  /// What tmux says of the terminal that it runs in; nil without tmux.
  package var tmuxClient: TmuxClient?

  package init() {}

  /// Whether kitty's pictures reach it without going through the terminal's line.
  package var readsKittyHandovers: Bool { hasKittySharedMemory || hasKittyTemporaryFiles }
}

/// What tmux says of the terminal that it is attached to.
package struct TmuxClient: Hashable, Sendable {
  /// What tmux asks of itself, for `display-message`: XTVERSION of the terminal, and the option.
  package static let format = "#{client_termtype}\n#{allow-passthrough}"

  /// What the terminal answered to tmux.
  package var name: String
  /// Whether tmux passes wrapped sequences on to it.
  package var allowsPassthrough: Bool

  package init(name: String, allowsPassthrough: Bool) {
    self.name = name
    self.allowsPassthrough = allowsPassthrough
  }

  /// Reads the answer to `format`.
  package init(answer: String) {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false)
    name = String(lines.first ?? "")
    allowsPassthrough = ["on", "all", "1"].contains(lines.dropFirst().first ?? "")
  }
}

extension PixelSize {
  /// The size of a cell where no terminal tells it: that of the VT340 in 10x20.
  package static let defaultCell = PixelSize(width: 10, height: 20)

  /// Whether a window of this many pixels and cells can be true: terminals and multiplexers have been seen
  /// to answer with zeros and made-up numbers.
  package func isPlausible(for cells: CellSize) -> Bool {
    width >= 2 * cells.columns && height >= 4 * cells.rows
  }
}
