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
    facts.thumbnail = next.flatMap { thumbnail(inDirectoryAt: $0) }
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
