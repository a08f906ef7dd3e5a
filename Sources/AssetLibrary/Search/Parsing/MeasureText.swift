/// Parses and formats sizes and durations: `2MB`, `1.5 GiB`, `60s`, `5min`, `1:30`, `1m30s`.
public enum MeasureText {
  /// Units with decimal and binary prefixes (SI and IEC 80000-13); the "B" of decimal units is optional.
  private static let byteUnits: [String: Double] = [
    "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
    "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
  ]

  private static let timeUnits: [String: Double] = [
    "": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600,
  ]

  /// Returns the number of bytes in a text such as "1.5 GiB"; nil if the text is not a size.
  public static func bytes(of text: some StringProtocol) -> Double? { number(text, byteUnits) }

  /// Returns a size in decimal units, as file managers show it: "2.1 MB".
  /// - Parameters:
  ///   - decimalSeparator: the separator before the tenths.
  ///   - number: formats whole numbers, for locales that group digits.
  package static func text(
    ofBytes bytes: Int64, decimalSeparator: String = ".", number: (Int) -> String = { String($0) }
  ) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    if bytes < 999_500 { return "\(number(Int((bytes + 500) / 1000))) kB" }
    let tenths = bytes / 100_000 + (bytes % 100_000 >= 50_000 ? 1 : 0)
    if tenths < 10_000 { return "\(tenths / 10)\(decimalSeparator)\(tenths % 10) MB" }
    return "\(number(Int(tenths / 10_000)))\(decimalSeparator)\(tenths / 1000 % 10) GB"
  }

  /// Returns a size in binary units, as used in settings: "31.2 MiB".
  package static func text(ofBinaryBytes bytes: Int) -> String {
    var (value, unit) = (Double(bytes), 0)
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024, unit + 1 < units.count { (value, unit) = (value / 1024, unit + 1) }
    let tenths = Int(saturating: (value * 10).rounded())
    return unit == 0 || tenths.isMultiple(of: 10)
      ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// Returns a size in the largest binary unit that represents it exactly: "64MiB".
  package static func text(ofExactBytes bytes: Int) -> String {
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes > 0 && bytes.isMultiple(of: size) {
      return "\(bytes / size)\(unit)"
    }
    return "\(bytes)B"
  }

  /// Returns the number of seconds in a text such as "5min", "1:30" or "1m30s"; nil if the text is not a
  /// duration.
  public static func seconds(of text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 1 { return number(text, timeUnits) ?? sum(text) }
    let numbers = parts.compactMap { part in
      part.utf8.count <= 4 && part.utf8.allSatisfy(isDigit) ? Double(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return numbers.reduce(0) { $0 * 60 + $1 }
  }

  /// Returns the sum of a duration with several units, such as "1h2m3.5s" or "1 min 30 s"; nil if it is none.
  ///
  /// As with colons, units descend and only the first number may exceed 59.
  private static func sum(_ text: some StringProtocol) -> Double? {
    var (rest, seconds, lastSize) = (text[...], 0.0, Double.infinity)
    repeat {
      let digits = rest.prefix { $0 == "." || ($0.isASCII && $0.isNumber) }
      let unit = rest.dropFirst(digits.count).drop(while: \.isWhitespace).prefix(while: \.isLetter)
      guard !unit.isEmpty, let size = timeUnits[unit.lowercased()], size < lastSize,
        let value = number(digits, ["": 1]), lastSize.isInfinite || value < 60
      else { return nil }
      let next = rest[unit.endIndex...]
      rest = next.drop(while: \.isWhitespace)
      // Only the last number may have a fraction, and nothing follows it.
      guard rest.isEmpty ? next.isEmpty : value == value.rounded() else { return nil }
      seconds += value * size
      lastSize = size
    } while !rest.isEmpty
    return seconds
  }

  private static func number(_ text: some StringProtocol, _ units: [String: Double]) -> Double? {
    let digits = text.prefix { $0 == "." || ($0.isASCII && $0.isNumber) }
    let unit = text.dropFirst(digits.count).drop(while: \.isWhitespace).lowercased()
    guard digits.first != ".", digits.last != ".", digits.utf8.count <= 15, let number = Double(digits),
      let size = units[unit]
    else { return nil }
    return number * size
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
