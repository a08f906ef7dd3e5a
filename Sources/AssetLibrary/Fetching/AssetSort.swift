/// The orders that have a name.
///
/// Ties go by the path's bytes.
public enum AssetSort: String, CaseIterable, Hashable, Sendable {
  /// By creation date, the latest first.
  case newest
  /// By creation date, the earliest first.
  case oldest
  /// By the bytes of the file name.
  case name
  /// The largest file first.
  case size
  /// By the date on which the library saw the asset, the latest first.
  case added

  @inlinable
  var descriptor: AssetSortDescriptor {
    switch self {
    case .newest: AssetSortDescriptor(key: .creationDate, ascending: false)
    case .oldest: AssetSortDescriptor(key: .creationDate, ascending: true)
    case .name: AssetSortDescriptor(key: .filename, ascending: true)
    case .size: AssetSortDescriptor(key: .byteCount, ascending: false)
    case .added: AssetSortDescriptor(key: .addedDate, ascending: false)
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
