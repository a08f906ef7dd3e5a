import MediaFormats
import Pixels

/// Writes what was read of files as bytes, for another process; `FactsDecoder` reads them.
///
/// The form: integers as LEB128, signed ones in zigzag order, numbers as the eight bytes of an IEEE 754 double, all of them
/// little-endian; texts as their length and UTF-8, lists as their number and their texts. Of the facts those that are there
/// follow a mask that names them, in the order of `FactsField`. Texts that are longer than anybody reads are cut: what one file
/// says stays small, whatever the file is.
package struct FactsEncoder {
  /// What was written.
  private var bytes: [UInt8]

  /// Appends a report to `bytes`.
  package static func append(_ report: MediaReport, to bytes: inout [UInt8]) {
    // Moved, so that nothing is copied.
    var encoder = FactsEncoder(bytes: bytes)
    bytes = []
    encoder.write(report)
    bytes = encoder.bytes
  }

  private mutating func write(_ report: MediaReport) {
    switch report {
    case .medium(.media(let format, let facts?)):
      put(.medium, format.rawValue)
      write(facts)
    case .medium(.media(let format, nil)): put(.undescribed, format.rawValue)
    case .medium(.damaged(let format, let reason)):
      put(.damaged, format.rawValue)
      put(reason)
    case .medium(.nothing): put(.nothing)
    case .sidecar(let facts):
      put(.sidecar)
      write(facts)
    case .described(let facts):
      put(.described)
      write(facts)
    case .failed(let reason):
      put(.failed)
      put(reason)
    case .noMemory: put(.noMemory)
    case .incomplete(let range):
      put(.incomplete)
      put(UInt64(clamping: range.lowerBound))
      put(UInt64(clamping: range.count))
    }
  }

  private mutating func write(_ facts: borrowing MediaFacts) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4))
    var mask: FactsField = []
    put(UInt64(clamping: facts.storedSize.width))
    put(UInt64(clamping: facts.storedSize.height))
    bytes.append(facts.orientation.rawValue)
    putTime(facts, &mask)
    put(facts.make, .make, &mask)
    put(facts.model, .model, &mask)
    put(facts.lens, .lens, &mask)
    put(facts.isoSpeed, .isoSpeed, &mask)
    put(facts.fNumber, .fNumber, &mask)
    put(facts.exposureTime, .exposureTime, &mask)
    put(facts.focalLength, .focalLength, &mask)
    putPlace(facts.coordinate, &mask)
    put(facts.customRendered, .customRendered, &mask)
    put(facts.userComment, .userComment, &mask)
    put(facts.burstIdentifier, .burstIdentifier, &mask)
    put(facts.contentIdentifier, .contentIdentifier, &mask)
    put(facts.hdrImageType, .hdrImageType, &mask)
    put(facts.rating, .rating, &mask)
    put(facts.keywords, .keywords, &mask)
    put(facts.title, .title, &mask)
    put(facts.caption, .caption, &mask)
    put(facts.people, .people, &mask)
    if !facts.hints.isEmpty {
      mask.insert(.hints)
      put(UInt64(facts.hints.rawValue))
    }
    put(facts.duration, .duration, &mask)
    put(facts.frameRate, .frameRate, &mask)
    put(facts.motionVideo, .motionVideo, &mask)
    put(facts.thumbnail, .thumbnail, &mask)
    for place in 0..<4 {
      bytes[start + place] = UInt8(truncatingIfNeeded: mask.rawValue >> (8 * UInt32(place)))
    }
  }

  private mutating func putTime(_ facts: borrowing MediaFacts, _ mask: inout FactsField) {
    guard let time = facts.captureTime, time.isPossible else { return }
    mask.insert(.captureTime)
    bytes.append(facts.captureTimeSource.rawValue)
    put(time.year)
    for field in [time.month, time.day, time.hour, time.minute, time.second] {
      bytes.append(UInt8(clamping: field))
    }
    if time.nanosecond != 0 {
      mask.insert(.nanosecond)
      put(time.nanosecond)
    }
    if let offset = time.utcOffset {
      mask.insert(.utcOffset)
      put(offset)
    }
  }

  private mutating func putPlace(_ place: Coordinate?, _ mask: inout FactsField) {
    guard let place else { return }
    mask.insert(.coordinate)
    put(place.latitude)
    put(place.longitude)
    put(place.altitude, .altitude, &mask)
  }
}

// Values.
extension FactsEncoder {
  /// The longest text, in bytes, and the most texts of a list; the readers know no longer ones but in hostile files.
  static let longestText = 1 << 16
  static let mostTexts = 4000
  /// The most bytes of a list.
  static let longestList = 1 << 18

  private mutating func put(_ kind: ReportKind, _ format: UInt8? = nil) {
    bytes.append(kind.rawValue)
    if let format { bytes.append(format) }
  }

  private mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func put(_ value: Int) {
    put(UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))))
  }

  private mutating func put(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { letters in
      var count = min(letters.count, Self.longestText)
      // Not within a character's bytes.
      while count < letters.count, count > 0, letters[count] & 0xC0 == 0x80 { count -= 1 }
      put(UInt64(count))
      bytes.append(contentsOf: letters[..<count])
    }
  }

  private mutating func put(_ value: Int?, _ field: FactsField, _ mask: inout FactsField) {
    guard let value else { return }
    mask.insert(field)
    put(value)
  }

  private mutating func put(_ value: Double?, _ field: FactsField, _ mask: inout FactsField) {
    guard let value else { return }
    mask.insert(field)
    put(value)
  }

  private mutating func put(_ value: String?, _ field: FactsField, _ mask: inout FactsField) {
    guard let value else { return }
    mask.insert(field)
    put(value)
  }

  private mutating func put(_ range: Range<Int>?, _ field: FactsField, _ mask: inout FactsField) {
    guard let range, range.lowerBound >= 0 else { return }
    mask.insert(field)
    put(UInt64(range.lowerBound))
    put(UInt64(range.count))
  }

  private mutating func put(_ texts: [String], _ field: FactsField, _ mask: inout FactsField) {
    if texts.isEmpty { return }
    mask.insert(field)
    var (count, room) = (0, Self.longestList)
    for text in texts.prefix(Self.mostTexts) {
      room -= min(text.utf8.count, Self.longestText)
      if room < 0 { break }
      count += 1
    }
    put(UInt64(count))
    for text in texts[..<count] { put(text) }
  }
}
