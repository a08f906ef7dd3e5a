package import Pixels
package import TerminalGraphics

/// How pictures are to be drawn, as the user asked for it.
package struct PictureOptions: Sendable {
  /// How pictures are drawn; nil = as the terminal can.
  package var graphics: GraphicsProtocol?
  /// What writes sixels; nil = what is better for the terminal's colour registers.
  package var sixelEncoder: SixelEncoderKind?
  /// Blocks are drawn without colours, as characters.
  package var isASCII = false
  /// The characters of blocks; nil = as the terminal is known to draw them.
  package var symbols: BlockSymbols?
  /// Pictures that let something through lie on a checkerboard.
  package var isCheckered = false
  /// The size of a character cell, over what the terminal says.
  package var cellSize: PixelSize?
  /// Makes a file of a picture for terminals that read files (iTerm2); nil when it can't.
  package var compress: EncoderChoice.Compressor = { _, _ in nil }
  /// What the link to the terminal was found to carry before; nil = nothing is known of it.
  package var bytesPerSecond: Double?
  /// Bytes of encoded pictures to keep.
  package var cacheLimit = 32 << 20

  package init() {}
}
