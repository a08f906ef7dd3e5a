import Metadata
import Testing

/// Times from seconds of a clock.
@Suite struct CivilTimeSecondsTests {
  @Test(
    arguments: [
      (0, [1970, 1, 1, 0, 0, 0]), (-1, [1969, 12, 31, 23, 59, 59]), (951_782_400, [2000, 2, 29, 0, 0, 0]),
      (1_714_659_009, [2024, 5, 2, 14, 10, 9]), (-2_203_891_200, [1900, 3, 1, 0, 0, 0]),
      (-62_135_596_800, [1, 1, 1, 0, 0, 0]), (253_402_300_799, [9999, 12, 31, 23, 59, 59]),
    ] as [(Int64, [Int])])
  func `Seconds become a date and a time`(seconds: Int64, fields: [Int]) throws {
    let time = try #require(CivilTime(wallSeconds: seconds))
    #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == fields)
  }

  @Test(arguments: [-62_135_596_801, 253_402_300_800, Int64.min, .max])
  func `Values outside the calendar are rejected`(seconds: Int64) {
    #expect(CivilTime(wallSeconds: seconds) == nil)
  }

  @Test func `Consecutive days follow each other for two eras of 400 years`() throws {
    var last = try #require(CivilTime(wallSeconds: -11_676_096_000))
    for day in stride(from: -11_676_009_600 as Int64, to: 13_569_465_600, by: 86_400) {
      let next = try #require(CivilTime(wallSeconds: day))
      let isNext =
        next.day == last.day + 1 && next.month == last.month && next.year == last.year
        || next.day == 1 && last.day >= 28
          && (next.month == last.month + 1 && next.year == last.year
            || next.month == 1 && last.month == 12 && next.year == last.year + 1)
      if !isNext { Issue.record("\(last) is not before \(next)") }
      last = next
    }
    #expect(last.year == 2399)
  }
}
