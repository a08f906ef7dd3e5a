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
    let days = Self.days(year: year, month: month, day: day)
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
    let date = Self.date(days: days)
    return (date.year, date.month, date.day, rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// The day of the week, 0 = Sunday.
  public var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  /// The number of the day, 0 = 1970-01-01.
  var dayNumber: Int {
    Int(wallSeconds >= 0 ? wallSeconds / 86400 : (wallSeconds - 86399) / 86400)
  }

  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013): days_from_civil and its inverse.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146097 + dayOfEra - 719468
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
