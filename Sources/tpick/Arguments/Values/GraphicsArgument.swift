import ArgumentParser
import TerminalGraphics

/// The value of `--graphics`.
enum GraphicsArgument: String, CaseIterable, WordArgument {
  case auto, kitty, iterm, sixel, blocks, ascii, none

  /// The graphics protocol; nil = the best one that the terminal supports.
  var graphics: GraphicsProtocol? { isASCII ? .blocks : GraphicsProtocol(rawValue: rawValue) }

  /// Whether blocks are drawn as ASCII characters.
  var isASCII: Bool { self == .ascii }
}
