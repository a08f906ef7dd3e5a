public import MediaFormats

/// Camera settings, descriptions, keywords and tracks of a photo or video, for display and search.
///
/// They are read from the file on demand, for one asset at a time.
public struct AssetDetails: Hashable, Sendable {
  /// The camera's maker and model without a repeated maker, as "Canon EOS 90D".
  public var camera: String?
  /// The name of the lens.
  public var lens: String?
  /// The ISO speed.
  public var isoSpeed: Int?
  /// The f-number, as 2.8.
  public var fNumber: Double?
  /// The exposure time in seconds.
  public var exposureTime: Double?
  /// The focal length in millimeters.
  public var focalLength: Double?
  /// The altitude in meters above sea level.
  public var altitude: Double?
  /// 1 to 5 stars, -1 for a rejected photo; nil for an unrated one.
  public var rating: Int?
  /// The title.
  public var title: String?
  /// The description.
  public var caption: String?
  /// The keywords.
  public var keywords: [String] = []
  /// The names of the people in the photo.
  public var people: [String] = []
  /// The identifier that the still image and the clip of a Live Photo share.
  public var contentIdentifier: String?
  /// The container and the tracks of a video; nil for other files.
  public var movie: MovieDetails?

  /// Creates details with nothing known.
  public init() {}
}

/// Short descriptions of attributes, shared by the help on search fields and the help on output fields.
package enum FactHelp {
  package static let path = "the path, starting with the source as it was given"
  package static let fileExtension = "the file extension"
  package static let fileSize = "the size of the file in bytes"
  package static let pixelWidth = "the width in pixels after orientation"
  package static let pixelHeight = "the height in pixels after orientation"
  package static let duration = "the duration of a video in seconds"
  package static let creationDate = "when it was taken"
  package static let camera = "the camera's maker and model"
  package static let lens = "the lens"
  package static let rating = "the rating in stars"
  package static let keywords = "the keywords"
  package static let people = "the names of the people in it"
  package static let albums = "the albums that it is in"
}

/// An exposure time as photographers write it: a fraction of a second, or seconds with one decimal digit.
public enum ExposureTime: Hashable, Sendable {
  /// 1/`denominator` seconds.
  case fraction(denominator: Int)
  /// Seconds, rounded to tenths.
  case seconds(Double)

  /// Chooses the form that is closer to the exact time: 1/3 for a third of a second, but 0.4 and 0.3 for
  /// those times.
  /// - Parameter seconds: the exposure time.
  /// - Returns: nil if `seconds` is not a positive, finite number.
  public init?(_ seconds: Double) {
    guard seconds > 0, seconds.isFinite else { return nil }
    let tenths = (seconds * 10).rounded() / 10
    let denominator = (1 / seconds).rounded()
    // Halves and longer times are always written with a decimal.
    if denominator >= 3, let whole = Int(exactly: denominator),
      abs(1 / denominator - seconds) <= abs(tenths - seconds)
    {
      self = .fraction(denominator: whole)
    } else {
      self = .seconds(tenths)
    }
  }
}
