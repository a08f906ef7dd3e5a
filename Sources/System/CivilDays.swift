/// Converts dates of the proleptic Gregorian calendar to day numbers and back.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013), `days_from_civil` and
/// `civil_from_days`. Their years begin in March, which makes the leap day the last day of the year.
package enum CivilDays {
  /// Returns the day number of a date, 0 = 1970-01-01.
  /// - Parameters:
  ///   - year: 1 BC is 0; the range is ±10^15.
  ///   - month: 1 to 12.
  ///   - day: from 1; days beyond the end of the month continue into the next month.
  package static func number(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the date of a day number.
  package static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The number of days in a month.
  package static func count(inMonth month: Int, of year: Int) -> Int {
    let (nextYear, nextMonth) = month == 12 ? (year + 1, 1) : (year, month + 1)
    return number(year: nextYear, month: nextMonth, day: 1) - number(year: year, month: month, day: 1)
  }
}
