/// The size of the thumbnails: one of four sizes, or a number of columns.
package enum GridSize: Hashable, Sendable {
  case small, medium, large, extraLarge
  /// A number of thumbnails in a row, fewer where they would be too small.
  case columns(Int)

  /// The numbers of columns that can be configured.
  package static let columnRange = 1...24

  private static let named: [(name: String, size: GridSize)] = [
    ("small", .small), ("medium", .medium), ("large", .large), ("extra-large", .extraLarge),
  ]

  /// The names of the four sizes, the smallest first.
  package static var names: [String] { named.map(\.name) }

  /// The size with a name; nil if there is none.
  package init?(name: String) {
    guard let size = Self.named.first(where: { $0.name == name })?.size else { return nil }
    self = size
  }

  /// The name of the size; nil for a number of columns.
  package var name: String? { Self.named.first { $0.size == self }?.name }

  /// The number of tiles in a row of a grid of some width in cells, as near to the size as fills the row.
  func columns(in width: Int) -> Int {
    let most = max(1, (width + GridGeometry.gap) / (Self.leastBoxColumns + GridGeometry.gap))
    let wanted =
      switch self {
      case .small: 8
      case .medium: 12
      case .large: 18
      case .extraLarge: 26
      case .columns(let count): count
      }
    if case .columns = self { return max(1, min(wanted, most)) }
    let count = Double(width + GridGeometry.gap) / Double(wanted + GridGeometry.gap)
    return max(1, min(most, Int(count.rounded())))
  }

  /// Nothing can be told apart in narrower tiles.
  private static let leastBoxColumns = 4
}
