/// The order of names in which people count: "img2" before "img10", capitals and accents beside the plain letters.
///
/// The same in all locales, so that scripts get the same everywhere.
public enum NaturalOrder {
  /// A name as bytes whose order is the natural one; names that differ in capitals, accents or leading zeros have one.
  ///
  /// A number is a digit, the count of its digits and the digits: longer ones are larger.
  public static func key(of name: some Collection<UInt8>) -> [UInt8] {
    let folded = TextFolding.fold(utf8: name)
    var key: [UInt8] = []
    key.reserveCapacity(folded.count + 4)
    var index = 0
    while index < folded.count {
      guard isDigit(folded[index]) else {
        key.append(folded[index])
        index += 1
        continue
      }
      var end = index
      while end < folded.count, isDigit(folded[end]) { end += 1 }
      while index < end - 1, folded[index] == UInt8(ascii: "0") { index += 1 }
      key.append(UInt8(ascii: "0"))
      key.append(UInt8(clamping: end - index))
      key += folded[index..<end]
      index = end
    }
    return key
  }

  /// How two names stand to each other: below 0 where the first comes first, 0 where they are the same bytes.
  public static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
    let order = compareBytes(key(of: a), key(of: b))
    return order != 0 ? order : compareBytes(Array(a), Array(b))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
