import System

/// A geographic position in degrees of WGS 84.
public struct Location: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: Double

  /// Creates a position from degrees of WGS 84.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both values are numbers within their ranges.
  package var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

  /// The earth's mean radius (2a + b)/3 in kilometers.
  ///
  /// H. Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74 (2000).
  private static let earthRadius = 6371.0088

  /// Returns the great-circle distance to `other` in kilometers.
  ///
  /// The earth is treated as a sphere; the error is at most half a percent. The haversine formula: R. W.
  /// Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (1984), page 159.
  public func kilometers(to other: Location) -> Double {
    let radians = Double.pi / 180
    let halfLatitude = sin((other.latitude - latitude) * radians / 2)
    let halfLongitude = sin((other.longitude - longitude) * radians / 2)
    let haversine =
      halfLatitude * halfLatitude
      + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// Whether the great-circle distance to `other` is at most `kilometers`.
  public func isWithin(kilometers: Double, of other: Location) -> Bool {
    // A degree of latitude is more than 111 km on this sphere: the check rejects most positions without
    // trigonometry.
    guard abs(latitude - other.latitude) * 111 <= kilometers else { return false }
    return self.kilometers(to: other) <= kilometers
  }
}
