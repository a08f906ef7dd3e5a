package import TerminalGraphics

/// How pictures are drawn, as the command line and the configuration say it.
package enum GraphicsMode: String, CaseIterable, Hashable, Sendable {
  case auto, kitty, iterm, sixel, blocks, ascii, none

  /// The graphics protocol; nil = the best one that the terminal supports.
  package var graphics: GraphicsProtocol? { isASCII ? .blocks : GraphicsProtocol(rawValue: rawValue) }

  /// Whether blocks are drawn as ASCII characters.
  package var isASCII: Bool { self == .ascii }
}
