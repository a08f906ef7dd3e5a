/// A date and time as a clock on the wall showed it, with the clock's offset from UTC where it is known.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var nanosecond = 0
  /// Seconds east of UTC; nil where the camera did not record it.
  package var utcOffset: Int?

  /// A moment from its fields.
  package init(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, utcOffset: Int? = nil
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.utcOffset = utcOffset
  }

  /// A moment from its fields; nil for dates and times that never were.
  init?(checked year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) {
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard isPossible else { return nil }
  }

  /// Whether the fields are a date that was or will be and a time of a day.
  var isPossible: Bool {
    (1...9999).contains(year) && (1...12).contains(month)
      && (1...Self.days(inMonth: month, of: year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// EXIF's way of writing it.
extension CivilTime {
  /// Reads "YYYY:MM:DD HH:MM:SS" (EXIF 2.32, 4.6.5); nil for blanks, zeros and impossible dates.
  package init?(exif text: String, subseconds: String? = nil, offset: String? = nil) {
    let fields = text.split(whereSeparator: { ": -/T".contains($0) }).map { Int($0) }
    guard fields.count >= 6, let year = fields[0], let month = fields[1], let day = fields[2],
      let hour = fields[3], let minute = fields[4], let second = fields[5]
    else { return nil }
    self.init(checked: year, month, day, hour, minute, second)
    if let subseconds { nanosecond = Self.nanoseconds(fromDigits: Array(subseconds.utf8)[...]) }
    utcOffset = offset.flatMap(Self.seconds(fromOffset:))
  }

  /// The same out of bytes, quickly where they have the prescribed form.
  init?(ascii bytes: ArraySlice<UInt8>) {
    let at = bytes.startIndex
    guard bytes.count == 19,
      let year = Self.digits(bytes, at, 4), let month = Self.digits(bytes, at + 5, 2),
      let day = Self.digits(bytes, at + 8, 2), let hour = Self.digits(bytes, at + 11, 2),
      let minute = Self.digits(bytes, at + 14, 2), let second = Self.digits(bytes, at + 17, 2),
      bytes[at + 4] == 0x3A, bytes[at + 7] == 0x3A, bytes[at + 10] == 0x20, bytes[at + 13] == 0x3A,
      bytes[at + 16] == 0x3A
    else {
      guard bytes.count < 64 else { return nil }
      self.init(exif: String(decoding: bytes, as: UTF8.self))
      return
    }
    self.init(checked: year, month, day, hour, minute, second)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>, _ at: Int, _ count: Int) -> Int? {
    var value = 0
    for place in at..<at + count {
      let digit = Int(bytes[place]) - 0x30
      guard (0...9).contains(digit) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads the digits behind a second's point; 0 where there are none.
  static func nanoseconds(fromDigits digits: ArraySlice<UInt8>) -> Int {
    var (value, unit) = (0, 100_000_000)
    for digit in digits.prefix(9) {
      guard (0x30...0x39).contains(digit) else { break }
      value += (Int(digit) - 0x30) * unit
      unit /= 10
    }
    return value
  }

  /// Reads "+01:00" as 3600; nil for anything else.
  static func seconds(fromOffset text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace && $0 != "\0" }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hours = parts[0], let minutes = parts[1],
      (0...15).contains(hours), (0...59).contains(minutes)
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

// The ways of XMP and IPTC.
extension CivilTime {
  /// Reads ISO 8601 as XMP has it: "2024-05-02T14:10:09.5+02:00".
  ///
  /// The part behind the day may be missing or end early (XMP specification part 1, 8.2.1.1): then it is
  /// midnight, or the whole minute. A date without a day is none.
  package init?(iso8601 text: String) {
    let halves = text.trimmed.split(maxSplits: 1, whereSeparator: { $0 == "T" || $0 == " " })
    guard let date = halves.first else { return nil }
    let days = date.split(separator: "-").map { Int($0) }
    guard days.count == 3, let year = days[0], let month = days[1], let day = days[2] else { return nil }
    guard halves.count == 2 else {
      self.init(checked: year, month, day, 0, 0, 0)
      return
    }
    let clock = halves[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let fields = clock.split(separator: ":")
    guard (2...3).contains(fields.count), let hour = Int(fields[0]), let minute = Int(fields[1])
    else { return nil }
    let seconds = fields.count == 3 ? fields[2].split(separator: ".", maxSplits: 1) : ["0"]
    guard let second = seconds.first.flatMap({ Int($0) }) else { return nil }
    self.init(checked: year, month, day, hour, minute, second)
    if seconds.count == 2 { nanosecond = Self.nanoseconds(fromDigits: Array(seconds[1].utf8)[...]) }
    let zone = String(halves[1][clock.endIndex...])
    utcOffset = zone == "Z" ? 0 : Self.seconds(fromOffset: zone)
  }

  /// Reads IPTC's "CCYYMMDD" and "HHMMSS±HHMM" (IIM 4.2, 2:55 and 2:60); midnight without the second.
  init?(iptcDate date: ArraySlice<UInt8>, time: ArraySlice<UInt8>) {
    let at = date.startIndex
    guard date.count >= 8, let year = Self.digits(date, at, 4), let month = Self.digits(date, at + 4, 2),
      let day = Self.digits(date, at + 6, 2)
    else { return nil }
    let clock = time.startIndex
    guard time.count >= 6, let hour = Self.digits(time, clock, 2),
      let minute = Self.digits(time, clock + 2, 2), let second = Self.digits(time, clock + 4, 2)
    else {
      self.init(checked: year, month, day, 0, 0, 0)
      return
    }
    self.init(checked: year, month, day, hour, minute, second)
    guard time.count >= 11, let hours = Self.digits(time, clock + 7, 2),
      let minutes = Self.digits(time, clock + 9, 2), hours < 16, minutes < 60
    else { return }
    switch time[clock + 6] {
    case 0x2B: utcOffset = hours * 3600 + minutes * 60
    case 0x2D: utcOffset = -(hours * 3600 + minutes * 60)
    default: break
    }
  }
}

// Seconds of a clock.
extension CivilTime {
  /// The time that a clock shows so many seconds after it showed 1970-01-01 00:00:00; nil outside of the years 1 to 9999.
  ///
  /// The days are counted from March on in eras of 400 years, as in Howard Hinnant's "chrono-Compatible Low-Level Date
  /// Algorithms", `civil_from_days`.
  package init?(wallSeconds: Int64) {
    guard (-62_135_596_800...253_402_300_799).contains(wallSeconds) else { return nil }
    let day = Int(wallSeconds) / 86_400 - (Int(wallSeconds) % 86_400 < 0 ? 1 : 0)
    let rest = Int(wallSeconds) - day * 86_400
    // Days since March 1 of the year 0, none of which is negative here.
    let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init(
      year: yearOfEra + era * 400 + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
      day: dayOfYear - (153 * month + 2) / 5 + 1, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60
    )
  }
}
