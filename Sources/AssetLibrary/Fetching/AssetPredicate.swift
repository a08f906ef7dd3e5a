public import Pixels

/// A condition on the attributes of an asset: a typed counterpart of PhotoKit's `NSPredicate`.
///
/// Join conditions with `&&`, `||` and `!`, and compare keys with the usual operators:
///
///     options.predicate = .mediaType(.image) && .isFavorite && .creationDate >= firstOfMay && .rating > 3
///
/// In a fetch, broken assets meet no condition, because `FetchOptions.admits` rejects them.
public enum AssetPredicate: Hashable, Sendable {
  /// The asset is of this kind of medium.
  case mediaType(MediaType)
  /// The asset is played back in this way.
  case playbackStyle(PlaybackStyle)
  /// The asset has all of these subtypes.
  case mediaSubtypes(MediaSubtypes)
  /// The flag is set.
  case flag(FlagKey)
  /// The date compares in this way with another one. Only the local times are compared, not the UTC offsets.
  case date(DateKey, Comparison, AssetDate)
  /// The date is in one of these months (1 to 12) of any year; with `day`, also on that day of the month.
  case everyYear(DateKey, months: [Int], day: Int?)
  /// The number compares in this way with another one.
  case number(NumberKey, Comparison, Double)
  /// The photo has this shape after orientation; false if its size is unknown.
  case shape(Shape)
  /// The file name has this extension, given in lowercase and without a dot; the name's case is ignored.
  case fileExtension(String)
  /// The photo belongs to this burst.
  case burstIdentifier(String)
  /// The asset was taken at most `kilometers` away from `near`; false if its location is unknown.
  case location(near: Location, kilometers: Double)
  /// The asset matches the filter.
  case filter(PickerFilter)
  /// All of the conditions hold; true if there are none.
  case and([AssetPredicate])
  /// At least one of the conditions holds; false if there are none.
  case or([AssetPredicate])
  /// The condition does not hold.
  indirect case not(AssetPredicate)

  /// The Boolean attributes of an asset.
  public enum FlagKey: String, CaseIterable, Hashable, Sendable {
    /// Whether the user marked the asset as a favorite.
    case isFavorite
    /// Whether the user hid the asset.
    case isHidden
    /// Whether an edited version exists.
    case hasAdjustments
    /// Whether the photo represents its burst.
    case representsBurst
    /// Whether the location is known.
    case hasLocation
  }

  /// The dates of an asset.
  public enum DateKey: String, CaseIterable, Hashable, Sendable {
    /// When it was taken.
    case creationDate
    /// When it was last modified.
    case modificationDate
    /// When the library first found it.
    case addedDate
  }

  /// The numeric attributes of an asset.
  public enum NumberKey: String, CaseIterable, Hashable, Sendable {
    /// Seconds; 0 for stills.
    case duration
    /// Pixels after orientation; 0 if unknown.
    case pixelWidth
    /// Pixels after orientation; 0 if unknown.
    case pixelHeight
    /// 1 to 5 stars, 0 for an unrated asset, -1 for a rejected one.
    case rating
    /// The length of the primary file in bytes.
    case byteCount
  }

  /// The relation between a photo's width and height.
  public enum Shape: String, CaseIterable, Hashable, Sendable {
    /// The width is greater than the height.
    case landscape
    /// The height is greater than the width.
    case portrait
    /// Width and height are equal.
    case square
  }

  /// The comparison of a key with a value.
  public enum Comparison: String, CaseIterable, Hashable, Sendable {
    /// The key's value is less.
    case less = "<"
    /// The key's value is less or equal.
    case lessOrEqual = "<="
    /// The values are equal.
    case equal = "="
    /// The values differ.
    case notEqual = "!="
    /// The key's value is greater or equal.
    case greaterOrEqual = ">="
    /// The key's value is greater.
    case greater = ">"
  }

  /// Returns whether `asset` meets the condition.
  @inlinable
  public func matches<A: AssetAttributes>(_ asset: A) -> Bool {
    switch self {
    case .mediaType(let type): return asset.mediaType == type
    case .playbackStyle(let style): return asset.playbackStyle == style
    case .mediaSubtypes(let subtypes): return asset.mediaSubtypes.isSuperset(of: subtypes)
    case .flag(let key): return key.value(of: asset)
    case .date(let key, let comparison, let date): return comparison.holds(key.value(of: asset), date)
    case .everyYear(let key, let months, let day):
      let date = key.value(of: asset).components
      return months.contains(date.month) && day ?? date.day == date.day
    case .number(let key, let comparison, let number): return comparison.holds(key.value(of: asset), number)
    case .shape(let shape): return shape.holds(asset.pixelSize)
    case .fileExtension(let suffix): return asset.hasFileExtension(suffix)
    case .burstIdentifier(let identifier): return asset.isInBurst && asset.burstIdentifier == identifier
    case .location(let place, let kilometers):
      return asset.location?.isWithin(kilometers: kilometers, of: place) ?? false
    case .filter(let filter): return filter.matches(asset)
    case .and(let predicates):
      for predicate in predicates where !predicate.matches(asset) { return false }
      return true
    case .or(let predicates):
      for predicate in predicates where predicate.matches(asset) { return true }
      return false
    case .not(let predicate): return !predicate.matches(asset)
    }
  }

  /// Whether the condition explicitly includes hidden assets, rather than excluding them with a negation.
  public var requestsHidden: Bool { mentionsHidden(isNegated: false) }

  func mentionsHidden(isNegated: Bool) -> Bool {
    switch self {
    case .flag(.isHidden): !isNegated
    case .filter(let filter): (isNegated ? .not(filter) : filter).mentions(.hidden)
    case .and(let predicates), .or(let predicates):
      predicates.contains { $0.mentionsHidden(isNegated: isNegated) }
    case .not(let predicate): predicate.mentionsHidden(isNegated: !isNegated)
    default: false
    }
  }
}

// Constants and operators for writing predicates.

extension AssetPredicate {
  /// The user marked the asset as a favorite.
  public static let isFavorite = AssetPredicate.flag(.isFavorite)
  /// The user hid the asset.
  public static let isHidden = AssetPredicate.flag(.isHidden)
  /// An edited version exists.
  public static let hasAdjustments = AssetPredicate.flag(.hasAdjustments)
  /// The photo represents its burst.
  public static let representsBurst = AssetPredicate.flag(.representsBurst)
  /// The location is known.
  public static let hasLocation = AssetPredicate.flag(.hasLocation)

  // Keys for comparisons, as in `AssetPredicate.rating >= 4`.

  /// The key for the date on which the asset was taken.
  public static let creationDate = DateKey.creationDate
  /// The key for the date of the last modification.
  public static let modificationDate = DateKey.modificationDate
  /// The key for the date on which the library first found the asset.
  public static let addedDate = DateKey.addedDate
  /// The key for the duration in seconds.
  public static let duration = NumberKey.duration
  /// The key for the width in pixels after orientation.
  public static let pixelWidth = NumberKey.pixelWidth
  /// The key for the height in pixels after orientation.
  public static let pixelHeight = NumberKey.pixelHeight
  /// The key for the rating in stars.
  public static let rating = NumberKey.rating
  /// The key for the length of the primary file in bytes.
  public static let byteCount = NumberKey.byteCount

  /// Returns the condition that both conditions hold.
  public static func && (a: AssetPredicate, b: AssetPredicate) -> AssetPredicate {
    // A chain of && becomes one list, which is faster to evaluate than nested lists.
    if case .and(let predicates) = a { .and(predicates + [b]) } else { .and([a, b]) }
  }

  /// Returns the condition that at least one of the conditions holds.
  public static func || (a: AssetPredicate, b: AssetPredicate) -> AssetPredicate {
    if case .or(let predicates) = a { .or(predicates + [b]) } else { .or([a, b]) }
  }

  /// Returns the condition that `predicate` does not hold.
  public static prefix func ! (predicate: AssetPredicate) -> AssetPredicate { .not(predicate) }
}

extension AssetPredicate.DateKey {
  /// The date is earlier.
  public static func < (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .less, date) }
  /// The date is earlier or the same.
  public static func <= (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .lessOrEqual, date) }
  /// The date is the same, by its local time.
  public static func == (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .equal, date) }
  /// The date is another one, by its local time.
  public static func != (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .notEqual, date) }
  /// The date is later or the same.
  public static func >= (key: Self, date: AssetDate) -> AssetPredicate { .date(key, .greaterOrEqual, date) }
  /// The date is later.
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
  /// The number is less.
  public static func < (key: Self, number: Double) -> AssetPredicate { .number(key, .less, number) }
  /// The number is less or equal.
  public static func <= (key: Self, number: Double) -> AssetPredicate { .number(key, .lessOrEqual, number) }
  /// The numbers are equal.
  public static func == (key: Self, number: Double) -> AssetPredicate { .number(key, .equal, number) }
  /// The numbers differ.
  public static func != (key: Self, number: Double) -> AssetPredicate { .number(key, .notEqual, number) }
  /// The number is greater or equal.
  public static func >= (key: Self, number: Double) -> AssetPredicate {
    .number(key, .greaterOrEqual, number)
  }
  /// The number is greater.
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
  /// Returns whether the comparison holds for `a` and `b`; for NaN, only `notEqual` holds.
  @inlinable
  func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    // Two unequal dates may differ only in their UTC offsets. Neither is earlier then, and they count as
    // equal.
    case .equal: a <= b && b <= a
    case .notEqual: !(a <= b && b <= a)
    case .greaterOrEqual: a >= b
    case .greater: a > b
    }
  }
}
