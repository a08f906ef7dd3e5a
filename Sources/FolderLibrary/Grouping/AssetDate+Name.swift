import AssetLibrary
import Metadata

/// Parses the date that a camera, a messenger or a system put into a file's name.
///
/// Used for files without a date inside.
///
/// `IMG-20190715-WA0003.jpg`, `PXL_20190715_102030123.jpg`, `Screenshot_2024-05-02-10-11-12.png`,
/// `signal-2024-05-02-101112.jpg`, `WhatsApp Image 2019-07-15 at 10.20.30 PM.jpeg`,
/// `FB_IMG_1563186030123.jpg`.
extension AssetDate {
  /// - Returns: nil if the name contains no plausible date.
  init?(inName name: String) {
    var scanner = NameScanner(name)
    while let run = scanner.nextRun() {
      if let time = scanner.date(at: run) {
        self.init(time)
        return
      }
      if let milliseconds = scanner.moment(at: run) {
        self.init(fileTime: milliseconds * 1_000_000)
        return
      }
    }
    return nil
  }
}

/// Scans the runs of digits in a name.
private struct NameScanner {
  /// The name without its extension.
  private let bytes: [UInt8]
  private var place = 0

  init(_ name: String) {
    let all = Array(name.utf8)
    let point = all.lastIndex(of: UInt8(ascii: ".")) ?? all.count
    bytes = Array(all[..<(point == 0 ? all.count : point)])
  }

  /// Returns the range of the next run of digits.
  mutating func nextRun() -> Range<Int>? {
    while place < bytes.count, !isDigit(place) { place += 1 }
    guard place < bytes.count else { return nil }
    let run = run(at: place)
    place = run.upperBound
    return run
  }

  private func isDigit(_ at: Int) -> Bool { at < bytes.count && (0x30...0x39).contains(bytes[at]) }

  private func isLetter(_ at: Int) -> Bool {
    at < bytes.count && (0x61...0x7A).contains(bytes[at] | 0x20)
  }

  private func run(at start: Int) -> Range<Int> {
    var end = start
    while isDigit(end) { end += 1 }
    return start..<end
  }

  private func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }

  /// Whether a byte may separate the numbers of a date or time.
  private func isSeparator(_ at: Int) -> Bool { at < bytes.count && "-_. :".utf8.contains(bytes[at]) }

  // MARK: Dates

  /// Returns the date that starts with these digits, with the time after it.
  func date(at run: Range<Int>) -> CivilTime? {
    switch run.count {
    case 4: spacedDate(at: run)
    case 8: compactDate(at: run.lowerBound, clock: run.upperBound)
    // Date and time without a separator.
    case 14, 17: compactDate(at: run.lowerBound, clock: run.lowerBound + 8)
    default: nil
    }
  }

  /// "2019-07-15" with the same separator twice.
  ///
  /// Dates before digital cameras are allowed, since people name scans this way.
  private func spacedDate(at year: Range<Int>) -> CivilTime? {
    let month = run(at: year.upperBound + 1)
    let day = run(at: month.upperBound + 1)
    guard isSeparator(year.upperBound), month.count == 2, day.count == 2, month.upperBound < bytes.count,
      bytes[month.upperBound] == bytes[year.upperBound], (1826...2099).contains(number(year))
    else { return nil }
    return time(number(year), number(month), number(day), clock: day.upperBound)
  }

  /// "20190715": eight digits may be any number, so only years of digital cameras are accepted.
  private func compactDate(at start: Int, clock: Int) -> CivilTime? {
    let year = number(start..<start + 4)
    guard (1990...2099).contains(year), !isLetter(start + 8) || bytes[start + 8] | 0x20 == UInt8(ascii: "t")
    else { return nil }
    return time(year, number(start + 4..<start + 6), number(start + 6..<start + 8), clock: clock)
  }

  private func time(_ year: Int, _ month: Int, _ day: Int, clock: Int) -> CivilTime? {
    guard CivilTime.isPossible(year, month, day, 0, 0, 0) else { return nil }
    var time = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    guard let found = self.clock(at: clock), CivilTime.isPossible(year, month, day, found.0, found.1, found.2)
    else { return time }
    (time.hour, time.minute, time.second) = (found.0, found.1, found.2)
    time.nanosecond = found.milliseconds * 1_000_000
    return time
  }

  // MARK: Times

  /// "102030", "10-20-30", "at 10.20.30 PM", optionally with milliseconds.
  private func clock(at start: Int) -> (Int, Int, Int, milliseconds: Int)? {
    var at = start
    // Only " at ", "T", "_" or "-" may separate date and time.
    while at < start + 4, isSeparator(at) || isLetter(at) && "at".utf8.contains(bytes[at] | 0x20) { at += 1 }
    let first = run(at: at)
    switch first.count {
    case 6, 9:
      return (
        number(at..<at + 2), number(at + 2..<at + 4), number(at + 4..<at + 6),
        first.count == 9 ? number(at + 6..<at + 9) : 0
      )
    case 1, 2:
      let minute = run(at: first.upperBound + 1)
      let second = run(at: minute.upperBound + 1)
      guard isSeparator(first.upperBound), isSeparator(minute.upperBound), minute.count == 2,
        second.count == 2
      else { return nil }
      let part = run(at: second.upperBound + 1)
      return (
        hour(number(first), halfBehind: second.upperBound), number(minute), number(second),
        isSeparator(second.upperBound) && part.count == 3 ? number(part) : 0
      )
    default: return nil
    }
  }

  /// Returns the hour, adjusted if "AM" or "PM" follows the time after any kind of space.
  private func hour(_ hour: Int, halfBehind end: Int) -> Int {
    var at = end
    while at < end + 3, at < bytes.count, bytes[at] == 0x20 || bytes[at] >= 0x80 { at += 1 }
    guard at > end, at + 1 < bytes.count, bytes[at + 1] | 0x20 == UInt8(ascii: "m"), hour <= 12 else {
      return hour
    }
    switch bytes[at] | 0x20 {
    case UInt8(ascii: "a"): return hour % 12
    case UInt8(ascii: "p"): return hour % 12 + 12
    default: return hour
    }
  }

  /// Milliseconds since 1970, as in the names of Facebook, WeChat and some phones, which contain no other
  /// number.
  func moment(at run: Range<Int>) -> Int64? {
    let before = String(decoding: bytes[..<run.lowerBound], as: UTF8.self).lowercased()
    guard run.count == 13, run.upperBound == bytes.count,
      ["", "fb_img_", "mmexport", "img_"].contains(before)
    else { return nil }
    let milliseconds = number(run)
    // The years 2000 to 2100.
    return (946_684_800_000..<4_102_444_800_000).contains(milliseconds) ? Int64(milliseconds) : nil
  }
}
