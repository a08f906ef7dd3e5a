package import AssetLibrary

/// A run of assets taken on one day, in a fetch result ordered by date.
package struct DaySection: Hashable, Sendable {
  /// The index of the first asset.
  package var start: Int
  package var day: CalendarDay

  /// Splits a fetch result that is ordered by date into days; linear in its size, so not for the run loop.
  package static func split(_ assets: FetchResult<Asset>) -> [DaySection] {
    var sections: [DaySection] = []
    var last: Int64?
    for index in assets.indices {
      let date = assets.creationDate(at: index)
      let number = date.wallSeconds >= 0 ? date.wallSeconds / 86400 : (date.wallSeconds - 86399) / 86400
      if number == last { continue }
      last = number
      sections.append(DaySection(start: index, day: CalendarDay(date)))
    }
    return sections
  }
}

/// A day of the Gregorian calendar in the camera's local time.
package struct CalendarDay: Hashable, Comparable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  /// 0 = Sunday.
  package var weekday: Int

  package init(_ date: AssetDate) {
    let fields = date.components
    (year, month, day) = (fields.year, fields.month, fields.day)
    weekday = date.weekday
  }

  package static func < (a: CalendarDay, b: CalendarDay) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

/// A year, a month or a day.
struct CalendarPeriod: Hashable, Sendable {
  var year: Int
  var month: Int?
  var day: Int?

  init(year: Int, month: Int? = nil, day: Int? = nil) {
    self.year = year
    self.month = month
    self.day = month == nil ? nil : day
  }

  func contains(_ other: CalendarDay) -> Bool {
    other.year == year && (month ?? other.month) == other.month && (day ?? other.day) == other.day
  }

  /// The first day, for comparisons.
  var start: AssetDate { AssetDate(year: year, month: month ?? 1, day: day ?? 1) }

  /// The day after the last.
  var end: AssetDate {
    guard let month else { return AssetDate(year: year + 1, month: 1, day: 1) }
    if let day { return AssetDate(year: year, month: month, day: day + 1) }
    return month == 12
      ? AssetDate(year: year + 1, month: 1, day: 1) : AssetDate(year: year, month: month + 1, day: 1)
  }

  /// The predicate for assets of the period.
  var predicate: AssetPredicate {
    .and([.date(.creationDate, .greaterOrEqual, start), .date(.creationDate, .less, end)])
  }
}
