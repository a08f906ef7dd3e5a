extension LocaleFormat {
  /// "2024", "May 2024", "2 May 2024".
  func period(_ period: CalendarPeriod) -> String {
    guard let month = period.month else { return String(period.year) }
    if let day = period.day { return self.day(year: period.year, month: month, day: day) }
    return "\(monthName(month)) \(period.year)"
  }

  /// "2 May 2024".
  func day(_ day: CalendarDay) -> String { self.day(year: day.year, month: day.month, day: day.day) }

  func monthName(_ month: Int) -> String {
    monthNames.indices.contains(month - 1) ? monthNames[month - 1] : String(month)
  }

  /// How a day is written above its first photo, the longest way first: "Thursday 2 May", "Thu 2 May", "2 May",
  /// "2"; with the year where it is another than before.
  func dayLabels(_ day: CalendarDay, hasYear: Bool, hasMonth: Bool) -> [String] {
    let name = weekdays.indices.contains(day.weekday) ? weekdays[day.weekday] : ""
    let month = months.indices.contains(day.month - 1) ? months[day.month - 1] : String(day.month)
    let year = hasYear ? " \(day.year)" : ""
    let date = hasYear || hasMonth ? "\(day.day) \(month)\(year)" : String(day.day)
    let short = name.prefix(3)
    return ["\(name) \(date)", "\(short) \(date)", date, "\(day.day) \(month)", "\(day.day)"]
  }

  /// "0:12", "1:02:03".
  func duration(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(max(0, min(seconds, 359_999)).rounded()) : 0
    let pad = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(pad(minutes)):\(pad(rest))" : "\(minutes):\(pad(rest))"
  }
}
