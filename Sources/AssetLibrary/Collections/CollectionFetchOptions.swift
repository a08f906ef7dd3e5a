/// Options that select and sort the collections of a fetch, as `PHFetchOptions` does in PhotoKit.
///
///     var options = CollectionFetchOptions(types: .album)
///     options.predicate = .title(contains: "lisbon") && .assetCount >= 10
///     options.sortDescriptors = [CollectionSortDescriptor(.endDate, ascending: false)]
///     let trips = manager.fetchCollections(options)
public struct CollectionFetchOptions: Hashable, Sendable {
  /// The types to return.
  public var types: CollectionTypes
  /// The subtypes to return; nil = any.
  public var subtypes: Set<AssetCollectionSubtype>?
  /// A condition that collections must meet; nil = none.
  public var predicate: CollectionPredicate?
  /// The sort order: the first descriptor by which two collections differ decides, then the library's order.
  ///
  /// The library's order is: smart albums, the user's albums, folders by path, then moments with the newest
  /// first.
  public var sortDescriptors: [CollectionSortDescriptor] = []
  /// The maximum number of collections; 0 = no limit.
  public var fetchLimit = 0
  /// Selects the assets that count; collections without any are not returned.
  public var assets = FetchOptions()

  /// Creates options that return all collections of some types.
  public init(types: CollectionTypes = .default, subtypes: Set<AssetCollectionSubtype>? = nil) {
    self.types = types
    self.subtypes = subtypes
  }

  /// Returns the collections that meet the conditions, sorted and limited.
  func apply(to collections: FetchResult<AssetCollection>) -> FetchResult<AssetCollection> {
    if subtypes == nil, predicate == nil, sortDescriptors.isEmpty, fetchLimit == 0 { return collections }
    let found = collections.filter { collection in
      subtypes?.contains(collection.subtype) ?? true && predicate?.matches(collection) ?? true
    }
    let sorted = found.enumerated().sorted { a, b in
      for descriptor in sortDescriptors {
        let order = descriptor.compare(a.element, b.element)
        if order != 0 { return order < 0 }
      }
      return a.offset < b.offset
    }.map(\.element)
    return FetchResult(fetchLimit > 0 ? Array(sorted.prefix(fetchLimit)) : sorted)
  }
}

/// A condition on a collection.
///
/// A collection without the compared value, such as the dates of an empty album, does not meet it.
public enum CollectionPredicate: Hashable, Sendable {
  /// The title contains this text, ignoring case and accents.
  case title(contains: String)
  /// Compares the estimated number of assets with a number.
  case count(AssetPredicate.Comparison, Int)
  /// Compares the first or last date of the assets with a date, by wall time.
  case date(DateKey, AssetPredicate.Comparison, AssetDate)
  /// All conditions are met; true for an empty array.
  case and([CollectionPredicate])
  /// At least one condition is met; false for an empty array.
  case or([CollectionPredicate])
  /// The condition is not met.
  indirect case not(CollectionPredicate)

  /// The dates of a collection.
  public enum DateKey: String, CaseIterable, Hashable, Sendable {
    /// The creation date of the earliest asset.
    case startDate
    /// The creation date of the latest asset.
    case endDate
  }

  /// A number of a collection, for comparisons such as `.assetCount >= 10`.
  public enum CountKey: String, CaseIterable, Hashable, Sendable {
    /// The estimated number of assets.
    case assetCount

    /// Fewer assets than `count`.
    public static func < (key: Self, count: Int) -> CollectionPredicate { .count(.less, count) }
    /// At most `count` assets.
    public static func <= (key: Self, count: Int) -> CollectionPredicate { .count(.lessOrEqual, count) }
    /// Exactly `count` assets.
    public static func == (key: Self, count: Int) -> CollectionPredicate { .count(.equal, count) }
    /// At least `count` assets.
    public static func >= (key: Self, count: Int) -> CollectionPredicate { .count(.greaterOrEqual, count) }
    /// More assets than `count`.
    public static func > (key: Self, count: Int) -> CollectionPredicate { .count(.greater, count) }
  }

  /// Returns whether a collection meets the condition.
  public func matches(_ collection: AssetCollection) -> Bool {
    switch self {
    case .title(let text):
      let (title, part) = (TextPattern.fold(collection.title), TextPattern.fold(text))
      return part.isEmpty || title.indices.contains { title[$0...].starts(with: part) }
    case .count(let comparison, let number):
      return collection.estimatedAssetCount.map { comparison.holds($0, number) } ?? false
    case .date(let key, let comparison, let date):
      let found = key == .startDate ? collection.startDate : collection.endDate
      return found.map { comparison.holds($0, date) } ?? false
    case .and(let predicates): return predicates.allSatisfy { $0.matches(collection) }
    case .or(let predicates): return predicates.contains { $0.matches(collection) }
    case .not(let predicate): return !predicate.matches(collection)
    }
  }

  /// Requires both conditions.
  public static func && (a: Self, b: Self) -> Self { .and([a, b]) }

  /// Requires at least one of two conditions.
  public static func || (a: Self, b: Self) -> Self { .or([a, b]) }

  /// Negates a condition.
  public static prefix func ! (predicate: Self) -> Self { .not(predicate) }
}

/// A key and a direction to sort collections by.
public struct CollectionSortDescriptor: Hashable, Sendable {
  /// The values to sort by.
  public enum Key: String, CaseIterable, Hashable, Sendable {
    /// The title in natural order, "Day 2" before "Day 10", ignoring case and accents.
    case title
    /// The creation date of the earliest asset; collections without one come last.
    case startDate
    /// The creation date of the latest asset; collections without one come last.
    case endDate
    /// The estimated number of assets; collections without one come last.
    case assetCount
  }

  /// The value to compare.
  public var key: Key
  /// Whether small values come first.
  public var ascending: Bool

  /// Creates a descriptor.
  public init(_ key: Key, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }

  /// Returns a negative number if `a` comes first, a positive one if `b` does, 0 if they are equal.
  fileprivate func compare(_ a: AssetCollection, _ b: AssetCollection) -> Int {
    switch key {
    case .title:
      let order = NaturalOrder.compare(Array(a.title.utf8), Array(b.title.utf8))
      return ascending ? order : -order
    case .startDate: return compare(a.startDate, b.startDate)
    case .endDate: return compare(a.endDate, b.endDate)
    case .assetCount: return compare(a.estimatedAssetCount, b.estimatedAssetCount)
    }
  }

  private func compare<Value: Comparable>(_ a: Value?, _ b: Value?) -> Int {
    guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
    let order = a < b ? -1 : b < a ? 1 : 0
    return ascending ? order : -order
  }
}
