import AssetLibrary

/// The target of typed digits: a year, month or day if they can be one, else the number of a photo.
enum JumpTarget: Hashable {
  /// - nearest: the day to jump to if the period has no photos.
  case period(CalendarPeriod, index: Int, nearest: CalendarDay? = nil)
  case number(Int)
}

extension LibraryView {
  /// The target of the digits typed so far; nil if there is none.
  func jumpTarget(_ digits: String) -> JumpTarget? {
    guard !assets.isEmpty, let number = Int(digits) else { return nil }
    if let days, let period = CalendarPeriod(digits: digits), !days.isEmpty {
      if let first = days.first(where: { period.contains($0.day) }) {
        return .period(period, index: first.start)
      }
      // Otherwise the first photo of the nearest day that has any; of two such days, the one that comes first in the
      // grid.
      let nearest = days.min { period.distance(to: $0.day) < period.distance(to: $1.day) }
      return nearest.map { .period(period, index: $0.start, nearest: $0.day) }
    }
    return (1...assets.count).contains(number) ? .number(number - 1) : nil
  }

  /// The day on which an asset was taken; nil if the assets are not ordered by date.
  func day(of index: Int) -> CalendarDay? {
    guard let days else { return nil }
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle].start <= index { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? days[low - 1].day : nil
  }
}

extension CalendarPeriod {
  /// Reads four, six or eight digits: YYYY, YYYYMM or YYYYMMDD.
  fileprivate init?(digits: String) {
    let numbers = digits.compactMap(\.wholeNumberValue)
    guard numbers.count == digits.count, [4, 6, 8].contains(numbers.count) else { return nil }
    let value = { (range: Range<Int>) in numbers[range].reduce(0) { $0 * 10 + $1 } }
    let year = value(0..<4)
    guard (1800...2199).contains(year) else { return nil }
    if numbers.count == 4 {
      self.init(year: year)
      return
    }
    let month = value(4..<6)
    guard (1...12).contains(month) else { return nil }
    if numbers.count == 6 {
      self.init(year: year, month: month)
      return
    }
    let day = value(6..<8)
    guard (1...31).contains(day) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The number of seconds between the period and a day outside it.
  fileprivate func distance(to other: CalendarDay) -> Int64 {
    let day = AssetDate(year: other.year, month: other.month, day: other.day).wallSeconds
    return day < start.wallSeconds ? start.wallSeconds - day : day - end.wallSeconds + 86400
  }
}
