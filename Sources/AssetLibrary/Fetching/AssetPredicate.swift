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
