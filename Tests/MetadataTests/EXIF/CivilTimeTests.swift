import Metadata
import Testing

@Suite struct CivilTimeTests {
  @Test(arguments: [
    ("2024:05:02 14:10:09", [2024, 5, 2, 14, 10, 9]), ("2024-05-02T14:10:09", [2024, 5, 2, 14, 10, 9]),
    ("2024/05/02 14:10:09", [2024, 5, 2, 14, 10, 9]), ("1:1:1 0:0:0", [1, 1, 1, 0, 0, 0]),
    ("2016:12:31 23:59:60", [2016, 12, 31, 23, 59, 60]), ("2024:02:29 00:00:00", [2024, 2, 29, 0, 0, 0]),
    ("2000:02:29 00:00:00", [2000, 2, 29, 0, 0, 0]),
  ])
  func `Dates are read`(text: String, fields: [Int]) throws {
    let time = try #require(CivilTime(exif: text))
    #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == fields)
    #expect(time.nanosecond == 0)
    #expect(time.utcOffset == nil)
  }

  @Test(arguments: [
    "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:00:10 00:00:00", "2024:13:01 00:00:00",
    "2024:05:00 00:00:00", "2024:05:32 00:00:00", "2024:02:30 00:00:00", "2023:02:29 00:00:00",
    "1900:02:29 00:00:00", "2024:04:31 00:00:00", "yesterday", "12024:05:02 12:00:00", "12",
    "20240502", "2024:05:02 141009", "9999:12:31 24:00:00",
  ])
  func `Blanks, zeros and impossible dates are rejected`(text: String) {
    #expect(CivilTime(exif: text) == nil)
  }

  /// A written date, its fields, nanoseconds and seconds east of UTC.
  typealias Written = (text: String, fields: [Int], nanoseconds: Int, offset: Int?)

  static let written: [Written] = [
    ("2024:05:02 14:10:09.25", [2024, 5, 2, 14, 10, 9], 250_000_000, nil),
    ("2024:05:02 14:10:09,5", [2024, 5, 2, 14, 10, 9], 500_000_000, nil),
    ("2024:05:02 14:10:09Z", [2024, 5, 2, 14, 10, 9], 0, 0),
    ("2024:05:02 14:10:09+02:00", [2024, 5, 2, 14, 10, 9], 0, 7200),
    ("2024:05:02 14:10:09-0730", [2024, 5, 2, 14, 10, 9], 0, -27000),
    ("2024-05-02T14:10:09.5+02", [2024, 5, 2, 14, 10, 9], 500_000_000, 7200),
    ("2024:05:02 14:10:09+25:00", [2024, 5, 2, 14, 10, 9], 0, nil),
    ("2024:05:02 14:10", [2024, 5, 2, 14, 10, 0], 0, nil), ("2024:05:02 14", [2024, 5, 2, 14, 0, 0], 0, nil),
    ("2024-05-02T14:10+02:00", [2024, 5, 2, 14, 10, 0], 0, 7200),
    ("2024:05:02", [2024, 5, 2, 0, 0, 0], 0, nil), ("2024-05-02", [2024, 5, 2, 0, 0, 0], 0, nil),
    ("2024:05:02+02:00", [2024, 5, 2, 0, 0, 0], 0, 7200), ("1964-07", [1964, 7, 1, 0, 0, 0], 0, nil),
    ("1964", [1964, 1, 1, 0, 0, 0], 0, nil), ("2024.05.02 14.10.09", [2024, 5, 2, 14, 10, 9], 0, nil),
    ("2024-05-02-14-10-09", [2024, 5, 2, 14, 10, 9], 0, nil),
    ("2024:5:2 4:1:9", [2024, 5, 2, 4, 1, 9], 0, nil),
    ("2024:05:02 14:10: 9", [2024, 5, 2, 14, 10, 9], 0, nil),
    // A clock that counts beyond 24 hours.
    ("2024:05:02 24:08:19", [2024, 5, 3, 0, 8, 19], 0, nil),
    ("2024:05:02 24:00:00", [2024, 5, 3, 0, 0, 0], 0, nil),
    ("2023:12:31 24:08:19", [2024, 1, 1, 0, 8, 19], 0, nil),
    ("2024:02:28 24:00:00", [2024, 2, 29, 0, 0, 0], 0, nil),
    ("2024:05:02 12:60:00", [2024, 5, 2, 13, 0, 0], 0, nil),
    ("2024:05:02 14:60:61", [2024, 5, 2, 15, 1, 1], 0, nil),
    ("2024:05:02 99:99:99", [2024, 5, 6, 4, 40, 39], 0, nil),
  ]

  @Test(arguments: written)
  func `Dates in unusual notations are read`(written: Written) throws {
    let time = try #require(CivilTime(exif: written.text))
    #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == written.fields)
    #expect(time.nanosecond == written.nanoseconds)
    #expect(time.utcOffset == written.offset)
    #expect(CivilTime(iso8601: written.text) == time)
  }

  @Test(arguments: [
    ("5", 500_000_000), ("050", 50_000_000), ("123456789", 123_456_789), ("1234567891", 123_456_789),
    ("", 0), ("  ", 0), ("x", 0), ("12 ", 120_000_000),
  ])
  func `Fractions of a second are read`(text: String, nanosecond: Int) {
    #expect(CivilTime(exif: "2024:05:02 14:10:09", subseconds: text)?.nanosecond == nanosecond)
  }

  static let offsets: [(String, Int?)] = [
    ("+-9223372036854775808:00", nil), ("+-700000:00", nil), ("+16:00", nil), ("+00:-1", nil),
    ("+01:00", 3600), ("-03:30", -12600), ("+00:00", 0), ("-00:00", 0), ("+14:00", 50400),
    (" +01:00\0", 3600), ("Z", nil), ("", nil), ("01:00", nil), ("+25:00", nil), ("+01:60", nil),
    ("+01", nil), ("   :  ", nil),
  ]

  @Test(arguments: offsets)
  func `Offsets from UTC are read if present`(text: String, seconds: Int?) {
    #expect(CivilTime(exif: "2024:05:02 14:10:09", offset: text)?.utcOffset == seconds)
  }
}
