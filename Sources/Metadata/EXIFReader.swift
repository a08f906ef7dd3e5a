import Pixels

/// Takes the facts that tpick shows out of an EXIF structure.
struct EXIFReader {
  private let tiff: TIFFReader
  /// Where the structure lies in its file.
  private let fileOffset: Int

  init?(_ bytes: [UInt8], fileOffset: Int) {
    guard let tiff = TIFFReader(bytes) else { return nil }
    self.tiff = tiff
    self.fileOffset = fileOffset
  }

  func fill(_ facts: inout PhotoFacts) {
    guard let first = tiff.firstDirectory, let (main, next) = tiff.directory(at: first) else { return }
    facts.orientation =
      tiff.integer(main[0x0112]).flatMap(UInt8.init(exactly:)).flatMap(Orientation.init) ?? .topLeft
    facts.make = tiff.text(main[0x010F])
    facts.model = tiff.text(main[0x0110])
    var photo: [UInt16: TIFFReader.Entry] = [:]
    if let pointer = tiff.integer(main[0x8769]), let directory = tiff.directory(at: pointer) {
      photo = directory.entries
    }
    facts.lens = tiff.text(photo[0xA434])
    facts.isoSpeed = tiff.integer(photo[0x8827])
    facts.fNumber = tiff.rational(photo[0x829D])
    facts.exposureTime = tiff.rational(photo[0x829A])
    facts.focalLength = tiff.rational(photo[0x920A])
    facts.captureTime =
      time(photo[0x9003], subseconds: photo[0x9291], offset: photo[0x9011])
      ?? time(photo[0x9004], subseconds: photo[0x9292], offset: photo[0x9012])
      ?? time(main[0x0132], subseconds: photo[0x9290], offset: photo[0x9010])
    facts.customRendered = tiff.integer(photo[0xA401])
    facts.userComment = tiff.bytes(photo[0x9286]).flatMap(Self.comment)
    facts.coordinate = tiff.integer(main[0x8825]).flatMap { coordinate(inDirectoryAt: $0) }
    if let note = tiff.bytes(photo[0x927C]) { AppleNote(note)?.fill(&facts) }
    facts.thumbnail = next.flatMap { thumbnail(inDirectoryAt: $0) }
  }

  /// A comment begins with eight bytes that name its character set (EXIF 2.32, 4.6.5); only text of one byte
  /// a character is read.
  private static func comment(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 8, !bytes.starts(with: Array("UNICODE".utf8)) else { return nil }
    let text = String(decoding: bytes[8...].prefix { $0 != 0 }, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  private func coordinate(inDirectoryAt offset: Int) -> Coordinate? {
    guard let (entries, _) = tiff.directory(at: offset),
      let latitude = degrees(entries[2], reference: entries[1], negative: "S"),
      let longitude = degrees(entries[4], reference: entries[3], negative: "W"),
      abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Degrees, minutes and seconds as one number.
  private func degrees(
    _ entry: TIFFReader.Entry?, reference: TIFFReader.Entry?, negative: String
  ) -> Double? {
    guard let degrees = tiff.rational(entry, 0) else { return nil }
    let value = degrees + (tiff.rational(entry, 1) ?? 0) / 60 + (tiff.rational(entry, 2) ?? 0) / 3600
    return tiff.text(reference) == negative ? -value : value
  }

  private func time(
    _ date: TIFFReader.Entry?, subseconds: TIFFReader.Entry?, offset: TIFFReader.Entry?
  ) -> CivilTime? {
    tiff.text(date).flatMap {
      CivilTime(exif: $0, subseconds: tiff.text(subseconds), offset: tiff.text(offset))
    }
  }

  private func thumbnail(inDirectoryAt offset: Int) -> Range<Int>? {
    guard let (entries, _) = tiff.directory(at: offset),
      let start = tiff.integer(entries[0x0201]), let length = tiff.integer(entries[0x0202]),
      length > 4, start + length <= tiff.bytes.count,
      JPEGFacts.announced(by: tiff.bytes[start...])
    else { return nil }
    return fileOffset + start..<fileOffset + start + length
  }
}
