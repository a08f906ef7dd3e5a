package import Pixels

/// What a terminal was found to be able to do.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Whether the terminal said that it understands kitty's graphics protocol.
  var hasKitty = false
  /// Whether it said that it reads kitty's pictures from shared memory.
  package var hasKittySharedMemory = false
  /// Whether it said that it reads kitty's pictures from temporary files.
  package var hasKittyTemporaryFiles = false
  /// Whether the terminal said that it draws sixels.
  var hasSixel = false
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
  var tmuxClient: TmuxClient?

  package init() {}

  /// Whether kitty's pictures reach it without going through the terminal's line.
  var readsKittyHandovers: Bool { hasKittySharedMemory || hasKittyTemporaryFiles }
}
