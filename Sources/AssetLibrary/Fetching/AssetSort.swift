/// The orders that have a name.
///
/// Ties go by the path's bytes.
public enum AssetSort: String, CaseIterable, Hashable, Sendable {
  /// By creation date, the latest first.
  case newest
  /// By creation date, the earliest first.
  case oldest
  /// By the file name in the natural order, "img2" before "img10".
  case name
  /// The largest file first.
  case size
  /// By the date on which the library saw the asset, the latest first.
  case added
  /// As the user named the sources.
  case given
  // The others turned round.
  case nameReversed = "name reversed"
  case sizeReversed = "size reversed"
  case addedReversed = "added reversed"
  case givenReversed = "given reversed"

  /// The orders that make sense for any library, each once.
  public static let allCases: [AssetSort] = [.newest, .oldest, .name, .size, .added]

  /// The order turned round.
  public var reversed: AssetSort {
    switch self {
    case .newest: .oldest
    case .oldest: .newest
    case .name: .nameReversed
    case .nameReversed: .name
    case .size: .sizeReversed
    case .sizeReversed: .size
    case .added: .addedReversed
    case .addedReversed: .added
    case .given: .givenReversed
    case .givenReversed: .given
    }
  }

  @inlinable
  var descriptor: AssetSortDescriptor {
    switch self {
    case .newest: AssetSortDescriptor(key: .creationDate, ascending: false)
    case .oldest: AssetSortDescriptor(key: .creationDate, ascending: true)
    case .name: AssetSortDescriptor(key: .filename, ascending: true)
    case .nameReversed: AssetSortDescriptor(key: .filename, ascending: false)
    case .size: AssetSortDescriptor(key: .byteCount, ascending: false)
    case .sizeReversed: AssetSortDescriptor(key: .byteCount, ascending: true)
    case .added: AssetSortDescriptor(key: .addedDate, ascending: false)
    case .addedReversed: AssetSortDescriptor(key: .addedDate, ascending: true)
    case .given: AssetSortDescriptor(key: .given, ascending: true)
    case .givenReversed: AssetSortDescriptor(key: .given, ascending: false)
    }
  }

  /// The order as fetch options hold it.
  public var descriptors: [AssetSortDescriptor] { [descriptor] }

  /// Whether `a` stands before `b`.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    let order = descriptor.compare(a, b)
    return order != 0 ? order < 0 : a.comparePath(to: b) < 0
  }
}
