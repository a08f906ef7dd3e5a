import System

/// Parses times as rclone writes them: RFC 3339, with any number of fractional digits and any UTC offset.
enum RcloneTime {
  /// Returns nanoseconds since 1970-01-01 00:00:00 UTC; nil if the text is not a time.
  ///
  /// Clamps dates beyond the range of 64-bit nanoseconds (before 1678, after 2261), which are mistakes.
  static func nanoseconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = Reader(bytes: bytes)
      guard let seconds = reader.dateAndTime(), let fraction = reader.fraction(),
        let offset = reader.offset(),
        reader.isAtEnd
      else { return nil }
      let limit: Int64 = 9_000_000_000
      return max(-limit, min(limit, seconds - offset)) * 1_000_000_000 + fraction
    }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ any: String) -> UInt8? {
      guard position < bytes.count, any.utf8.contains(bytes[position]) else { return nil }
      position += 1
      return bytes[position - 1]
    }

    /// Parses a number with a fixed number of digits and checks its range.
    mutating func number(_ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
      guard position + digits <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[position..<position + digits] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      position += digits
      return range.contains(value) ? value : nil
    }

    /// Seconds since 1970 in local time.
    mutating func dateAndTime() -> Int64? {
      guard let year = number(4, 0...9999), take("-") != nil, let month = number(2, 1...12), take("-") != nil,
        let day = number(2, 1...31), take("Tt ") != nil, let hour = number(2, 0...23), take(":") != nil,
        let minute = number(2, 0...59), take(":") != nil, let second = number(2, 0...60),
        day <= CivilDays.count(inMonth: Int(month), of: Int(year))
      else { return nil }
      let days = Int64(CivilDays.number(year: Int(year), month: Int(month), day: Int(day)))
      return days * 86400 + hour * 3600 + minute * 60 + second
    }

    /// Nanoseconds of the fraction.
    mutating func fraction() -> Int64? {
      guard take(".") != nil else { return 0 }
      let start = position
      var value: Int64 = 0
      while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
        if position - start < 9 { value = value * 10 + Int64(bytes[position] - 0x30) }
        position += 1
      }
      guard position > start else { return nil }
      for _ in min(9, position - start)..<9 { value *= 10 }
      return value
    }

    /// The UTC offset in seconds, positive east of UTC.
    mutating func offset() -> Int64? {
      if take("Zz") != nil { return 0 }
      guard let sign = take("+-"), let hours = number(2, 0...23), take(":") != nil,
        let minutes = number(2, 0...59)
      else { return nil }
      return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
  }
}
