import System

/// A date and time as displayed by a local clock, with the clock's offset from UTC if it is known.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var nanosecond = 0
  /// Seconds east of UTC; nil if the camera did not record it.
  package var utcOffset: Int?

  /// Creates a time from its fields.
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

  /// Creates a time from its fields; nil for an impossible date or time.
  init?(checked year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) {
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard isPossible else { return nil }
  }

  /// Whether the fields are a possible date and time of day.
  package static func isPossible(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Bool {
    CivilTime(checked: year, month, day, hour, minute, second) != nil
  }

  /// Whether the fields are a possible date and time of day.
  var isPossible: Bool {
    (1...9999).contains(year) && (1...12).contains(month)
      && (1...CivilDays.count(inMonth: month, of: year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
  }
}

// The notations in files.
extension CivilTime {
  /// Parses "YYYY:MM:DD HH:MM:SS" (EXIF 2.32, 4.6.5), with any separators; nil for blanks, zeros and
  /// impossible dates.
  /// - Parameters:
  ///   - subseconds: the decimal digits of the second, from a separate tag.
  ///   - offset: the UTC offset, from a separate tag.
  package init?(exif text: String, subseconds: String? = nil, offset: String? = nil) {
    self.init(written: Array(text.utf8)[...])
    if let subseconds { nanosecond = Self.nanoseconds(fromDigits: Array(subseconds.utf8)[...]) }
    if let offset { utcOffset = Self.seconds(fromOffset: offset) }
  }

  /// Parses the same from bytes, with a fast path for the standard notation.
  init?(ascii bytes: ArraySlice<UInt8>) {
    let at = bytes.startIndex
    guard bytes.count == 19,
      let year = Self.digits(bytes, at, 4), let month = Self.digits(bytes, at + 5, 2),
      let day = Self.digits(bytes, at + 8, 2), let hour = Self.digits(bytes, at + 11, 2),
      let minute = Self.digits(bytes, at + 14, 2), let second = Self.digits(bytes, at + 17, 2),
      bytes[at + 4] == 0x3A, bytes[at + 7] == 0x3A, bytes[at + 10] == 0x20, bytes[at + 13] == 0x3A,
      bytes[at + 16] == 0x3A, hour < 24, minute < 60, second <= 60
    else {
      guard bytes.count < 64 else { return nil }
      self.init(written: bytes)
      return
    }
    self.init(checked: year, month, day, hour, minute, second)
  }

  /// Parses a date as ExifTool does: numbers from the year on, with anything between them.
  ///
  /// Missing fields at the end default to the first month, the first day and midnight. A time beyond the end
  /// of the day continues on the next day ("24:08:19"). An impossible month or day makes the date invalid.
  init?(written text: ArraySlice<UInt8>) {
    let (bytes, zone) = Self.splitZone(text)
    var (numbers, end) = ([Int](), bytes.startIndex)
    while numbers.count < 6, let start = bytes[end...].firstIndex(where: Self.isDigit) {
      let digits = bytes[start...].prefix(while: Self.isDigit)
      guard digits.count <= (numbers.isEmpty ? 4 : 2), let number = Self.digits(bytes, start, digits.count)
      else { return nil }
      numbers.append(number)
      end = digits.endIndex
    }
    // A single number is a year only if it has four digits.
    guard let year = numbers.first, numbers.count > 1 || year >= 1000 else { return nil }
    self.init(
      checked: year, numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1, 0, 0, 0)
    let clock = Array(numbers.dropFirst(3)) + [0, 0, 0]
    guard setClock(clock[0], clock[1], clock[2]) else { return nil }
    if numbers.count == 6, let point = bytes[end...].first, point == 0x2E || point == 0x2C {
      nanosecond = Self.nanoseconds(fromDigits: bytes[(end + 1)...])
    }
    utcOffset = zone
  }

  /// Sets the time of day; a time beyond the end of the day continues on the next one.
  /// - Returns: false if the result is after the last year.
  private mutating func setClock(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
    if hour < 24, minute < 60, second <= 60 {
      (self.hour, self.minute, self.second) = (hour, minute, second)
      return true
    }
    let seconds = hour * 3600 + minute * 60 + second
    for _ in 0..<seconds / 86_400 {
      day += 1
      if day > CivilDays.count(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    (self.hour, self.minute, self.second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
    return year <= 9999
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Splits the time zone from the end of a date: "Z", "+02:00", "+0200", "+02".
  private static func splitZone(_ text: ArraySlice<UInt8>) -> (date: ArraySlice<UInt8>, offset: Int?) {
    let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? text.startIndex
    let date = text[..<end]
    if date.last == 0x5A { return (date.dropLast(), 0) }
    guard let sign = date.lastIndex(where: { $0 == 0x2B || $0 == 0x2D }) else { return (date, nil) }
    let zone = date[(sign + 1)...]
    let digits = zone.filter { $0 != 0x3A }
    // "2024-05-02" ends with a day, and "2024-05-02-14-10-09" with a second.
    let isZone =
      zone.count == 5 && zone[sign + 3] == 0x3A
      || digits.count == zone.count && zone.count == 4 && sign - date.startIndex >= 16
      || digits.count == zone.count && zone.count == 2 && (date[sign] == 0x2B || date.contains(0x54))
    guard isZone, let hours = Self.digits(digits[...], 0, 2),
      let minutes = digits.count == 4 ? Self.digits(digits[...], 2, 2) : 0
    else { return (date, nil) }
    let isPossible = hours < 16 && minutes < 60
    return (
      date[..<sign], isPossible ? (date[sign] == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60) : nil
    )
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

  /// Parses the decimal digits of a second; 0 if there are none.
  static func nanoseconds(fromDigits digits: ArraySlice<UInt8>) -> Int {
    var (value, unit) = (0, 100_000_000)
    for digit in digits.prefix(9) {
      guard (0x30...0x39).contains(digit) else { break }
      value += (Int(digit) - 0x30) * unit
      unit /= 10
    }
    return value
  }

  /// Parses "+01:00" as 3600; nil for anything else.
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

// The notations in XMP and IPTC.
extension CivilTime {
  /// Parses ISO 8601 as in XMP: "2024-05-02T14:10:09.5+02:00".
  ///
  /// It may be truncated, even after the year (XMP specification part 1, 8.2.1.1).
  package init?(iso8601 text: String) {
    self.init(written: Array(text.trimmed.utf8)[...])
  }

  /// Parses IPTC's "CCYYMMDD" and "HHMMSS±HHMM" (IIM 4.2, 2:55 and 2:60); without a time, it is midnight.
  ///
  /// A month or day of 00 is unknown.
  init?(iptcDate date: ArraySlice<UInt8>, time: ArraySlice<UInt8>) {
    let at = date.startIndex
    guard date.count >= 8, let year = Self.digits(date, at, 4), var month = Self.digits(date, at + 4, 2),
      var day = Self.digits(date, at + 6, 2)
    else { return nil }
    (month, day) = (max(month, 1), max(day, 1))
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

// Local time in seconds.
extension CivilTime {
  /// Creates the local time that is `wallSeconds` after 1970-01-01 00:00:00; nil outside the years 1 to 9999.
  package init?(wallSeconds: Int64) {
    guard (-62_135_596_800...253_402_300_799).contains(wallSeconds) else { return nil }
    let day = Int(wallSeconds) / 86_400 - (Int(wallSeconds) % 86_400 < 0 ? 1 : 0)
    let rest = Int(wallSeconds) - day * 86_400
    let date = CivilDays.date(day)
    self.init(
      year: date.year, month: date.month, day: date.day, hour: rest / 3600, minute: rest / 60 % 60,
      second: rest % 60)
  }
}
