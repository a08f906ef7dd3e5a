/// The metadata in the IPTC datasets of a file.
///
/// Format: IPTC-NAA Information Interchange Model 4.2. A dataset is 0x1C, a record, a number, a two-byte
/// length and the value; 1:90 names the character set.
struct IPTCFacts {
  var title: String?
  var caption: String?
  var keywords: [String] = []
  var captureTime: CivilTime?

  /// Parses datasets up to the first invalid one.
  init(_ bytes: ArraySlice<UInt8>) {
    var (date, time): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    var isUTF8 = false
    var at = bytes.startIndex
    while at + 5 <= bytes.endIndex, bytes[at] == 0x1C {
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      // The highest bit announces an extended length, which no text needs.
      guard length < 0x8000, at + 5 + length <= bytes.endIndex else { break }
      let value = bytes[at + 5..<at + 5 + length]
      switch (bytes[at + 1], bytes[at + 2]) {
      case (1, 90): isUTF8 = value.elementsEqual([0x1B, 0x25, 0x47])
      case (2, 5): title = title ?? Self.text(value, isUTF8: isUTF8)
      case (2, 25) where keywords.count < Self.mostKeywords:
        if let keyword = Self.text(value, isUTF8: isUTF8) { keywords.append(keyword) }
      case (2, 55): date = value
      case (2, 60): time = value
      case (2, 120): caption = caption ?? Self.text(value, isUTF8: isUTF8)
      default: break
      }
      at += 5 + length
    }
    captureTime = CivilTime(iptcDate: date, time: time)
  }

  /// Returns the datasets inside Photoshop's image resources ("8BIM", number 0x0404), as in an APP13 segment.
  ///
  /// A resource is "8BIM", a number, a name with its length, and a four-byte length before the data; name and
  /// data are padded to an even length (Adobe Photoshop file formats specification, image resource blocks).
  static func datasets(inPhotoshopResources bytes: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
    var at = start
    while at + 12 <= bytes.count, bytes[at..<at + 4].elementsEqual("8BIM".utf8) {
      let number = Int(bytes[at + 4]) << 8 | Int(bytes[at + 5])
      let size = at + 6 + (Int(bytes[at + 6]) + 2) & ~1
      guard size + 4 <= bytes.count else { return nil }
      let length = bytes[size..<size + 4].reduce(0) { $0 << 8 | Int($1) }
      let data = size + 4
      guard length <= bytes.count - data else { return nil }
      if number == 0x0404 { return bytes[data..<data + length] }
      at = data + (length + 1) & ~1
    }
    return nil
  }

  private static let mostKeywords = 1000

  /// Decodes text as UTF-8 if it is declared or valid as such, otherwise as Latin-1.
  private static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String? {
    let text =
      isUTF8
      ? String(decoding: bytes, as: UTF8.self)
      : String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let trimmed = text.trimmed
    return trimmed.isEmpty ? nil : trimmed
  }
}
