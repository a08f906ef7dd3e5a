import AssetLibrary

/// A way to write a date, in the conversions of `strftime`.
///
/// POSIX's, with GNU's flags `-` (no padding), `_` (blanks) and `0`, and `%:z`. Written here because the result must
/// not depend on the locale: scripts read it, and files are named by it. `%Z` is missing, since no photo says what its
/// zone is called.
struct DateFormat: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text([UInt8])
    /// A slash that the caller wrote, which makes a folder in the name of a copy.
    case slash
    case conversion(UInt8, DatePadding?)
    /// With a colon between hours and minutes.
    case offset
  }

  let pieces: [Piece]

  /// - Throws: `FormatError` for an unknown conversion.
  init(_ format: [UInt8]) throws(FormatError) {
    var pieces: [Piece] = []
    var rest = format[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        pieces.append(byte == UInt8(ascii: "/") ? .slash : .text([byte]))
        continue
      }
      if rest.starts(with: ":z".utf8) {
        rest = rest.dropFirst(2)
        pieces.append(.offset)
        continue
      }
      let padding = rest.first.flatMap(DatePadding.init)
      if padding != nil { rest.removeFirst() }
      guard let letter = rest.popFirst(), Self.letters.contains(letter) else {
        let given = String(decoding: format, as: UTF8.self)
        let known = Self.letters.map { "%" + String(decoding: [$0], as: UTF8.self) }.joined(separator: " ")
        throw FormatError("unknown conversion in the date format '\(given)'; conversions are \(known) %:z")
      }
      if let whole = Self.composites[letter] {
        // Those of a conversion are part of how a date is written.
        pieces += try DateFormat(Array(whole.utf8)).pieces.map {
          $0 == .slash ? .text([UInt8(ascii: "/")]) : $0
        }
      } else {
        pieces.append(.conversion(letter, padding))
      }
    }
    self.pieces = pieces
  }

  private static let letters = Array("YCymbBhdejHkIlMSpPaAuwVGgUWFDRTrcxXzsnt%".utf8)

  /// What stands for several others, in the POSIX locale.
  private static let composites: [UInt8: String] = [
    UInt8(ascii: "F"): "%Y-%m-%d", UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "x"): "%m/%d/%y",
    UInt8(ascii: "R"): "%H:%M", UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "X"): "%H:%M:%S",
    UInt8(ascii: "r"): "%I:%M:%S %p", UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y",
  ]

  func bytes(of date: AssetDate) -> [UInt8] { Array(parts(of: date).joined(separator: [UInt8(ascii: "/")])) }

  /// What stands before, between and behind the slashes that the caller wrote.
  func parts(of date: AssetDate) -> [[UInt8]] {
    let fields = DateFields(date)
    var parts: [[UInt8]] = []
    var part: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let bytes): part += bytes
      case .slash:
        parts.append(part)
        part = []
      case .offset: part += fields.offset(separator: ":").utf8
      case .conversion(let letter, let padding): part += fields.text(of: letter, padding).utf8
      }
    }
    return parts + [part]
  }
}

/// What a number in a date is filled up with, by the flag that GNU's `strftime` has for it.
enum DatePadding: UInt8, Hashable, Sendable {
  /// `-`
  case none = 0x2D
  /// `_`
  case blanks = 0x5F
  /// `0`
  case zeros = 0x30
}

/// The parts of a date that the conversions of `strftime` ask for (POSIX.1-2017, strftime).
private struct DateFields {
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
