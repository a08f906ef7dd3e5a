import System

/// A date as recorded by a camera: the time on its clock and, if recorded, the clock's offset from UTC.
///
/// Dates are ordered by local time, so that the photos of a journey through several time zones stay in the
/// order in which they were taken.
public struct AssetDate: Hashable, Comparable, Sendable {
  /// Seconds from 1970-01-01 00:00:00 to the local time, both without a time zone.
  public var wallSeconds: Int64
  /// The fraction of the second, 0 to 999,999,999.
  public var nanoseconds: Int32 = 0
  /// The clock's offset in seconds east of UTC; nil if not recorded.
  public var utcOffset: Int32?

  /// Creates a date from seconds; dates before year 1 or after year 9999 are clamped to those years.
  public init(wallSeconds: Int64, nanoseconds: Int32 = 0, utcOffset: Int32? = nil) {
    self.wallSeconds = min(Self.latest, max(Self.earliest, wallSeconds))
    self.nanoseconds = nanoseconds
    self.utcOffset = utcOffset
  }

  /// The first second of the year 1 and the last one of 9999.
  ///
  /// Dates outside this range are errors and are clamped.
  private static let earliest: Int64 = -62_135_596_800
  private static let latest: Int64 = 253_402_300_799

  /// The largest possible offset from UTC in seconds, as ISO 8601 libraries limit it: 18 hours.
  private static let farthest: Int32 = 64_800

  /// Whether all values are within their ranges: they can be set to any number.
  package var isPossible: Bool {
    (Self.earliest...Self.latest).contains(wallSeconds) && (0..<1_000_000_000).contains(nanoseconds)
      && utcOffset.map { (-Self.farthest...Self.farthest).contains($0) } ?? true
  }

  /// Creates a date from calendar fields (proleptic Gregorian) and a clock time.
  /// - Parameters:
  ///   - year: the year, such as 2024.
  ///   - month: 1 to 12.
  ///   - day: the day of the month, from 1.
  ///   - hour: 0 to 23.
  ///   - minute: 0 to 59.
  ///   - second: 0 to 59.
  ///   - nanosecond: the fraction of the second.
  ///   - utcOffset: seconds east of UTC; nil if unknown.
  public init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
    utcOffset: Int? = nil
  ) {
    let days = CivilDays.number(year: year, month: month, day: day)
    self.init(
      wallSeconds: Int64(days) * 86400 + Int64(hour * 3600 + minute * 60 + second),
      nanoseconds: Int32(clamping: nanosecond),
      utcOffset: utcOffset.map { Int32(clamping: $0) })
  }

  /// Compares the local times; the UTC offsets are ignored.
  @inlinable
  public static func < (a: AssetDate, b: AssetDate) -> Bool {
    (a.wallSeconds, a.nanoseconds) < (b.wallSeconds, b.nanoseconds)
  }

  /// The calendar fields (proleptic Gregorian) of the local time.
  public var components: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let days = dayNumber
    let rest = Int(wallSeconds) - days * 86400
    let date = CivilDays.date(days)
    return (date.year, date.month, date.day, rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// The day of the week, 0 = Sunday.
  public var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  /// The number of days since 1970-01-01.
  var dayNumber: Int {
    Int(wallSeconds >= 0 ? wallSeconds / 86400 : (wallSeconds - 86399) / 86400)
  }
}

extension AssetDate {
  /// Parses a date in ISO 8601: "2019-05-03", "2019-05-03T12:00", "2019-05-03 12:00:30.5+02:00" or, for UTC, with "Z".
  ///
  /// Without a time it is midnight; without an offset none is known. Nil for anything else, such as the 30th of
  /// February.
  package init?(iso8601 text: String) {
    var rest = Array(text.utf8)[...]
    func digits(_ count: Int) -> Int? {
      let taken = rest.prefix(count)
      guard taken.count == count, taken.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return taken.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    func skip(_ separators: String) -> Bool {
      guard let next = rest.first, separators.utf8.contains(next) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = digits(4), year >= 1, skip("-"), let month = digits(2), (1...12).contains(month),
      skip("-"),
      let day = digits(2), (1...CivilDays.count(inMonth: month, of: year)).contains(day)
    else { return nil }
    var (hour, minute, second, nanosecond) = (0, 0, 0, 0)
    var offset: Int?
    if !rest.isEmpty {
      guard skip("T "), let hours = digits(2), hours < 24, skip(":"), let minutes = digits(2), minutes < 60
      else { return nil }
      (hour, minute) = (hours, minutes)
      if skip(":") {
        guard let seconds = digits(2), seconds < 60 else { return nil }
        second = seconds
        if skip(".,") {
          let fraction = rest.prefix { (0x30...0x39).contains($0) }
          guard (1...9).contains(fraction.count), let value = digits(fraction.count) else { return nil }
          nanosecond = (fraction.count..<9).reduce(value) { value, _ in value * 10 }
        }
      }
      let isWest = rest.first == UInt8(ascii: "-")
      if skip("Z") {
        offset = 0
      } else if skip("+-") {
        guard let hours = digits(2), skip(":") || !rest.isEmpty, let minutes = digits(2), minutes < 60
        else { return nil }
        offset = (isWest ? -60 : 60) * (hours * 60 + minutes)
      }
    }
    guard rest.isEmpty else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond, utcOffset: offset)
    guard isPossible else { return nil }
  }

  /// The current local time of this machine, with its UTC offset.
  public static var now: AssetDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var local = tm()
    localtime_r(&time.tv_sec, &local)
    return AssetDate(
      wallSeconds: Int64(time.tv_sec) + Int64(local.tm_gmtoff), nanoseconds: Int32(time.tv_nsec),
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// Creates the date of a moment, with the local time of this machine at that moment.
  /// - Parameter seconds: seconds since 1970-01-01 00:00:00 UTC, as of Foundation's `Date`; 0 if it is no number.
  public init(timeIntervalSince1970 seconds: Double) {
    let seconds = seconds.isNaN ? 0 : seconds
    // Beyond these limits the date is clamped anyway.
    let whole = min(max(seconds.rounded(.down), Double(Self.earliest)), Double(Self.latest))
    var time = time_t(whole)
    var local = tm()
    localtime_r(&time, &local)
    self.init(
      wallSeconds: Int64(whole) + Int64(local.tm_gmtoff),
      nanoseconds: Int32(min(max((seconds - whole) * 1e9, 0), 999_999_999)),
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// The moment in seconds since 1970-01-01 00:00:00 UTC, for `Date(timeIntervalSince1970:)`.
  ///
  /// If the offset is not recorded, the clock is taken to be one of this machine.
  public var timeIntervalSince1970: Double {
    let fraction = Double(nanoseconds) / 1e9
    if let utcOffset { return Double(wallSeconds &- Int64(utcOffset)) + fraction }
    let fields = components
    var local = tm()
    (local.tm_year, local.tm_mon, local.tm_mday) = (
      Int32(fields.year - 1900), Int32(fields.month - 1), Int32(fields.day)
    )
    (local.tm_hour, local.tm_min, local.tm_sec) = (
      Int32(fields.hour), Int32(fields.minute), Int32(fields.second)
    )
    // mktime finds out whether daylight saving time applied.
    local.tm_isdst = -1
    return Double(mktime(&local)) + fraction
  }

  /// The day and the time in ISO 8601: "2024-05-01" and "09:00:00".
  var wallText: (day: String, time: String) {
    let fields = components
    let day = [Self.digits(fields.year, 4), Self.digits(fields.month, 2), Self.digits(fields.day, 2)]
    let time = [fields.hour, fields.minute, fields.second].map { Self.digits($0, 2) }
    return (day.joined(separator: "-"), time.joined(separator: ":"))
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Asset {
  /// The time zone of a video's date, as "UTC+2, from the file"; nil for other assets and for dates without
  /// an offset.
  ///
  /// Video headers store dates in UTC, so the user should see which time zone the local time was computed
  /// for.
  package var dateZoneText: String? {
    guard creationDateSource == .quicktime, let offset = creationDate.utcOffset else { return nil }
    if creationDateZone == .system { return "system time zone" }
    let minutes = abs(offset) / 60
    let hours = offset == 0 ? "" : "\(offset < 0 ? "-" : "+")\(minutes / 60)"
    let rest = minutes % 60
    let source = creationDateZone == .place ? "place" : "file"
    return "UTC\(hours)\(rest == 0 ? "" : rest < 10 ? ":0\(rest)" : ":\(rest)"), from the \(source)"
  }
}
