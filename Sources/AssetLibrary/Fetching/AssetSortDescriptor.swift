public import Pixels

/// What assets can be ordered by.
public enum AssetSortKey: String, CaseIterable, Hashable, Sendable {
  case creationDate, modificationDate, addedDate
  /// The file's own name, in the natural order.
  case filename
  /// The order in which the user named the sources.
  case given
  case byteCount, duration, pixelWidth, pixelHeight
}

/// One step of an order: a key, and whether small comes first.
public struct AssetSortDescriptor: Hashable, Sendable {
  public var key: AssetSortKey
  public var ascending: Bool

  public init(key: AssetSortKey, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }

  /// How two assets stand to each other by this key: below 0 where `a` comes first, 0 where the key can't
  /// tell them apart.
  @inlinable
  public func compare<A: AssetAttributes>(_ a: A, _ b: A) -> Int {
    let ascendingOrder =
      switch key {
      case .creationDate: Self.order(a.creationDate, b.creationDate)
      case .modificationDate: Self.order(a.modificationDate, b.modificationDate)
      case .addedDate: Self.order(a.addedDate, b.addedDate)
      case .filename: a.compareName(to: b)
      case .given: Self.order(a.givenPlace, b.givenPlace)
      case .byteCount: Self.order(a.byteCount, b.byteCount)
      case .duration: Self.order(a.duration, b.duration)
      case .pixelWidth: Self.order(a.pixelSize.width, b.pixelSize.width)
      case .pixelHeight: Self.order(a.pixelSize.height, b.pixelSize.height)
      }
    return ascending ? ascendingOrder : -ascendingOrder
  }

  // Two dates may differ although none is earlier (in their offsets): only `<` counts.
  @inlinable
  static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : b < a ? 1 : 0 }
}

extension [AssetSortDescriptor] {
  /// Whether `a` stands before `b`: by the first descriptor that tells them apart, else by the path's bytes.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    for descriptor in self {
      let order = descriptor.compare(a, b)
      if order != 0 { return order < 0 }
    }
    return a.comparePath(to: b) < 0
  }
}
