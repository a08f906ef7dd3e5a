/// The tags of a video container in the notations of QuickTime, Android and other containers.
///
/// Names are FFmpeg's: the unchanged keys of QuickTime's metadata list ("mdta" in the QuickTime File Format,
/// "Metadata"), and short words for the four-character codes of user data. Case is ignored. A tag whose value
/// can't be parsed counts as missing.
struct QuickTimeTags {
  private let tags: [String: String]

  init(_ tags: [String: String]) {
    self.tags = Dictionary(tags.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }

  /// Returns the value of the first of these tags that is not empty.
  private subscript(_ names: String...) -> String? {
    for name in names {
      guard let value = tags[name]?.trimmed, !value.isEmpty else { continue }
      return value
    }
    return nil
  }

  /// The capture time.
  ///
  /// Apple's date and the older user data contain the local time with its offset; `creation_time` is from the
  /// movie header.
  ///
  /// A time that ends with "Z", as that does, is in UTC, regardless of the local time.
  var captureTime: (time: CivilTime, countsInUTC: Bool)? {
    for name in ["com.apple.quicktime.creationdate", "date", "creation_time"] {
      guard let text = tags[name]?.trimmed, let time = CivilTime(quickTime: text) else { continue }
      // The epochs of QuickTime and Unix mean that the clock was never set.
      if (time.year == 1904 || time.year == 1970) && time.month == 1 && time.day == 1 { continue }
      return (time, text.hasSuffix("Z"))
    }
    return nil
  }

  var coordinate: Coordinate? {
    for name in ["com.apple.quicktime.location.iso6709", "location", "location-eng"] {
      if let place = tags[name].flatMap(Coordinate.init(iso6709:)) { return place }
    }
    return nil
  }

  var make: String? { self["com.apple.quicktime.make", "com.android.manufacturer", "make"] }
  var model: String? { self["com.apple.quicktime.model", "com.android.model", "model"] }
  var lens: String? { self["com.apple.quicktime.camera.lens_model"] }
  var contentIdentifier: String? { self["com.apple.quicktime.content.identifier"] }
  var title: String? { self["com.apple.quicktime.title", "com.apple.quicktime.displayname", "title"] }

  var caption: String? {
    self["com.apple.quicktime.description", "description", "com.apple.quicktime.comment", "comment"]
  }

  /// The keywords, which Apple separates with commas.
  var keywords: [String] {
    (self["com.apple.quicktime.keywords", "keywords"] ?? "").split(whereSeparator: { $0 == "," || $0 == ";" })
      .map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// The rating from 0 to 5, as in XMP.
  var rating: Int? {
    self["com.apple.quicktime.rating.user"].flatMap(Double.init).flatMap {
      (0...5).contains($0) ? Int($0.rounded()) : nil
    }
  }

  /// Returns how the video was made, according to the tags and the frame rate.
  ///
  /// iPhones write `full-frame-rate-playback-intent` into every video, with the value 0 both for slow motion
  /// and for ordinary videos. Only 1 is significant: a high frame rate that is meant to be played at full
  /// speed.
  func hints(frameRate: Double) -> MediaHints {
    var hints: MediaHints = []
    let author = self["com.apple.quicktime.author", "author", "artist"]
    if author?.lowercased() == "replaykitrecording" { hints.insert(.screenRecording) }
    let captureRate = self["com.android.capture.fps"].flatMap(Double.init) ?? 0
    let isMeantForFullSpeed = says("com.apple.quicktime.full-frame-rate-playback-intent")
    if captureRate >= Self.slow || frameRate >= Self.slow && !isMeantForFullSpeed { hints.insert(.slomo) }
    let isAbout = { (words: [String]) in
      tags.keys.contains { name in words.contains { name.contains($0) } && says(name) }
        || keywords.contains { keyword in words.contains { keyword.lowercased().contains($0) } }
    }
    if isAbout(["timelapse", "time-lapse", "hyperlapse"]) { hints.insert(.timelapse) }
    if tags.keys.contains(where: { $0.hasPrefix("com.apple.quicktime.cinematic-video") && says($0) }) {
      hints.insert(.cinematic)
    }
    return hints
  }

  /// The minimum frame rate, in frames per second, of a video that is meant to be played slowly.
  private static let slow = 100.0

  /// Whether a tag exists and its value is not false.
  private func says(_ name: String) -> Bool {
    guard let value = tags[name]?.trimmed.lowercased() else { return false }
    return !["", "0", "false", "no"].contains(value) && Double(value) != 0
  }
}

extension MediaFacts {
  /// Adds the tags of a video's container; known values are kept.
  /// - Parameters:
  ///   - tags: values by name, as "com.apple.quicktime.make".
  ///   - frameRate: the stored frame rate in frames per second, 0 if unknown.
  package mutating func merge(quickTime tags: [String: String], frameRate: Double = 0) {
    let tags = QuickTimeTags(tags)
    if captureTime == nil, let (time, countsInUTC) = tags.captureTime {
      add(time, from: .quickTime)
      if countsInUTC { hints.insert(.countsInUTC) }
    }
    coordinate = coordinate ?? tags.coordinate
    make = make ?? tags.make
    model = model ?? tags.model
    lens = lens ?? tags.lens
    contentIdentifier = contentIdentifier ?? tags.contentIdentifier
    title = title ?? tags.title
    caption = caption ?? tags.caption
    rating = rating ?? tags.rating
    if keywords.isEmpty { keywords = tags.keywords }
    hints.formUnion(tags.hints(frameRate: frameRate))
  }
}

extension CivilTime {
  /// Parses "2024-05-02T14:10:09.25+0200" (ISO 8601 4.3.2; a space may replace the T).
  ///
  /// "Z" is an offset of 0; without a zone the offset is unknown. A date alone is not accepted.
  init?(quickTime text: String) {
    let text = text.trimmed
    guard let separator = text.firstIndex(where: { $0 == "T" || $0 == " " }) else { return nil }
    let clock = text[text.index(after: separator)...]
    let zone = clock.firstIndex { "Z+-".contains($0) } ?? clock.endIndex
    let parts = clock[..<zone].split(separator: ".", maxSplits: 1)
    guard let time = parts.first, text[..<separator].split(separator: "-").count == 3 else { return nil }
    self.init(
      exif: "\(text[..<separator]) \(time)", subseconds: parts.count > 1 ? String(parts[1]) : nil,
      offset: Self.offset(clock[zone...]))
  }

  /// Returns "+0200", "+02" or "Z" in EXIF's notation.
  private static func offset(_ zone: Substring) -> String? {
    guard let sign = zone.first else { return nil }
    if sign == "Z" { return "+00:00" }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4 else { return nil }
    return "\(sign)\(digits.prefix(2)):\(digits.count == 4 ? digits.suffix(2) : "00")"
  }
}

extension Coordinate {
  /// Parses "+48.8577+002.2950+045.3/" (ISO 6709:2008, annex H): latitude, longitude, optional altitude.
  ///
  /// The number of digits before the point distinguishes degrees, degrees and minutes, and degrees, minutes
  /// and seconds. Devices write 0, 0 if the location is unknown.
  init?(iso6709 text: String) {
    var numbers: [Substring] = []
    var rest = text.prefix { $0 != "/" }[...]
    while numbers.count < 3, let sign = rest.first, sign == "+" || sign == "-" {
      let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      numbers.append(rest[rest.startIndex..<digits.endIndex])
      rest = rest[digits.endIndex...]
    }
    guard numbers.count >= 2, let latitude = Self.degrees(numbers[0], digits: 2),
      let longitude = Self.degrees(numbers[1], digits: 3), abs(latitude) <= 90, abs(longitude) <= 180,
      latitude != 0 || longitude != 0
    else { return nil }
    self.init(
      latitude: latitude, longitude: longitude, altitude: numbers.count > 2 ? Double(numbers[2]) : nil)
  }

  /// Parses an angle with `digits` digits for whole degrees.
  private static func degrees(_ text: Substring, digits: Int) -> Double? {
    let whole = text.dropFirst().prefix { $0 != "." }.count
    guard let number = Double(text.dropFirst()), number.isFinite else { return nil }
    let value: Double
    switch whole - digits {
    case 0: value = number
    case 2:
      let degrees = (number / 100).rounded(.down)
      value = degrees + (number - degrees * 100) / 60
    case 4:
      let degrees = (number / 10_000).rounded(.down)
      let minutes = ((number - degrees * 10_000) / 100).rounded(.down)
      value = degrees + minutes / 60 + (number - degrees * 10_000 - minutes * 100) / 3600
    default: return nil
    }
    return text.first == "-" ? -value : value
  }
}
