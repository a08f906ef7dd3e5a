/// Where an asset was taken according to the user, instead of what its files say.
public enum LocationCorrection: Hashable, Sendable {
  /// It was taken here.
  case location(Location)
  /// The asset has no location, whatever its files say.
  case removed
}

/// The user's corrections of an asset's date and location; nil = what its files say.
package struct AssetCorrection: Hashable, Sendable {
  /// When it was taken.
  package var date: AssetDate?
  /// Where it was taken.
  package var location: LocationCorrection?

  /// Creates a correction from its values.
  package init(date: AssetDate? = nil, location: LocationCorrection? = nil) {
    self.date = date
    self.location = location
  }

  /// Whether nothing is corrected.
  package var isEmpty: Bool { date == nil && location == nil }

  /// Applies a change of a date or location.
  /// - Returns: the change that undoes it; nil for other changes.
  package mutating func apply(_ change: AssetChange) -> AssetChange? {
    switch change {
    case .setCreationDate(let asset, let date):
      defer { self.date = date }
      return .setCreationDate(asset, self.date)
    case .setLocation(let asset, let location):
      defer { self.location = location }
      return .setLocation(asset, self.location)
    default: return nil
    }
  }

  /// Returns why a change can't be stored; nil if its values are possible, or it corrects nothing.
  static func refusal(of change: AssetChange) -> AssetError? {
    switch change {
    case .setCreationDate(let asset, let date?) where !date.isPossible:
      AssetError(asset.rawValue, "the date is not in the years 1 to 9999, or its UTC offset is impossible")
    case .setLocation(let asset, .location(let location)?) where !location.isOnEarth:
      AssetError(
        asset.rawValue, "the location is not within -90 to 90 degrees north and -180 to 180 degrees east")
    default: nil
    }
  }
}

extension Asset {
  /// Replaces date and location by corrected values.
  mutating func correct(by correction: AssetCorrection) {
    if let date = correction.date {
      creationDate = date
      creationDateSource = .user
      creationDateZone = .file
    }
    switch correction.location {
    case .location(let corrected): location = corrected
    case .removed?: location = nil
    case nil: break
    }
  }

  /// Returns the asset with the date and location of another version of it.
  func withDateAndLocation(of other: Asset) -> Asset {
    var asset = self
    asset.creationDate = other.creationDate
    asset.creationDateSource = other.creationDateSource
    asset.creationDateZone = other.creationDateZone
    asset.location = other.location
    return asset
  }
}
