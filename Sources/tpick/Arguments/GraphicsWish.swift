import TerminalGraphics

/// What `--graphics` asks for.
struct GraphicsWish {
  /// The way of drawing; nil = as the terminal can.
  var graphics: GraphicsProtocol?
  /// Blocks are drawn without colours, as characters.
  var isASCII = false

  private static let words = ["auto", "kitty", "iterm", "sixel", "blocks", "ascii", "none"]

  /// - Throws: `Failure` for a word that is no way of drawing.
  init(_ text: String?) throws(Failure) {
    let word = text?.lowercased() ?? "auto"
    guard Self.words.contains(word) else {
      throw .usage(
        "--graphics: unknown way '\(text ?? "")'; ways are \(Self.words.joined(separator: ", "))")
    }
    isASCII = word == "ascii"
    graphics = isASCII ? .blocks : GraphicsProtocol(rawValue: word)
  }
}
