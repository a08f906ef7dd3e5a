extension LocaleFormat {
  /// "2024", "May 2024", "2 May 2024".
  func period(_ period: CalendarPeriod) -> String {
    guard let month = period.month else { return String(period.year) }
    if let day = period.day { return self.day(year: period.year, month: month, day: day) }
    return "\(monthName(month)) \(period.year)"
  }

  func monthName(_ month: Int) -> String {
    monthNames.indices.contains(month - 1) ? monthNames[month - 1] : String(month)
  }

  /// The header of a section: "Thursday 2 May 2024", "May 2024" or "2024".
  func header(_ day: CalendarDay, _ division: GridRows.Division) -> String {
    switch division {
    case .day:
      let name = weekdays.indices.contains(day.weekday) ? weekdays[day.weekday] + " " : ""
      return "\(name)\(day.day) \(monthName(day.month)) \(day.year)"
    case .month: return "\(monthName(day.month)) \(day.year)"
    case .year: return String(day.year)
    }
  }

  /// "0:12", "1:02:03".
  func duration(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(max(0, min(seconds, 359_999)).rounded()) : 0
    let pad = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(pad(minutes)):\(pad(rest))" : "\(minutes):\(pad(rest))"
  }
}
