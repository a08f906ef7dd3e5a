public import Pixels

/// A condition on what is known of an asset: what `NSPredicate` is to PhotoKit, as a typed value.
///
/// Conditions are joined with `&&`, `||` and `!`, keys are compared with the usual operators:
///
///     options.predicate = .mediaType(.image) && .isFavorite && .creationDate >= firstOfMay && .rating > 3
///
/// A broken asset meets no condition: `FetchOptions.admits` sees to that.
public enum AssetPredicate: Hashable, Sendable {
  case mediaType(MediaType)
  case playbackStyle(PlaybackStyle)
  /// All of these subtypes.
  case mediaSubtypes(MediaSubtypes)
  case flag(FlagKey)
  /// Dates are compared by their wall time.
  case date(DateKey, Comparison, AssetDate)
  /// Some months of any year, counted from 1, or one day of each of them.
  case everyYear(DateKey, months: [Int], day: Int?)
  case number(NumberKey, Comparison, Double)
  /// The picture's shape after orientation; one whose size is not known has none.
  case shape(Shape)
  /// What the file's name ends with after a dot, in small letters; found in letters of any case.
  case fileExtension(String)
  /// The pictures of one burst.
  case burstIdentifier(String)
  /// A place at most so many kilometres from `near`.
  case location(near: Location, kilometers: Double)
  case filter(PickerFilter)
  /// All of them; true when there are none.
  case and([AssetPredicate])
  /// Any of them; false when there are none.
  case or([AssetPredicate])
  indirect case not(AssetPredicate)

  /// What is true or false of an asset.
  public enum FlagKey: String, CaseIterable, Hashable, Sendable {
    case isFavorite, isHidden, hasAdjustments, representsBurst, hasLocation
  }

  /// The dates of an asset.
  public enum DateKey: String, CaseIterable, Hashable, Sendable {
    case creationDate, modificationDate, addedDate
  }

  /// The numbers of an asset: seconds, pixels after orientation, stars, bytes.
  public enum NumberKey: String, CaseIterable, Hashable, Sendable {
    case duration, pixelWidth, pixelHeight, rating, byteCount
  }

  /// How a picture's width stands to its height.
  public enum Shape: String, CaseIterable, Hashable, Sendable {
    case landscape, portrait, square
  }

  /// How a key stands to a value.
  public enum Comparison: String, CaseIterable, Hashable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case equal = "="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case greater = ">"
  }

  /// Whether `asset` meets the condition.
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

  /// Whether the condition asks for hidden assets somewhere, and not only to leave them out.
  public var asksForHidden: Bool { mentionsHidden(isNegated: false) }

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
