/// When something was taken, as a search says it.
enum DateSpan: Hashable, Sendable {
  /// From the beginning of a day to the beginning of another.
  case days(from: AssetDate, until: AssetDate)
  /// Some months of any year, or one day of a month.
  case everyYear(months: [Int], day: Int?)

  static func year(_ year: Int) -> DateSpan {
    .days(from: AssetDate(year: year, month: 1, day: 1), until: AssetDate(year: year + 1, month: 1, day: 1))
  }

  /// So many months, the first of which may be beyond the twelfth of the year.
  static func months(_ year: Int, from month: Int, count: Int = 1) -> DateSpan {
    .days(from: firstDay(year, month), until: firstDay(year, month + count))
  }

  /// So many days from one on.
  static func days(from day: AssetDate, count: Int = 1) -> DateSpan {
    .days(from: day.startOfDay(0), until: day.startOfDay(count))
  }

  /// A day; nil where the calendar has none such.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> DateSpan? {
    guard year > 0, (1...12).contains(month) else { return nil }
    let date = AssetDate(year: year, month: month, day: day)
    // A day that is not in the calendar comes back as another one.
    guard date.components.month == month, date.components.day == day else { return nil }
    return .days(from: date, count: 1)
  }

  private static func firstDay(_ year: Int, _ month: Int) -> AssetDate {
    AssetDate(year: year + (month - 1) / 12, month: (month - 1) % 12 + 1, day: 1)
  }

  var predicate: AssetPredicate {
    switch self {
    case .days(let start, let end):
      .and([.date(.creationDate, .greaterOrEqual, start), .date(.creationDate, .less, end)])
    case .everyYear(let months, let day): .everyYear(.creationDate, months: months, day: day)
    }
  }

  /// The first moment; of what comes every year, that of the last time that it began.
  func start(before today: AssetDate) -> AssetDate {
    switch self {
    case .days(let start, _): return start
    case .everyYear(let months, let day):
      let year = today.components.year
      let start = AssetDate(year: year, month: months.first ?? 1, day: day ?? 1)
      return start <= today ? start : AssetDate(year: year - 1, month: months.first ?? 1, day: day ?? 1)
    }
  }
}

extension AssetDate {
  /// The first moment of the day, or of a day so many after it.
  func startOfDay(_ offset: Int) -> AssetDate {
    AssetDate(wallSeconds: Int64(dayNumber + offset) * 86400)
  }
}
