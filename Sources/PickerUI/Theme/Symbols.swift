/// The symbols that the picker draws with, by meaning.
///
/// Symbols documented as one cell wide must be so in every set, because the layout depends on it.
package struct Symbols: Hashable, Sendable {
  package var grid = Grid()
  package var badges = Badges()
  package var albums = Albums()
  package var menus = Menus()
  package var lines = Lines()
  package var keys = Keys()
  /// Replacements for typographic characters in text, of the same width; empty = none.
  package var typography: [String: String] = [:]

  package init() {}

  package static let unicode = Symbols()

  /// The mark of a pick by its number: ①–⑳, then "(21)".
  package func mark(_ number: Int) -> String {
    grid.numbers.indices.contains(number - 1) ? grid.numbers[number - 1] : "(\(number))"
  }
}
