/// What a photograph tells of its camera and of what is seen on it, for the eye of the user and the search.
///
/// Read on demand, one asset at a time.
public struct AssetDetails: Hashable, Sendable {
  /// Maker and model without the maker said twice, as "Canon EOS 90D".
  public var camera: String?
  public var lens: String?
  public var isoSpeed: Int?
  public var fNumber: Double?
  /// Seconds.
  public var exposureTime: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// Meters above the sea.
  public var altitude: Double?
  /// 1 to 5 stars, -1 for a rejected picture; nil where nobody gave any.
  public var rating: Int?
  public var title: String?
  public var caption: String?
  public var keywords: [String] = []
  /// The names of the persons seen.
  public var people: [String] = []

  public init() {}
}
