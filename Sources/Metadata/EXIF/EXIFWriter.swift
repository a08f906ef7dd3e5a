import Pixels

/// Writes the EXIF segment of a JPEG: the counterpart of `EXIFReader`.
///
/// Format: EXIF 2.32 over TIFF 6.0, little-endian.
package enum EXIFWriter {
  /// Returns the payload of an APP1 segment.
  /// - Parameters:
  ///   - facts: the metadata to write, without the stored size and the position of the thumbnail.
  ///   - thumbnail: a small JPEG to embed.
  package static func app1(_ facts: MediaFacts, thumbnail: [UInt8] = []) -> [UInt8] {
    var photo = TIFFDirectory()
    if let value = facts.exposureTime { photo.rational(0x829A, value) }
    if let value = facts.fNumber { photo.rational(0x829D, value) }
    if let value = facts.isoSpeed {
      photo.short(0x8827, value)
      if value > Int(UInt16.max) {
        // Write the recommended exposure index, and a sensitivity type that refers to it (EXIF 2.32, 4.6.5
        // D).
        photo.short(0x8830, 2)
        photo.long(0x8832, value)
      }
    }
    if let time = facts.captureTime {
      photo.text(0x9003, time.exifText)
      if let offset = time.exifOffset { photo.text(0x9011, offset) }
      if let fraction = time.exifFraction { photo.text(0x9291, fraction) }
    }
    if let value = facts.focalLength { photo.rational(0x920A, value) }
    if let value = facts.lens { photo.text(0xA434, value) }
    var main = TIFFDirectory()
    if let value = facts.make { main.text(0x010F, value) }
    if let value = facts.model { main.text(0x0110, value) }
    main.short(0x0112, Int(facts.orientation.rawValue))

    let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let place = facts.coordinate.map(TIFFDirectory.init(of:))
    // The pointers to the other directories are entries of the main one, so their size is included.
    let photoStart = header.count + main.byteCount(withEntries: main.entryCount + (place == nil ? 1 : 2))
    main.long(0x8769, photoStart)
    let placeStart = photoStart + photo.byteCount(withEntries: photo.entryCount)
    if place != nil { main.long(0x8825, placeStart) }
    let thumbnailDirectory = placeStart + (place.map { $0.byteCount(withEntries: $0.entryCount) } ?? 0)
    var bytes = header
    bytes += main.bytes(at: header.count, next: thumbnail.isEmpty ? 0 : thumbnailDirectory)
    bytes += photo.bytes(at: photoStart, next: 0)
    if let place { bytes += place.bytes(at: placeStart, next: 0) }
    if !thumbnail.isEmpty {
      var small = TIFFDirectory()
      small.short(0x0103, 6)
      small.long(0x0201, thumbnailDirectory + small.byteCount(withEntries: 3))
      small.long(0x0202, thumbnail.count)
      bytes += small.bytes(at: thumbnailDirectory, next: 0) + thumbnail
    }
    return Array("Exif\0\0".utf8) + bytes
  }
}

/// A TIFF directory under construction; entries must be added in the order of their tags.
private struct TIFFDirectory {
  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var value: [UInt8]
  }

  private var entries: [Entry] = []

  init() {}

  /// The directory of a location: the tags 0 to 6 of EXIF 2.32, 4.6.6.
  init(of place: Coordinate) {
    entries.append(Entry(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]))
    text(1, place.latitude < 0 ? "S" : "N")
    degrees(2, abs(place.latitude))
    text(3, place.longitude < 0 ? "W" : "E")
    degrees(4, abs(place.longitude))
    guard let altitude = place.altitude else { return }
    entries.append(Entry(tag: 5, type: 1, count: 1, value: [altitude < 0 ? 1 : 0]))
    rational(6, abs(altitude))
  }

  /// Adds degrees, minutes and seconds; the seconds have five decimals, which is less than a millimeter.
  private mutating func degrees(_ tag: Int, _ value: Double) {
    let unit = 100_000
    let all = Int((value * 3600 * Double(unit)).rounded())
    let parts = [(all / unit / 3600, 1), (all / unit / 60 % 60, 1), (all % (60 * unit), unit)]
    let bytes = parts.flatMap { Self.bytes($0.0, 4) + Self.bytes($0.1, 4) }
    entries.append(Entry(tag: tag, type: 5, count: 3, value: bytes))
  }

  var entryCount: Int { entries.count }

  /// Adds a 16-bit number, clamped to its range.
  mutating func short(_ tag: Int, _ value: Int) {
    entries.append(Entry(tag: tag, type: 3, count: 1, value: Self.bytes(Int(UInt16(clamping: value)), 2)))
  }

  /// Adds a 32-bit number, clamped to its range.
  mutating func long(_ tag: Int, _ value: Int) {
    entries.append(Entry(tag: tag, type: 4, count: 1, value: Self.bytes(Int(UInt32(clamping: value)), 4)))
  }

  mutating func rational(_ tag: Int, _ value: Double) {
    // Both parts have 32 bits: a shutter speed of 1/8000 s must not overflow the denominator.
    let isFraction = value < 1 && value > 0
    let most = Double(UInt32.max)
    // Use units of 1/10,000 if they fit, otherwise whole numbers.
    let unit = value * 10_000 <= most ? 10_000 : 1
    // The smaller the value, the smaller the numerator must be for the denominator to fit.
    let above =
      !isFraction
      ? Int((min(value, most) * Double(unit)).rounded())
      : value < 0.001 ? max(1, min(1_000, Int(value * most))) : 1_000_000
    let below = isFraction ? Int(min(most, (Double(above) / value).rounded())) : unit
    entries.append(
      Entry(tag: tag, type: 5, count: 1, value: Self.bytes(above, 4) + Self.bytes(below, 4)))
  }

  mutating func text(_ tag: Int, _ value: String) {
    let bytes = Array(value.utf8) + [0]
    entries.append(Entry(tag: tag, type: 2, count: bytes.count, value: bytes))
  }

  /// Returns the length with `count` entries; the values of entries to be added must fit into four bytes.
  func byteCount(withEntries count: Int) -> Int {
    2 + count * 12 + 4 + entries.reduce(0) { $0 + Self.overflow($1) }
  }

  func bytes(at offset: Int, next: Int) -> [UInt8] {
    var table = Self.bytes(entries.count, 2)
    var values: [UInt8] = []
    let valueStart = offset + 2 + entries.count * 12 + 4
    for entry in entries {
      table += Self.bytes(entry.tag, 2) + Self.bytes(entry.type, 2) + Self.bytes(entry.count, 4)
      if entry.value.count <= 4 {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        table += Self.bytes(valueStart + values.count, 4)
        values += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
      }
    }
    return table + Self.bytes(next, 4) + values
  }

  private static func overflow(_ entry: Entry) -> Int {
    entry.value.count <= 4 ? 0 : entry.value.count + entry.value.count % 2
  }

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension CivilTime {
  fileprivate var exifText: String {
    let date = [month, day].map { Self.padded($0, 2) }.joined(separator: ":")
    let time = [hour, minute, second].map { Self.padded($0, 2) }.joined(separator: ":")
    return Self.padded(year, 4) + ":" + date + " " + time
  }

  /// The milliseconds, as the decimals of the second; nil if there are none.
  fileprivate var exifFraction: String? {
    let milliseconds = nanosecond / 1_000_000
    return milliseconds == 0 ? nil : Self.padded(milliseconds, 3)
  }

  fileprivate var exifOffset: String? {
    utcOffset.map { offset in
      let minutes = abs(offset) / 60
      return (offset < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + ":" + Self.padded(minutes % 60, 2)
    }
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
