import AssetLibrary
import Synchronization
import System

/// Determines the time zone of a location from the system's time zone tables.
///
/// tzdata has no borders, but one town for each zone and country (`zone.tab`). A location has the UTC offset
/// of the surrounding towns if they all agree; otherwise it is unknown. Formats: the comments in `zone.tab`;
/// TZif and its footer rules, RFC 8536, sections 3.2 and 3.3.
final class PlaceZones: Sendable {
  /// The tables of this machine, loaded at first use.
  static let system = PlaceZones(folder: getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo")

  private struct Town: Sendable {
    var zone: String
    /// The position on the unit sphere.
    var point: SIMD3<Double>
  }

  private let folder: String
  private let towns: [Town]
  private let zones = Mutex<[String: ZoneClock?]>([:])

  init(folder: String) {
    self.folder = folder
    let table = String(decoding: Self.contents(of: "\(folder)/zone.tab"), as: UTF8.self)
    towns = table.split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#") else { return nil }
      let fields = line.split(separator: "\t")
      guard fields.count > 2, let place = Self.place(fields[1]) else { return nil }
      return Town(zone: String(fields[2]), point: Self.point(place.latitude, place.longitude))
    }
  }

  /// Returns the UTC offset at a location, in seconds east of UTC.
  /// - Parameter moment: in seconds since 1970.
  /// - Returns: nil if the surrounding towns disagree or no tables are installed.
  func offset(latitude: Double, longitude: Double, at moment: Int64) -> Int32? {
    let here = Self.point(latitude, longitude)
    // Compute the angles from chords, and distances from the angles.
    let distances = towns.map { town in 2 * asin(min(1, Self.length(town.point - here) / 2)) * Self.radius }
    guard let nearest = distances.min() else { return nil }
    var offset: Int32?
    for (town, distance) in zip(towns, distances) where distance <= 2 * nearest + Self.margin {
      guard let other = clock(town.zone)?.offset(at: moment), offset ?? other == other else { return nil }
      offset = other
    }
    return offset
  }

  /// The earth's radius in kilometers.
  private static let radius = 6371.0
  /// The surrounding towns are those within twice the distance of the nearest town plus this many kilometers.
  private static let margin = 50.0

  private func clock(_ zone: String) -> ZoneClock? {
    zones.withLock { zones in
      if let known = zones[zone] { return known }
      let clock = ZoneClock(Self.contents(of: "\(folder)/\(zone)"))
      zones[zone] = .some(clock)
      return clock
    }
  }

  private static func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: longestFile) { buffer, count in
      while count < buffer.count {
        let got = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        guard got > 0 else { break }
        count += got
      }
    }
  }

  private static let longestFile = 256 << 10

  /// Parses "+4852+00220" or "+404251-0740023": degrees and minutes, optionally seconds.
  private static func place(_ text: Substring) -> (latitude: Double, longitude: Double)? {
    guard let second = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
      let latitude = angle(text[..<second], digits: 2), let longitude = angle(text[second...], digits: 3)
    else { return nil }
    return (latitude, longitude)
  }

  private static func angle(_ text: Substring, digits: Int) -> Double? {
    let figures = text.dropFirst()
    guard figures.count == digits + 2 || figures.count == digits + 4,
      let degrees = Double(figures.prefix(digits)), let minutes = Double(figures.dropFirst(digits).prefix(2))
    else { return nil }
    let seconds = Double(figures.dropFirst(digits + 2)) ?? 0
    return (text.first == "-" ? -1 : 1) * (degrees + minutes / 60 + seconds / 3600)
  }

  private static func point(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
    let (a, b) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(a) * cos(b), cos(a) * sin(b), sin(a))
  }

  private static func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
}

/// The UTC offsets of a time zone, in the past and in the future.
struct ZoneClock: Sendable {
  /// The changes of the offset: the moment in seconds since 1970, and the new offset.
  private var changes: [(moment: Int64, offset: Int32)] = []
  private var firstOffset: Int32 = 0
  /// The rule that applies after the last change.
  private var rule: Rule?

  /// - Parameter bytes: a TZif file. Returns nil if it is invalid or has only version 1 data, whose times
  ///   have 32 bits.
  init?(_ bytes: [UInt8]) {
    func number(_ place: Int, _ count: Int = 4) -> Int64? {
      guard place >= 0, place + count <= bytes.count else { return nil }
      let value = bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
    /// The numbers of entries in a block: UT/local indicators, standard/wall indicators, leap seconds,
    /// transitions, types, bytes of abbreviations.
    func counts(_ start: Int) -> [Int]? {
      guard start + 44 <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      let counts = (0..<6).compactMap { number(start + 20 + 4 * $0) }.map { Int($0) }
      return counts.allSatisfy { (0...1_000_000).contains($0) } ? counts : nil
    }
    func length(_ counts: [Int], timeSize: Int) -> Int {
      counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1]
        + counts[0]
    }
    guard let first = counts(0), bytes[4] >= UInt8(ascii: "2") else { return nil }
    let second = 44 + length(first, timeSize: 4)
    guard let counts = counts(second), counts[4] > 0 else { return nil }
    let (times, count) = (second + 44, counts[3])
    let types = times + count * 9
    func offset(_ type: Int) -> Int32? {
      type < counts[4] ? number(types + 6 * type).map { Int32(truncatingIfNeeded: $0) } : nil
    }
    guard let firstOffset = offset(0) else { return nil }
    self.firstOffset = firstOffset
    for index in 0..<count {
      guard let moment = number(times + 8 * index, 8), times + 8 * count + index < bytes.count,
        let offset = offset(Int(bytes[times + 8 * count + index]))
      else { return nil }
      changes.append((moment, offset))
    }
    let footer = second + 44 + length(counts, timeSize: 8)
    if footer < bytes.count {
      rule = Rule(String(decoding: bytes[footer...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }, as: UTF8.self))
    }
  }

  /// Seconds east of UTC at a moment.
  func offset(at moment: Int64) -> Int32 {
    guard let last = changes.last, moment < last.moment else {
      return rule?.offset(at: moment) ?? changes.last?.offset ?? firstOffset
    }
    return changes.last { $0.moment <= moment }?.offset ?? firstOffset
  }

  /// A rule in the syntax of the POSIX `TZ` variable: "CET-1CEST,M3.5.0,M10.5.0/3".
  private struct Rule: Sendable {
    private struct Day: Sendable {
      var month: Int
      /// 5 = the last week of the month.
      var week: Int
      /// 0 = Sunday.
      var weekday: Int
      /// Seconds after midnight.
      var time: Int64
    }

    private var standard: Int32
    private var summer: (offset: Int32, begin: Day, end: Day)?

    init?(_ text: String) {
      let parts = text.split(separator: ",")
      guard var names = parts.first else { return nil }
      func dropName() {
        names = names.first == "<" ? names.drop { $0 != ">" }.dropFirst() : names.drop(while: \.isLetter)
      }
      func takeOffset() -> Int32? {
        let word = names.prefix { !$0.isLetter && $0 != "<" }
        names = names.dropFirst(word.count)
        // POSIX offsets are positive west of UTC.
        return Self.seconds(word).map { Int32(-$0) }
      }
      dropName()
      guard let standard = takeOffset() else { return nil }
      self.standard = standard
      guard !names.isEmpty, parts.count == 3 else { return }
      dropName()
      let offset = takeOffset() ?? standard + 3600
      guard let begin = Self.day(parts[1]), let end = Self.day(parts[2]) else { return nil }
      summer = (offset, begin, end)
    }

    func offset(at moment: Int64) -> Int32 {
      guard let summer else { return standard }
      let year = Self.year(of: moment + Int64(standard))
      let begin = Self.moment(of: summer.begin, in: year) - Int64(standard)
      let end = Self.moment(of: summer.end, in: year) - Int64(summer.offset)
      // In the southern hemisphere, summer spans the turn of the year.
      let isSummer = begin < end ? (begin..<end).contains(moment) : !(end..<begin).contains(moment)
      return isSummer ? summer.offset : standard
    }

    /// Parses "-5:30", "+2" or "50".
    private static func seconds(_ text: Substring) -> Int64? {
      let parts = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").map { Int64($0) }
      guard (1...3).contains(parts.count) else { return nil }
      var total: Int64 = 0
      for (part, unit) in zip(parts, [3600, 60, 1] as [Int64]) {
        guard let part, (0...167).contains(part) else { return nil }
        total += part * unit
      }
      return text.first == "-" ? -total : total
    }

    /// Parses "M3.5.0" or "M10.5.0/3".
    private static func day(_ text: Substring) -> Day? {
      let halves = text.split(separator: "/")
      guard let date = halves.first, date.first == "M",
        let time = halves.count > 1 ? seconds(halves[1]) : 7200
      else { return nil }
      let parts = date.dropFirst().split(separator: ".").compactMap { Int($0) }
      guard parts.count == 3, (1...12).contains(parts[0]), (1...5).contains(parts[1]),
        (0...6).contains(parts[2])
      else { return nil }
      return Day(month: parts[0], week: parts[1], weekday: parts[2], time: time)
    }

    private static func year(of seconds: Int64) -> Int {
      AssetDate(wallSeconds: seconds).components.year
    }

    /// Returns the moment of a rule's day and time in a year, as if the zone were UTC.
    private static func moment(of day: Day, in year: Int) -> Int64 {
      let first = AssetDate(year: year, month: day.month, day: 1)
      let next =
        day.month == 12
        ? AssetDate(year: year + 1, month: 1, day: 1) : AssetDate(year: year, month: day.month + 1, day: 1)
      let days = Int((next.wallSeconds - first.wallSeconds) / 86_400)
      var number = (day.weekday - first.weekday + 7) % 7 + 7 * (day.week - 1)
      while number >= days { number -= 7 }
      return first.wallSeconds + Int64(number) * 86_400 + day.time
    }
  }
}
