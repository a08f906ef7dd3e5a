public import Pixels

// What makes predicates pleasant to write.

extension AssetPredicate {
  public static let isFavorite = AssetPredicate.flag(.isFavorite)
  public static let isHidden = AssetPredicate.flag(.isHidden)
  public static let hasAdjustments = AssetPredicate.flag(.hasAdjustments)
  public static let representsBurst = AssetPredicate.flag(.representsBurst)
  public static let hasLocation = AssetPredicate.flag(.hasLocation)

  // Keys that are compared: `AssetPredicate.rating >= 4`.
  public static let creationDate = DateKey.creationDate
  public static let modificationDate = DateKey.modificationDate
  public static let addedDate = DateKey.addedDate
  public static let duration = NumberKey.duration
  public static let pixelWidth = NumberKey.pixelWidth
  public static let pixelHeight = NumberKey.pixelHeight
  public static let rating = NumberKey.rating
  public static let byteCount = NumberKey.byteCount

  public static func && (a: AssetPredicate, b: AssetPredicate) -> AssetPredicate {
    // A chain is one list: that is quicker than lists in lists.
    if case .and(let predicates) = a { .and(predicates + [b]) } else { .and([a, b]) }
  }

  public static func || (a: AssetPredicate, b: AssetPredicate) -> AssetPredicate {
    if case .or(let predicates) = a { .or(predicates + [b]) } else { .or([a, b]) }
  }

  public static prefix func ! (predicate: AssetPredicate) -> AssetPredicate { .not(predicate) }
}

extension AssetPredicate.DateKey {
  public static func < (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .less, date) }
  public static func <= (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .lessOrEqual, date) }
  public static func == (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .equal, date) }
  public static func != (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .notEqual, date) }
  public static func >= (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .greaterOrEqual, date) }
  public static func > (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .greater, date) }

  @inlinable
  func value<A: AssetAttributes>(of asset: A) -> AssetDate {
    switch self {
    case .creationDate: asset.creationDate
    case .modificationDate: asset.modificationDate
    case .addedDate: asset.addedDate
    }
  }
}

extension AssetPredicate.NumberKey {
  public static func < (key: Self, number: Double) -> AssetPredicate { .number(key, .less, number) }
  public static func <= (key: Self, number: Double) -> AssetPredicate { .number(key, .lessOrEqual, number) }
  public static func == (key: Self, number: Double) -> AssetPredicate { .number(key, .equal, number) }
  public static func != (key: Self, number: Double) -> AssetPredicate { .number(key, .notEqual, number) }
  public static func >= (key: Self, number: Double) -> AssetPredicate {
    .number(key, .greaterOrEqual, number)
  }
  public static func > (key: Self, number: Double) -> AssetPredicate { .number(key, .greater, number) }

  @inlinable
  func value<A: AssetAttributes>(of asset: A) -> Double {
    switch self {
    case .duration: asset.duration
    case .pixelWidth: Double(asset.pixelSize.width)
    case .pixelHeight: Double(asset.pixelSize.height)
    case .rating: Double(asset.rating)
    case .byteCount: Double(asset.byteCount)
    }
  }
}

extension AssetPredicate.FlagKey {
  @inlinable
  func value<A: AssetAttributes>(of asset: A) -> Bool {
    switch self {
    case .isFavorite: asset.isFavorite
    case .isHidden: asset.isHidden
    case .hasAdjustments: asset.hasAdjustments
    case .representsBurst: asset.representsBurst
    case .hasLocation: asset.location != nil
    }
  }
}

extension AssetPredicate.Shape {
  @inlinable
  func holds(_ size: PixelSize) -> Bool {
    if size.width <= 0 || size.height <= 0 { return false }
    return switch self {
    case .landscape: size.width > size.height
    case .portrait: size.width < size.height
    case .square: size.width == size.height
    }
  }
}

extension AssetPredicate.Comparison {
  /// Whether `a` stands to `b` like this; a number that is none (NaN) stands to nothing, it only differs.
  @inlinable
  func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    // Two dates may differ although none is earlier (in their offsets): they are at one time all the same.
    case .equal: a <= b && b <= a
    case .notEqual: !(a <= b && b <= a)
    case .greaterOrEqual: a >= b
    case .greater: a > b
    }
  }
}
