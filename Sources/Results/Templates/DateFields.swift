import AssetLibrary

/// The parts of a date that the conversions of `strftime` ask for (POSIX.1-2017, strftime).
struct DateFields {
  private let date: AssetDate
  private let parts: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int)
  /// 1 = the first of January.
  private let dayOfYear: Int

  init(_ date: AssetDate) {
    self.date = date
    parts = date.components
    let start = AssetDate(year: parts.year, month: 1, day: 1).wallSeconds
    dayOfYear = Int((date.wallSeconds - start) / 86400) + 1
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// A conversion that `DateFormat` knows; empty where the date doesn't say it.
  func text(of letter: UInt8, _ padding: DatePadding?) -> String {
    func number(_ value: Int, _ width: Int, _ usual: DatePadding = .zeros) -> String {
      let digits = String(value)
      let filler: Character = padding ?? usual == .blanks ? " " : "0"
      let missing = padding == DatePadding.none ? 0 : max(0, width - digits.count)
      return String(repeating: filler, count: missing) + digits
    }
    let hour = (parts.hour + 11) % 12 + 1
    switch Character(Unicode.Scalar(letter)) {
    case "Y": return number(parts.year, 4)
    case "C": return number(parts.year / 100, 2)
    case "y": return number(parts.year % 100, 2)
    case "m": return number(parts.month, 2)
    case "B": return Self.months[parts.month - 1]
    case "b", "h": return String(Self.months[parts.month - 1].prefix(3))
    case "d": return number(parts.day, 2)
    case "e": return number(parts.day, 2, .blanks)
    case "j": return number(dayOfYear, 3)
    case "H": return number(parts.hour, 2)
    case "k": return number(parts.hour, 2, .blanks)
    case "I": return number(hour, 2)
    case "l": return number(hour, 2, .blanks)
    case "M": return number(parts.minute, 2)
    case "S": return number(parts.second, 2)
    case "p": return parts.hour < 12 ? "AM" : "PM"
    case "P": return parts.hour < 12 ? "am" : "pm"
    case "A": return Self.days[date.weekday]
    case "a": return String(Self.days[date.weekday].prefix(3))
    case "u": return number(weekday, 1)
    case "w": return number(date.weekday, 1)
    case "V": return number(week.number, 2)
    case "G": return number(week.year, 4)
    case "g": return number(week.year % 100, 2)
    case "U": return number((dayOfYear + 6 - date.weekday) / 7, 2)
    case "W": return number((dayOfYear + 7 - weekday) / 7, 2)
    case "z": return offset(separator: "")
    case "s": return date.secondsSince1970.map { String($0) } ?? ""
    case "n": return "\n"
    case "t": return "\t"
    default: return "%"
    }
  }

  /// Hours and minutes east of UTC; empty where no zone was recorded.
  func offset(separator: String) -> String {
    guard let offset = date.utcOffset else { return "" }
    let minutes = abs(Int(offset)) / 60
    func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (offset < 0 ? "-" : "+") + pad(minutes / 60) + separator + pad(minutes % 60)
  }

  /// 1 = Monday, 7 = Sunday.
  private var weekday: Int { (date.weekday + 6) % 7 + 1 }

  /// The week by ISO 8601, and the year that it belongs to.
  private var week: (year: Int, number: Int) {
    let number = (dayOfYear - weekday + 10) / 7
    if number < 1 { return (parts.year - 1, Self.weeks(in: parts.year - 1)) }
    if number > Self.weeks(in: parts.year) { return (parts.year + 1, 1) }
    return (parts.year, number)
  }

  /// 53 in years that begin or end with a Thursday.
  private static func weeks(in year: Int) -> Int {
    let isLong =
      AssetDate(year: year, month: 1, day: 1).weekday == 4
      || AssetDate(year: year, month: 12, day: 31).weekday == 4
    return isLong ? 53 : 52
  }
}
