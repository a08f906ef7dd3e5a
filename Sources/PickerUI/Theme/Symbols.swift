/// The signs that the picker draws with, each with a meaning of its own.
///
/// A set of symbols replaces them all at once. Every sign fills as many cells as its counterpart in the other
/// sets where it stands in a fixed place; those of one cell are marked so.
package struct Symbols: Hashable, Sendable {
  package var grid = Grid()
  package var badges = Badges()
  package var albums = Albums()
  package var menus = Menus()
  package var lines = Lines()
  package var keys = Keys()
  /// What signs within phrases become, cell for cell; empty = they stay.
  package var typography: [String: String] = [:]

  package init() {}

  package static let unicode = Symbols()

  /// ①–⑳, then (21).
  package func mark(_ number: Int) -> String {
    grid.numbers.indices.contains(number - 1) ? grid.numbers[number - 1] : "(\(number))"
  }
}
