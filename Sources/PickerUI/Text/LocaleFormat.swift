import AssetLibrary

/// Formats numbers and dates; the host sets the conventions of the locale.
package struct LocaleFormat: Hashable, Sendable {
  package var groupingSeparator = ","
  package var decimalSeparator = "."
  /// The abbreviated names of the months.
  package var months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The full names of the months.
  package var monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  /// The days of the week from Sunday.
  package var weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  package init() {}

  /// "1,204".
  package func number(_ value: Int) -> String {
    guard !groupingSeparator.isEmpty else { return String(value) }
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += groupingSeparator }
      text.append(digit)
    }
    return text
  }

  /// "2.1 MB", in decimal units as in file managers.
  package func size(_ bytes: Int64) -> String {
    MeasureText.text(ofBytes: bytes, decimalSeparator: String(decimalSeparator), number: number)
  }

  /// "2 May 2024".
  package func day(year: Int, month: Int, day: Int) -> String {
    let name = months.indices.contains(month - 1) ? months[month - 1] : String(month)
    return "\(day) \(name) \(year)"
  }

  /// "1 photo", "1,204 photos".
  package func count(_ value: Int, _ singular: String, _ plural: String) -> String {
    "\(number(value)) \(Wording.noun(value, singular, plural))"
  }

  /// A number with at most one decimal: "4", "2.8".
  package func decimal(_ value: Double) -> String {
    // Numbers from files are bounded when they are read, but those of other libraries are not.
    guard let tenths = Int(exactly: (value * 10).rounded()) else { return String(value) }
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10)\(decimalSeparator)\(abs(tenths % 10))"
  }
}

extension LocaleFormat {
  /// "2024", "May 2024", "2 May 2024".
  func period(_ period: CalendarPeriod) -> String {
    guard let month = period.month else { return String(period.year) }
    if let day = period.day { return self.day(year: period.year, month: month, day: day) }
    return "\(monthName(month)) \(period.year)"
  }

  /// "2 May 2024".
  func day(_ day: CalendarDay) -> String { self.day(year: day.year, month: day.month, day: day.day) }

  private func monthName(_ month: Int) -> String {
    monthNames.indices.contains(month - 1) ? monthNames[month - 1] : String(month)
  }

  /// The label of a day above its first photo, the longest form first: "Thursday 2 May", "Thu 2 May", "2 May", "2";
  /// with the year if it changes.
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
