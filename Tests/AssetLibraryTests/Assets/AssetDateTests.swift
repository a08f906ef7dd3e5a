import AssetLibrary
import Testing

@Suite struct AssetDateTests {
  private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  @Test func `Consecutive days follow each other for three centuries`() {
    var (year, month, day) = (1850, 1, 1)
    var weekday = 2  // a Tuesday
    var seconds = AssetDate(year: year, month: month, day: day).wallSeconds
    var faults: [String] = []
    while year < 2150 {
      let date = AssetDate(year: year, month: month, day: day, hour: 23, minute: 59, second: 58)
      let components = date.components
      let isRight =
        (components.year, components.month, components.day) == (year, month, day)
        && (components.hour, components.minute, components.second) == (23, 59, 58)
        && date.weekday == weekday && date.wallSeconds == seconds + 86398
      if !isRight { faults.append("\(year)-\(month)-\(day)") }
      seconds += 86400
      weekday = (weekday + 1) % 7
      day += 1
      if day > Self.daysInMonth(month, year) { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
    }
    #expect(faults.isEmpty)
  }

  @Test(arguments: [
    (1970, 1, 1, 0, 4), (1969, 12, 31, -86400, 3), (2000, 2, 29, 951_782_400, 2),
    (1900, 3, 1, -2_203_891_200, 4), (2024, 5, 2, 1_714_608_000, 4), (1, 1, 1, -62_135_596_800, 1),
    (9999, 12, 31, 253_402_214_400, 5),
  ])
  func `Known dates have the right day numbers`(
    year: Int, month: Int, day: Int, seconds: Int, weekday: Int
  ) {
    let date = AssetDate(year: year, month: month, day: day)
    #expect(date.wallSeconds == Int64(seconds))
    #expect(date.weekday == weekday)
    #expect((date.components.year, date.components.month, date.components.day) == (year, month, day))
  }

  @Test(arguments: [Int64.min, -1 << 62, 1 << 62, .max])
  func `A date outside the supported range is clamped`(seconds: Int64) {
    let fields = AssetDate(wallSeconds: seconds).components
    #expect((1...9999).contains(fields.year))
    #expect((0...6).contains(AssetDate(wallSeconds: seconds).weekday))
    #expect(AssetDate(year: 2024, month: 1, day: 1, utcOffset: .max).utcOffset == .max)
  }

  @Test func `The last second before 1970 has the right fields`() {
    let time = AssetDate(wallSeconds: -1).components
    #expect((time.year, time.month, time.day) == (1969, 12, 31))
    #expect((time.hour, time.minute, time.second) == (23, 59, 59))
  }

  @Test func `Dates are ordered by local time`() {
    let lisbon = AssetDate(year: 2024, month: 5, day: 2, hour: 10, utcOffset: 3600)
    let tokyo = AssetDate(year: 2024, month: 5, day: 2, hour: 11, utcOffset: 32400)
    #expect(lisbon < tokyo)
    #expect(AssetDate(wallSeconds: 5, nanoseconds: 1) < AssetDate(wallSeconds: 5, nanoseconds: 2))
    #expect(!(AssetDate(wallSeconds: 5) < AssetDate(wallSeconds: 5)))
  }

  @Test(arguments: [
    ("2019-05-03", AssetDate(year: 2019, month: 5, day: 3)),
    ("2019-05-03T12:00", AssetDate(year: 2019, month: 5, day: 3, hour: 12)),
    (
      "2019-05-03 12:01:59Z",
      AssetDate(year: 2019, month: 5, day: 3, hour: 12, minute: 1, second: 59, utcOffset: 0)
    ),
    (
      "0001-01-01T00:00:00.25-03:30",
      AssetDate(year: 1, month: 1, day: 1, nanosecond: 250_000_000, utcOffset: -12_600)
    ),
    (
      "9999-12-31T23:59+0200",
      AssetDate(year: 9999, month: 12, day: 31, hour: 23, minute: 59, utcOffset: 7200)
    ),
    ("2024-02-29", AssetDate(year: 2024, month: 2, day: 29)),
  ])
  func `A date in ISO 8601 is parsed`(text: String, date: AssetDate) {
    #expect(AssetDate(iso8601: text) == date)
  }

  @Test(arguments: [
    "", "2019", "2019-05", "2019-5-3", "0000-01-01", "10000-01-01", "-2019-05-03", "2023-02-29", "2019-13-01",
    "2019-05-00", "2019-05-03T", "2019-05-03T24:00", "2019-05-03T12", "2019-05-03T12:60",
    "2019-05-03T12:00:60",
    "2019-05-03T12:00:00.", "2019-05-03T12:00:00.1234567890", "2019-05-03T12:00+2", "2019-05-03T12:00+02",
    "2019-05-03T12:00+19:00", "2019-05-03T12:00+02:60", "2019-05-03T12:00Zulu", "2019-05-03T12:00 ",
    "２０１９-05-03", "99999999999999999999-01-01",
  ])
  func `What is not a date in ISO 8601 is refused`(text: String) {
    #expect(AssetDate(iso8601: text) == nil)
  }
}
