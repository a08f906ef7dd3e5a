/// The symbols that the picker draws with, by meaning.
///
/// Symbols documented as one cell wide must be so in every set, because the layout depends on it.
package struct Symbols: Hashable, Sendable {
  package var grid = Grid()
  package var badges = Badges()
  package var albums = Albums()
  package var menus = Menus()
  package var lines = Lines()
  /// The frame of a tile that is under the cursor and picked.
  package var doubleLines = Lines.double
  package var keys = Keys()
  /// Replacements for typographic characters in text, of the same width; empty = none.
  package var typography: [String: String] = [:]

  package init() {}

  package static let unicode = Symbols()

  /// The mark of a pick by its number, "[1]" and so on.
  package func mark(_ number: Int) -> String { "[\(number)]" }
}
