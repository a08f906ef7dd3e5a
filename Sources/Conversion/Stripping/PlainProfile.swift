/// Reduces a color profile to what color calculations need.
///
/// Removes names, makers, models, serial numbers, dates and private tags; replaces the mandatory texts.
/// Format: ICC.1:2022, sections 7 to 10.
enum PlainProfile {
  /// The tags to keep: matrices, curves and tables, white and black points.
  private static let kept: Set<String> = [
    "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "chad", "A2B0", "A2B1", "A2B2",
    "B2A0", "B2A1", "B2A2", "gamt", "cicp",
  ]
  private static let mostTags = 100

  /// Returns the reduced profile; nil if the bytes are not a valid profile.
  static func bytes(of profile: [UInt8]) -> [UInt8]? {
    guard profile.count >= 132, text(profile, 36) == "acsp" else { return nil }
    let count = number(profile, 128)
    guard count <= mostTags, 132 + 12 * count <= profile.count else { return nil }
    let isNew = profile[8] >= 4
    var tags: [(name: String, data: [UInt8])] = []
    for index in 0..<count {
      let entry = 132 + 12 * index
      let name = text(profile, entry)
      let (offset, length) = (number(profile, entry + 4), number(profile, entry + 8))
      guard length >= 8, offset <= profile.count, length <= profile.count - offset,
        !tags.contains(where: { $0.name == name })
      else { continue }
      if name == "desc" || name == "cprt" {
        let words = isNew ? localized : name == "desc" ? described : plainText
        // A tag too short for the replacement is dropped.
        if words.count <= length { tags.append((name, words)) }
      } else if kept.contains(name), let data = plain(profile[offset..<(offset + length)]) {
        tags.append((name, data))
      }
    }
    var table: [UInt8] = []
    var body: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    for (name, data) in tags {
      let start = places[data] ?? 132 + 12 * tags.count + body.count
      if places[data] == nil {
        places[data] = start
        body += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      }
      table += Array(name.utf8) + big(start) + big(data.count)
    }
    return header(profile, length: 132 + table.count + body.count) + big(tags.count) + table + body
  }

  /// Returns a header with only the fields that calculations need.
  private static func header(_ profile: [UInt8], length: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(0..<4, with: big(length))
    // The version, the class, and the two color spaces.
    header.replaceSubrange(8..<10, with: profile[8..<10])
    header.replaceSubrange(12..<24, with: profile[12..<24])
    // The date must be valid: January 1, 2000.
    header.replaceSubrange(24..<30, with: [0x07, 0xD0, 0, 1, 0, 1])
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    header[67] = profile[67] & 3
    // The D50 illuminant, which is fixed for all profiles.
    header.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
    return header
  }

  /// Returns a tag's data without bytes after the end that its type implies; nil for types that calculations
  /// don't need.
  ///
  /// The types `mAB ` and `mBA ` are copied whole.
  private static func plain(_ data: ArraySlice<UInt8>) -> [UInt8]? {
    let bytes = Array(data)
    let length: Int?
    switch text(bytes, 0) {
    case "XYZ ": length = 20
    case "curv": length = bytes.count >= 12 ? 12 + 2 * number(bytes, 8) : nil
    case "para":
      let counts = [1, 3, 4, 5, 7]
      guard bytes.count >= 12, counts.indices.contains(Int(bytes[9])), bytes[8] == 0 else { return nil }
      length = 12 + 4 * counts[Int(bytes[9])]
    case "sf32": length = 8 + 36
    case "cicp": length = 12
    case "mft1": length = bytes.count >= 48 ? tableLength(bytes, 48, 256, 256, 1) : nil
    case "mft2":
      guard bytes.count >= 52 else { return nil }
      length = tableLength(
        bytes, 52, Int(bytes[48]) << 8 | Int(bytes[49]), Int(bytes[50]) << 8 | Int(bytes[51]), 2)
    case "mAB ", "mBA ": length = bytes.count
    default: length = nil
    }
    guard let length, length <= bytes.count else { return nil }
    var plain = Array(bytes[..<length])
    plain.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    return plain
  }

  private static func tableLength(
    _ bytes: [UInt8], _ head: Int, _ inputEntries: Int, _ outputEntries: Int, _ size: Int
  ) -> Int? {
    let (inputs, outputs, grid) = (Int(bytes[8]), Int(bytes[9]), Int(bytes[10]))
    guard (1...15).contains(inputs), (1...15).contains(outputs) else { return nil }
    var points = outputs
    for _ in 0..<inputs {
      points *= grid
      if points > 1 << 24 { return nil }
    }
    return head + size * (inputs * inputEntries + points + outputs * outputEntries)
  }

  private static let words = "RGB"

  /// A text in the format of version 4, with one English record.
  private static let localized =
    Array("mluc".utf8) + big(0) + big(1) + big(12) + Array("enUS".utf8) + big(2 * words.utf8.count) + big(28)
    + words.utf8.flatMap { [0, $0] }
  private static let plainText = Array("text".utf8) + big(0) + Array(words.utf8) + [0]
  private static let described =
    Array("desc".utf8) + big(0) + big(words.utf8.count + 1) + Array(words.utf8) + [0]
    + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)

  private static func text(_ bytes: [UInt8], _ at: Int) -> String {
    String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func big(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
