// Words, places and pictures.
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

  /// A comment begins with eight bytes that name its character set (EXIF 2.32, 4.6.5).
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

  /// Text of two bytes a letter, up to a NUL.
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

  /// Reads the place, and the satellites' time where there is no other.
  func readPlace(
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

  /// The date of the satellites, and their time of day in hours, minutes and seconds: both are UTC's.
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

  /// Where it was taken, by pairs of a side or a sign and a number.
  private func coordinate(
    _ north: (TIFFReader.Entry?, TIFFReader.Entry?), _ east: (TIFFReader.Entry?, TIFFReader.Entry?),
    _ height: (sign: TIFFReader.Entry?, meters: TIFFReader.Entry?), in window: inout ByteWindow
  ) -> Coordinate? {
    guard let y = degrees(north.1, reference: north.0, negative: 0x53, in: &window),
      let x = degrees(east.1, reference: east.0, negative: 0x57, in: &window)
    else { return nil }
    // 1 and, since EXIF 3.0, 3 mean below the sea or the ellipsoid.
    let sign = [1, 3].contains(tiff.integer(height.sign, in: &window) ?? 0) ? -1.0 : 1
    let altitude = tiff.rational(height.meters, in: &window).map { $0 * sign }
    return Coordinate(measuredLatitude: y, longitude: x, altitude: altitude)
  }

  /// Degrees, minutes and seconds as one number.
  private func degrees(
    _ entry: TIFFReader.Entry?, reference: TIFFReader.Entry?, negative: UInt8, in window: inout ByteWindow
  ) -> Double? {
    guard let degrees = tiff.rational(entry, 0, in: &window) else { return nil }
    let minutes = tiff.rational(entry, 1, in: &window) ?? 0
    let seconds = tiff.rational(entry, 2, in: &window) ?? 0
    let value = degrees + minutes / 60 + seconds / 3600
    guard let side = tiff.letters(reference, in: &window) else { return value }
    // Some programs write it in a small letter.
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
    // A JPEG begins with these (ITU-T T.81, annex B).
    return head.starts(with: [0xFF, 0xD8, 0xFF]) ? range : nil
  }
}
