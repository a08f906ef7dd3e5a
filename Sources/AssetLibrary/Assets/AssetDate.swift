import System

/// A moment as a camera knows it: the time on its clock and, where it was recorded, the clock's offset.
///
/// Ordered by the wall time, so that a journey through time zones stays in the order it was lived.
public struct AssetDate: Hashable, Comparable, Sendable {
  /// Seconds from 1970-01-01 00:00:00 to the wall time, both read without a time zone.
  public var wallSeconds: Int64
  public var nanoseconds: Int32 = 0
  /// Seconds east of UTC; nil where it was not recorded.
  public var utcOffset: Int32?

  public init(wallSeconds: Int64, nanoseconds: Int32 = 0, utcOffset: Int32? = nil) {
    self.wallSeconds = min(Self.latest, max(Self.earliest, wallSeconds))
    self.nanoseconds = nanoseconds
    self.utcOffset = utcOffset
  }

  /// The years 1 and 9999: dates beyond are mistakes, and clamped to them.
  private static let earliest: Int64 = -62_135_596_800
  private static let latest: Int64 = 253_402_300_799

  /// The moment that a calendar and a clock show.
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

  @inlinable
  public static func < (a: AssetDate, b: AssetDate) -> Bool {
    (a.wallSeconds, a.nanoseconds) < (b.wallSeconds, b.nanoseconds)
  }

  /// The fields of the wall time in the Gregorian calendar.
  public var components: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let days = dayNumber
    let rest = Int(wallSeconds) - days * 86400
    let date = CivilDays.date(days)
    return (date.year, date.month, date.day, rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// The day of the week, 0 = Sunday.
  public var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  /// The number of the day, 0 = 1970-01-01.
  var dayNumber: Int {
    Int(wallSeconds >= 0 ? wallSeconds / 86400 : (wallSeconds - 86399) / 86400)
  }
}

extension AssetDate {
  /// The time on this machine's wall.
  public static var now: AssetDate {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var local = tm()
    localtime_r(&time.tv_sec, &local)
    return AssetDate(
      wallSeconds: Int64(time.tv_sec) + Int64(local.tm_gmtoff), nanoseconds: Int32(time.tv_nsec),
      utcOffset: Int32(local.tm_gmtoff))
  }

  /// The day and the time on the wall, as ISO 8601 writes them: "2024-05-01" and "09:00:00".
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
  /// In which time zone a video's date is told, as "UTC+2, from the file"; nil for others, and where the date has none.
  ///
  /// Headers of videos count in UTC: that is worth a word, because the clock on the wall may have shown something else.
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
