/// The symbols that the picker draws with, by meaning.
///
/// Symbols documented as one cell wide must be so in every set, because the layout depends on it.
package struct Symbols: Hashable, Sendable {
  package var grid = Grid()
  package var badges = Badges()
  package var albums = Albums()
  package var menus = Menus()
  package var lines = Lines()
  /// The frame of a picked tile without a picture.
  package var pickLines = Lines.heavy
  package var keys = Keys()
  /// Replacements for typographic characters in text, of the same width; empty = none.
  package var typography: [String: String] = [:]

  /// Whether text shows nothing but ASCII, because the terminal has nothing else.
  package var isLimitedToASCII = false

  package init() {}

  package static let unicode = Symbols()

  /// Symbols and text for a terminal whose locale has no other characters than ASCII's.
  package static let limitedToASCII: Symbols = {
    var symbols = Symbols.ascii
    symbols.isLimitedToASCII = true
    return symbols
  }()

  /// What stands for a character of text, of the same width.
  func shown(_ piece: DisplayText.Piece) -> String {
    let text = typography[piece.text] ?? piece.text
    guard isLimitedToASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return String(repeating: "?", count: piece.width)
  }

  /// The mark of a pick by its number, "[1]" and so on.
  package func mark(_ number: Int) -> String { "[\(number)]" }
}
