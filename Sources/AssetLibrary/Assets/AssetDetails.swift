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

/// What facts are, in a few words, for those that searches ask for and output tells.
package enum FactHelp {
  package static let path = "the path: the source as it was given and what is below it"
  package static let fileExtension = "the extension of the file's name"
  package static let fileSize = "the size of the file in bytes"
  package static let pixelWidth = "the width in pixels as the picture is shown"
  package static let pixelHeight = "the height in pixels as the picture is shown"
  package static let duration = "how long a video lasts, in seconds"
  package static let creationDate = "when it was taken"
  package static let camera = "the camera, with its maker"
  package static let lens = "the lens"
  package static let rating = "the stars that it was given"
  package static let keywords = "the keywords"
  package static let people = "the names of the people in it"
  package static let albums = "the albums that it is in"
}

/// An exposure time as photographers write it: a fraction of a second, or seconds with one decimal.
public enum ExposureTime: Hashable, Sendable {
  /// 1/denominator seconds.
  case fraction(denominator: Int)
  /// Rounded to tenths.
  case seconds(Double)

  /// Takes the form that is nearer to the time: 1/3 for a third of a second, but 0.4 and 0.3 for those.
  /// - Returns: nil for a time that is none.
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
