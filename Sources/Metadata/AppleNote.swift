/// Apple's maker note, as far as it says what kind of photograph it is.
///
/// "Apple iOS", a NUL, a version, the byte order, then a directory whose offsets count from the note's first
/// byte (documented by ExifTool's Apple tags).
struct AppleNote {
  private static let signature = Array("Apple iOS\0".utf8)
  private static let directory = 14

  private let tiff: TIFFReader
  private let entries: [UInt16: TIFFReader.Entry]

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.signature), bytes.count > Self.directory else { return nil }
    tiff = TIFFReader(headless: bytes, isLittleEndian: bytes[12] == 0x49)
    guard let found = tiff.directory(at: Self.directory) else { return nil }
    entries = found.entries
  }

  func fill(_ facts: inout PhotoFacts) {
    facts.hdrImageType = tiff.integer(entries[0x000A])
    facts.burstIdentifier = tiff.text(entries[0x000B])
    facts.contentIdentifier = tiff.text(entries[0x0011])
  }
}
