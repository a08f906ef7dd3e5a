import System

/// A place on the earth, in degrees of WGS 84.
public struct Location: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The earth's mean radius (2a + b)/3 in kilometres.
  ///
  /// H. Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74 (2000).
  private static let earthRadius = 6371.0088

  /// The way to `other` along the surface of the earth, in kilometres, as if the earth were a ball.
  ///
  /// Right within half a percent. The haversine formula: R. W. Sinnott, "Virtues of the Haversine",
  /// Sky and Telescope 68 (1984), page 159.
  public func kilometers(to other: Location) -> Double {
    let radians = Double.pi / 180
    let halfLatitude = sin((other.latitude - latitude) * radians / 2)
    let halfLongitude = sin((other.longitude - longitude) * radians / 2)
    let haversine =
      halfLatitude * halfLatitude
      + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// Whether `other` is at most so far away.
  public func isWithin(kilometers: Double, of other: Location) -> Bool {
    // A degree of latitude is never shorter than this: most places are too far away by that alone.
    guard abs(latitude - other.latitude) * 111 <= kilometers else { return false }
    return self.kilometers(to: other) <= kilometers
  }
}
