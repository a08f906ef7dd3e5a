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

  /// The next larger size, or one column fewer.
  var larger: GridSize {
    switch self {
    case .small: .medium
    case .medium: .large
    case .large, .extraLarge: .extraLarge
    case .columns(let count): .columns(max(Self.columnRange.lowerBound, count - 1))
    }
  }

  var smaller: GridSize {
    switch self {
    case .small, .medium: .small
    case .large: .medium
    case .extraLarge: .large
    case .columns(let count): .columns(min(Self.columnRange.upperBound, count + 1))
    }
  }

  /// The width of a picture box in a grid of the given width, both in cells.
  func boxColumns(in width: Int) -> Int {
    let columns =
      switch self {
      case .small: 12
      case .medium: 16
      case .large: 22
      case .extraLarge: 32
      case .columns(let count):
        max(
          Self.minimumBoxColumns,
          (width + GridGeometry.gutterColumns) / max(1, count) - GridGeometry.gutterColumns)
      }
    return min(columns, width)
  }

  /// Narrower boxes show neither a recognizable picture nor a name.
  private static let minimumBoxColumns = 6
}
