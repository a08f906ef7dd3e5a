/// When the names of photos stand below their tiles.
package enum CaptionMode: String, CaseIterable, Hashable, Sendable {
  /// Where tiles are wide enough for them.
  case auto
  /// Where photos stand in the order of their names.
  case byName = "by-name"
  case always, never

  /// Narrower tiles cut most names.
  private static let leastColumns = 16

  /// The rows that captions take under tiles of a width in cells.
  /// - Parameter isByName: whether photos stand in the order of their names.
  func rows(under columns: Int, isByName: Bool) -> Int {
    switch self {
    case .byName: isByName ? 1 : 0
    case .auto: columns >= Self.leastColumns ? 1 : 0
    case .always: 1
    case .never: 0
    }
  }
}
