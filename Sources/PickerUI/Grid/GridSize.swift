/// How large the thumbnails are: one of four sizes, or so many side by side.
package enum GridSize: Hashable, Sendable {
  case small, medium, large, extraLarge
  /// So many thumbnails in a row, as far as they have room.
  case columns(Int)

  /// How many thumbnails a row can be asked to have.
  package static let columnRange = 1...24

  private static let named: [(name: String, size: GridSize)] = [
    ("small", .small), ("medium", .medium), ("large", .large), ("extra-large", .extraLarge),
  ]

  /// The words for the four sizes, the smallest first.
  package static var names: [String] { named.map(\.name) }

  /// The size of that name; nil for other words.
  package init?(name: String) {
    guard let size = Self.named.first(where: { $0.name == name })?.size else { return nil }
    self = size
  }

  /// The word for the size; nil for a number of columns.
  package var name: String? { Self.named.first { $0.size == self }?.name }

  /// The next larger size: fewer columns, where they are counted.
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

  /// The width of a picture box in cells, in a grid of a width in cells.
  func boxColumns(in width: Int) -> Int {
    let columns =
      switch self {
      case .small: 12
      case .medium: 16
      case .large: 22
      case .extraLarge: 32
      case .columns(let count):
        max(
          Self.leastBoxColumns,
          (width + GridGeometry.gutterColumns) / max(1, count) - GridGeometry.gutterColumns)
      }
    return min(columns, width)
  }

  /// Less than this shows neither a picture nor a name.
  private static let leastBoxColumns = 6
}
