import AssetLibrary

/// A date format with the conversions of `strftime`.
///
/// Supports POSIX's conversions, GNU's flags `-` (no padding), `_` (spaces) and `0`, and `%:z`. Implemented
/// here because the result must not depend on the locale: scripts parse it, and it names files. `%Z` is not
/// supported, since photos don't store the name of their time zone.
struct DateFormat: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text([UInt8])
    /// A literal slash in the format, which separates folders in the name of a copy.
    case slash
    case conversion(UInt8, DatePadding?)
    /// The UTC offset with a colon between hours and minutes.
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
        // Slashes inside a composite conversion are part of the date's text, not separators.
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

  /// Conversions that stand for several others in the POSIX locale.
  private static let composites: [UInt8: String] = [
    UInt8(ascii: "F"): "%Y-%m-%d", UInt8(ascii: "D"): "%m/%d/%y", UInt8(ascii: "x"): "%m/%d/%y",
    UInt8(ascii: "R"): "%H:%M", UInt8(ascii: "T"): "%H:%M:%S", UInt8(ascii: "X"): "%H:%M:%S",
    UInt8(ascii: "r"): "%I:%M:%S %p", UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y",
  ]

  func bytes(of date: AssetDate) -> [UInt8] { Array(parts(of: date).joined(separator: [UInt8(ascii: "/")])) }

  /// Returns the parts of the text between literal slashes.
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

/// The padding of a number, by GNU `strftime` flag.
enum DatePadding: UInt8, Hashable, Sendable {
  /// `-`
  case none = 0x2D
  /// `_`
  case blanks = 0x5F
  /// `0`
  case zeros = 0x30
}

/// The components of a date for the conversions of `strftime` (POSIX.1-2017).
private struct DateFields {
  private let date: AssetDate
  private let parts: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int)
  /// 1 = January 1.
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

  /// Returns the text of a known conversion; empty if the date lacks the information.
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

  /// The UTC offset in hours and minutes, positive east of UTC; empty if it was not recorded.
  func offset(separator: String) -> String {
    guard let offset = date.utcOffset else { return "" }
    let minutes = abs(Int(offset)) / 60
    func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (offset < 0 ? "-" : "+") + pad(minutes / 60) + separator + pad(minutes % 60)
  }

  /// 1 = Monday, 7 = Sunday.
  private var weekday: Int { (date.weekday + 6) % 7 + 1 }

  /// The ISO 8601 week, and the year it belongs to.
  private var week: (year: Int, number: Int) {
    let number = (dayOfYear - weekday + 10) / 7
    if number < 1 { return (parts.year - 1, Self.weeks(in: parts.year - 1)) }
    if number > Self.weeks(in: parts.year) { return (parts.year + 1, 1) }
    return (parts.year, number)
  }

  /// Years that start or end on a Thursday have 53 weeks.
  private static func weeks(in year: Int) -> Int {
    let isLong =
      AssetDate(year: year, month: 1, day: 1).weekday == 4
      || AssetDate(year: year, month: 12, day: 31).weekday == 4
    return isLong ? 53 : 52
  }
}
