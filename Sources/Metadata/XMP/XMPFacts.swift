/// What an XMP packet says, as far as tpick uses it.
struct XMPFacts {
  var rating: Int?
  var title: String?
  var caption: String?
  var keywords: [String] = []
  /// The last parts of hierarchical keywords ("Places|Lisbon").
  var leafKeywords: [String] = []
  var people: [String] = []
  var make: String?
  var model: String?
  var lens: String?
  var hints: MediaHints = []
  /// Dates by how near they are to the shutter: exif:DateTimeOriginal, photoshop:DateCreated,
  /// xmp:CreateDate.
  var originalTime: CivilTime?
  var dateCreated: CivilTime?
  var createTime: CivilTime?
  /// Of the GPS receiver.
  var satelliteTime: CivilTime?
  var latitude: Angle?
  var longitude: Angle?
  /// Some programs write the side apart, as EXIF does.
  var latitudeSide: String?
  var longitudeSide: String?
  /// Meters, without the sign that `isBelowSea` gives.
  var altitude: Double?
  var isBelowSea = false
  /// Which extended packet belongs to this one.
  var extendedIdentifier: String?
  var motion = MotionClaim()

  var captureTime: CivilTime? { originalTime ?? dateCreated ?? createTime ?? satelliteTime }

  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(
      measuredLatitude: latitude.degrees(side: latitudeSide),
      longitude: longitude.degrees(side: longitudeSide), altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }

  /// Keywords, then what only the hierarchy names.
  var allKeywords: [String] {
    var all = keywords
    all.appendMissing(leafKeywords)
    return all
  }

  /// A latitude or longitude as a packet writes it.
  struct Angle: Hashable {
    private var value: Double
    /// Whether the text says on which side of the equator or of Greenwich it is.
    private var hasSide: Bool

    /// Reads "48,51.5N" or "48,51,30N" (XMP specification part 2, GPSCoordinate), or a number with or without a sign.
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

    /// - Parameter side: where it is written apart.
    func degrees(side: String?) -> Double {
      guard !hasSide, value > 0, let letter = side?.first?.uppercased() else { return value }
      return letter == "S" || letter == "W" ? -value : value
    }
  }
}

extension XMPFacts {
  /// Reads "1234/10" (XMP specification part 1, 8.2.1.4: Rational) or a decimal number.
  static func rational(_ text: String) -> Double? {
    let parts = text.trimmed.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...2).contains(parts.count), let above = parts[0] else { return nil }
    guard parts.count == 2 else { return above }
    guard let below = parts[1], below != 0 else { return nil }
    return above / below
  }
}

/// What a packet says of a video behind the picture; none of it is proof.
struct MotionClaim: Hashable {
  /// One of the files that are strung together, the picture first.
  struct Item: Hashable {
    var semantic = ""
    var length = 0
    var padding = 0
  }

  /// Whether the file calls itself a Motion Photo.
  var isClaimed = false
  var items: [Item] = []
  /// How far from the file's end the video begins, by the older form.
  var microVideoOffset: Int?
}
