import TerminalGraphics

/// The parsed value of `--graphics`.
struct GraphicsArgument {
  /// The graphics protocol; nil = the best one that the terminal supports.
  var graphics: GraphicsProtocol?
  /// Whether blocks are drawn as ASCII characters.
  var isASCII = false

  private static let names = ["auto", "kitty", "iterm", "sixel", "blocks", "ascii", "none"]

  /// - Throws: `Failure` for an unknown value.
  init(_ text: String?) throws(Failure) {
    let word = text?.lowercased() ?? "auto"
    guard Self.names.contains(word) else {
      throw .usage(
        "--graphics: unknown protocol '\(text ?? "")'; protocols are \(Self.names.joined(separator: ", "))")
    }
    isASCII = word == "ascii"
    graphics = isASCII ? .blocks : GraphicsProtocol(rawValue: word)
  }
}
