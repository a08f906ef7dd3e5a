/// The properties of an XMP packet that tpick uses.
struct XMPFacts {
  var rating: Int?
  var title: String?
  var caption: String?
  var keywords: [String] = []
  /// The last components of hierarchical keywords ("Places|Lisbon").
  var leafKeywords: [String] = []
  var people: [String] = []
  var make: String?
  var model: String?
  var lens: String?
  var hints: MediaHints = []
  /// Dates in order of precedence: exif:DateTimeOriginal, photoshop:DateCreated, xmp:CreateDate.
  var originalTime: CivilTime?
  var dateCreated: CivilTime?
  var createTime: CivilTime?
  /// The time of the GPS receiver.
  var satelliteTime: CivilTime?
  var latitude: Angle?
  var longitude: Angle?
  /// The hemispheres, which some programs write separately, as EXIF does.
  var latitudeSide: String?
  var longitudeSide: String?
  /// The altitude in meters, without the sign that `isBelowSea` specifies.
  var altitude: Double?
  var isBelowSea = false
  /// The identifier of the extended packet that belongs to this one.
  var extendedIdentifier: String?
  var motion = MotionClaim()

  var captureTime: CivilTime? { originalTime ?? dateCreated ?? createTime ?? satelliteTime }

  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(
      measuredLatitude: latitude.degrees(side: latitudeSide),
      longitude: longitude.degrees(side: longitudeSide), altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }

  /// The keywords, followed by those that only the hierarchy contains.
  var allKeywords: [String] {
    var all = keywords
    all.appendMissing(leafKeywords)
    return all
  }

  /// A latitude or longitude as written in a packet.
  struct Angle: Hashable {
    private var value: Double
    /// Whether the text includes the hemisphere.
    private var hasSide: Bool

    /// Parses "48,51.5N" or "48,51,30N" (XMP specification part 2, GPSCoordinate), or a number with an
    /// optional sign.
    init?(_ text: String) {
      var text = text.trimmed
      let side = text.last?.uppercased() ?? ""
      hasSide = ["N", "S", "E", "W"].contains(side)
      if hasSide { text.removeLast() }
      let parts = text.split(separator: ",").map { Double($0.trimmed) }
      guard (1...3).contains(parts.count), let first = parts[0], first.isFinite, !hasSide || first >= 0
      else { return nil }
      var (sum, unit) = (abs(first), 60.0)
      for part in parts.dropFirst() {
        guard let part, part.isFinite, part >= 0 else { return nil }
        sum += part / unit
        unit *= 60
      }
      value = side == "S" || side == "W" || first.sign == .minus ? -sum : sum
    }

    /// - Parameter side: the hemisphere, if it is written separately.
    func degrees(side: String?) -> Double {
      guard !hasSide, value > 0, let letter = side?.first?.uppercased() else { return value }
      return letter == "S" || letter == "W" ? -value : value
    }
  }
}

extension XMPFacts {
  /// Parses "1234/10" (XMP specification part 1, 8.2.1.4: Rational) or a decimal number.
  static func rational(_ text: String) -> Double? {
    let parts = text.trimmed.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...2).contains(parts.count), let above = parts[0] else { return nil }
    guard parts.count == 2 else { return above }
    guard let below = parts[1], below != 0 else { return nil }
    return above / below
  }
}

/// The claims of a packet about a video after the image, which must be verified.
struct MotionClaim: Hashable {
  /// One of the concatenated files, the image first.
  struct Item: Hashable {
    var semantic = ""
    var length = 0
    var padding = 0
  }

  /// Whether the file claims to be a Motion Photo.
  var isClaimed = false
  var items: [Item] = []
  /// The distance of the video's start from the end of the file, in the older format.
  var microVideoOffset: Int?
}
