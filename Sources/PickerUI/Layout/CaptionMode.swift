/// When the names of photos stand below their tiles.
package enum CaptionMode: String, CaseIterable, Hashable, Sendable {
  /// Where tiles are wide enough for them.
  case auto
  case always, never

  /// Narrower tiles cut most names.
  private static let leastColumns = 16

  /// The rows that captions take under tiles of a width in cells.
  func rows(under columns: Int) -> Int {
    switch self {
    case .auto: columns >= Self.leastColumns ? 1 : 0
    case .always: 1
    case .never: 0
    }
  }
}
