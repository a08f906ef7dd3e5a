import Pixels

/// Extracts the metadata that tpick uses from an EXIF structure.
///
/// Format: EXIF 2.32 over TIFF 6.0; Windows' XP tags and ratings as documented by ExifTool. Each directory is
/// scanned once: first its entries are collected, then their values are read.
struct EXIFReader {
  let tiff: TIFFReader

  init?(_ range: Range<Int>, in window: inout ByteWindow) {
    guard let tiff = TIFFReader(range, in: &window) else { return nil }
    self.tiff = tiff
  }

  /// The entries of the first directory.
  struct Main {
    var width, height, orientation, make, model, description, changeTime, photo, place: TIFFReader.Entry?
    var rating, title, keywords, xmp, iptc: TIFFReader.Entry?
  }

  /// The entries of the Exif directory, which describes the photo itself.
  struct Photo {
    var exposureTime, fNumber, isoSpeed, focalLength, lens, customRendered, comment, note: TIFFReader.Entry?
    var outputSensitivity, exposureIndex, trueISOSpeed: TIFFReader.Entry?
    var original, originalPart, originalOffset: TIFFReader.Entry?
    var created, createdPart, createdOffset, changedPart, changedOffset: TIFFReader.Entry?
  }

  /// Reads all directories.
  func read(into blocks: inout MetadataBlocks, in window: inout ByteWindow) {
    guard let first = tiff.firstDirectory(in: &window) else { return }
    let main = main(first, in: &window)
    let next = tiff.next(after: first, in: &window)
    var photo = Photo()
    if let pointer = tiff.integer(main.photo, in: &window),
      let directory = tiff.directory(at: pointer, in: &window)
    {
      photo = self.photo(directory, in: &window)
    }
    fill(&blocks.facts, main, photo, in: &window)
    describe(&blocks.words, main, photo, in: &window)
    if let pointer = tiff.integer(main.place, in: &window) {
      readPlace(inDirectoryAt: pointer, into: &blocks, in: &window)
    }
    if let note = tiff.block(photo.note) {
      AppleNote(note, in: &window)?.fill(&blocks.facts, in: &window)
    }
    if let next { blocks.facts.thumbnail = thumbnail(inDirectoryAt: next, in: &window) }
  }

  /// Returns entries that only the first directory of a TIFF file has: the size, and blocks of other
  /// metadata.
  func picture(
    in window: inout ByteWindow
  ) -> (width: Int?, height: Int?, xmp: Range<Int>?, iptc: Range<Int>?)? {
    guard let first = tiff.firstDirectory(in: &window) else { return nil }
    let main = main(first, in: &window)
    return (
      tiff.integer(main.width, in: &window), tiff.integer(main.height, in: &window), tiff.block(main.xmp),
      tiff.block(main.iptc)
    )
  }

  private func main(_ directory: TIFFReader.Directory, in window: inout ByteWindow) -> Main {
    var main = Main()
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      switch entry.tag {
      // Of duplicate entries the first counts, as in libtiff.
      case 0x0100: main.width = main.width ?? entry
      case 0x0101: main.height = main.height ?? entry
      case 0x010E: main.description = entry
      case 0x010F: main.make = entry
      case 0x0110: main.model = entry
      case 0x0112: main.orientation = entry
      case 0x0132: main.changeTime = entry
      case 0x02BC: main.xmp = entry
      case 0x4746: main.rating = entry
      case 0x83BB: main.iptc = entry
      case 0x8769: main.photo = entry
      case 0x8825: main.place = entry
      case 0x9C9B: main.title = entry
      case 0x9C9E: main.keywords = entry
      default: break
      }
    }
    return main
  }

  private func photo(_ directory: TIFFReader.Directory, in window: inout ByteWindow) -> Photo {
    var photo = Photo()
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      switch entry.tag {
      case 0x829A: photo.exposureTime = entry
      case 0x829D: photo.fNumber = entry
      case 0x8827: photo.isoSpeed = entry
      case 0x8831: photo.outputSensitivity = entry
      case 0x8832: photo.exposureIndex = entry
      case 0x8833: photo.trueISOSpeed = entry
      case 0x9003: photo.original = entry
      case 0x9004: photo.created = entry
      case 0x9010: photo.changedOffset = entry
      case 0x9011: photo.originalOffset = entry
      case 0x9012: photo.createdOffset = entry
      case 0x920A: photo.focalLength = entry
      case 0x927C: photo.note = entry
      case 0x9286: photo.comment = entry
      case 0x9290: photo.changedPart = entry
      case 0x9291: photo.originalPart = entry
      case 0x9292: photo.createdPart = entry
      case 0xA401: photo.customRendered = entry
      case 0xA434: photo.lens = entry
      default: break
      }
    }
    return photo
  }

  /// Returns the ISO speed.
  ///
  /// If it exceeds 16 bits, its field has all bits set, and another field has the value (EXIF 2.32, 4.6.5 D).
  private func isoSpeed(_ photo: Photo, in window: inout ByteWindow) -> Int? {
    let speed = tiff.integer(photo.isoSpeed, in: &window)
    guard speed == Int(UInt16.max) else { return speed }
    for entry in [photo.exposureIndex, photo.outputSensitivity, photo.trueISOSpeed] {
      if let larger = tiff.integer(entry, in: &window), larger > Int(UInt16.max) { return larger }
    }
    return speed
  }

  private func fill(
    _ facts: inout MediaFacts, _ main: Main, _ photo: Photo, in window: inout ByteWindow
  ) {
    facts.orientation =
      tiff.integer(main.orientation, in: &window).flatMap(UInt8.init(exactly:)).flatMap(Orientation.init)
      ?? .topLeft
    facts.make = tiff.text(main.make, in: &window)
    facts.model = tiff.text(main.model, in: &window)
    facts.lens = tiff.text(photo.lens, in: &window)
    facts.isoSpeed = isoSpeed(photo, in: &window)
    facts.fNumber = tiff.rational(photo.fNumber, in: &window)
    facts.exposureTime = tiff.rational(photo.exposureTime, in: &window)
    facts.focalLength = tiff.rational(photo.focalLength, in: &window)
    facts.customRendered = tiff.integer(photo.customRendered, in: &window)
    facts.captureTime =
      time(photo.original, photo.originalPart, photo.originalOffset, in: &window)
      ?? time(photo.created, photo.createdPart, photo.createdOffset, in: &window)
  }

  func time(
    _ date: TIFFReader.Entry?, _ subseconds: TIFFReader.Entry?, _ offset: TIFFReader.Entry?,
    in window: inout ByteWindow
  ) -> CivilTime? {
    guard let letters = tiff.letters(date, orBytes: true, in: &window),
      var time = CivilTime(ascii: window.bytes[letters])
    else { return nil }
    if let part = tiff.letters(subseconds, orBytes: true, in: &window) {
      time.nanosecond = CivilTime.nanoseconds(fromDigits: window.bytes[part])
    }
    if let part = tiff.letters(offset, orBytes: true, in: &window),
      let seconds = CivilTime.seconds(fromOffset: String(decoding: window.bytes[part], as: UTF8.self))
    {
      time.utcOffset = seconds
    }
    return time
  }
}

// Texts, locations and images.
extension EXIFReader {
  func describe(
    _ words: inout MetadataBlocks.Words, _ main: Main, _ photo: Photo, in window: inout ByteWindow
  ) {
    if let comment = tiff.block(photo.comment) { words.comment = self.comment(comment, in: &window) }
    words.caption = tiff.text(main.description, in: &window)
    words.changeTime = time(main.changeTime, photo.changedPart, photo.changedOffset, in: &window)
    if let rating = tiff.integer(main.rating, in: &window), (0...5).contains(rating) { words.rating = rating }
    if let title = tiff.block(main.title) { words.title = wideText(title, bigEndian: false, in: &window) }
    if let keywords = tiff.block(main.keywords).flatMap({ wideText($0, bigEndian: false, in: &window) }) {
      words.keywords = keywords.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
    }
  }

  /// Reads a comment, whose first eight bytes name its character set (EXIF 2.32, 4.6.5).
  private func comment(_ range: Range<Int>, in window: inout ByteWindow) -> String? {
    guard (9...TIFFReader.longestText).contains(range.count) else { return nil }
    if window.has("UNICODE", at: range.lowerBound) {
      return wideText(
        range.lowerBound + 8..<range.upperBound, bigEndian: !tiff.isLittleEndian, in: &window)
    }
    guard let at = window.index(of: range.lowerBound, range.count) else { return nil }
    let letters = window.bytes[at + 8..<at + range.count].prefix { $0 != 0 }
    guard letters.contains(where: { $0 > 0x20 }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Reads UTF-16 text up to a NUL.
  private func wideText(_ range: Range<Int>, bigEndian: Bool, in window: inout ByteWindow) -> String? {
    guard range.count <= TIFFReader.longestText, let at = window.index(of: range.lowerBound, range.count)
    else { return nil }
    var units: [UInt16] = []
    for place in stride(from: at, to: at + range.count - 1, by: 2) {
      let (a, b) = (UInt16(window.bytes[place]), UInt16(window.bytes[place + 1]))
      let unit = bigEndian ? a << 8 | b : b << 8 | a
      if unit == 0 { break }
      units.append(unit)
    }
    let text = String(decoding: units, as: UTF16.self).trimmed
    return text.isEmpty ? nil : text
  }

  /// Reads the location, and the GPS time if there is no other.
  private func readPlace(
    inDirectoryAt offset: Int, into blocks: inout MetadataBlocks, in window: inout ByteWindow
  ) {
    guard let directory = tiff.directory(at: offset, in: &window) else { return }
    var north, latitude, east, longitude, depth, height, clock, date: TIFFReader.Entry?
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      switch entry.tag {
      case 1: north = entry
      case 2: latitude = entry
      case 3: east = entry
      case 4: longitude = entry
      case 5: depth = entry
      case 6: height = entry
      case 7: clock = entry
      case 0x1D: date = entry
      default: break
      }
    }
    if blocks.facts.captureTime == nil {
      blocks.words.satelliteTime = satelliteTime(date, clock, in: &window)
    }
    blocks.facts.coordinate = coordinate((north, latitude), (east, longitude), (depth, height), in: &window)
  }

  /// Returns the GPS date and time of day, which are in UTC.
  private func satelliteTime(
    _ date: TIFFReader.Entry?, _ clock: TIFFReader.Entry?, in window: inout ByteWindow
  ) -> CivilTime? {
    guard let letters = tiff.letters(date, orBytes: true, in: &window),
      let day = CivilTime(written: window.bytes[letters])
    else { return nil }
    guard let hours = tiff.rational(clock, 0, in: &window),
      let minutes = tiff.rational(clock, 1, in: &window),
      let seconds = tiff.rational(clock, 2, in: &window), (0..<24).contains(hours),
      (0..<60).contains(minutes), (0..<61).contains(seconds)
    else { return day }
    var time = day
    let whole = seconds.rounded(.down)
    (time.hour, time.minute, time.second) = (Int(hours), Int(minutes), Int(whole))
    time.nanosecond = min(999_999_999, Int(((seconds - whole) * 1e9).rounded()))
    time.utcOffset = 0
    return time
  }

  /// Returns the location from pairs of a hemisphere or sign and a number.
  private func coordinate(
    _ north: (TIFFReader.Entry?, TIFFReader.Entry?), _ east: (TIFFReader.Entry?, TIFFReader.Entry?),
    _ height: (sign: TIFFReader.Entry?, meters: TIFFReader.Entry?), in window: inout ByteWindow
  ) -> Coordinate? {
    guard let y = degrees(north.1, reference: north.0, negative: 0x53, in: &window),
      let x = degrees(east.1, reference: east.0, negative: 0x57, in: &window)
    else { return nil }
    // 1 and, since EXIF 3.0, 3 mean below sea level or below the ellipsoid.
    let sign = [1, 3].contains(tiff.integer(height.sign, in: &window) ?? 0) ? -1.0 : 1
    let altitude = tiff.rational(height.meters, in: &window).map { $0 * sign }
    return Coordinate(measuredLatitude: y, longitude: x, altitude: altitude)
  }

  /// Returns degrees, minutes and seconds as decimal degrees.
  private func degrees(
    _ entry: TIFFReader.Entry?, reference: TIFFReader.Entry?, negative: UInt8, in window: inout ByteWindow
  ) -> Double? {
    guard let degrees = tiff.rational(entry, 0, in: &window) else { return nil }
    let minutes = tiff.rational(entry, 1, in: &window) ?? 0
    let seconds = tiff.rational(entry, 2, in: &window) ?? 0
    let value = degrees + minutes / 60 + seconds / 3600
    guard let side = tiff.letters(reference, in: &window) else { return value }
    // Some programs write the letter in lowercase.
    return window.bytes[side.lowerBound] & ~0x20 == negative ? -value : value
  }

  func thumbnail(inDirectoryAt offset: Int, in window: inout ByteWindow) -> Range<Int>? {
    guard let directory = tiff.directory(at: offset, in: &window) else { return nil }
    var place, size: TIFFReader.Entry?
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      if entry.tag == 0x0201 { place = entry }
      if entry.tag == 0x0202 { size = entry }
    }
    guard let start = tiff.integer(place, in: &window), let length = tiff.integer(size, in: &window),
      start >= 0, length > 4, tiff.base + start + length <= min(tiff.end, window.end)
    else { return nil }
    let range = tiff.base + start..<tiff.base + start + length
    let head = window.peek(range.lowerBound..<range.lowerBound + 3)
    // A JPEG starts with these bytes (ITU-T T.81, annex B).
    return head.starts(with: [0xFF, 0xD8, 0xFF]) ? range : nil
  }
}

/// Apple's maker note, from which the kind of photo is read.
///
/// It consists of "Apple iOS", a NUL, a version, the byte order, and a directory whose offsets are from the
/// start of the note. ExifTool documents the tags; none of the known values means "long exposure".
private struct AppleNote {
  private static let directory = 14

  private let tiff: TIFFReader

  init?(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count > Self.directory, window.has("Apple iOS\0", at: range.lowerBound),
      let order = window.byte(at: range.lowerBound + 12)
    else { return nil }
    tiff = TIFFReader(headless: range, isLittleEndian: order == 0x49)
  }

  func fill(_ facts: inout MediaFacts, in window: inout ByteWindow) {
    guard let directory = tiff.directory(at: Self.directory, in: &window) else { return }
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      switch entry.tag {
      case 0x000A: facts.hdrImageType = tiff.integer(entry, in: &window)
      case 0x000B: facts.burstIdentifier = tiff.text(entry, in: &window)
      case 0x0011: facts.contentIdentifier = tiff.text(entry, in: &window)
      default: break
      }
    }
  }
}
