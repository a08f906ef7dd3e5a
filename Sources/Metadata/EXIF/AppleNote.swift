/// Apple's maker note, as far as it says what kind of photograph it is.
///
/// "Apple iOS", a NUL, a version, the byte order, then a directory whose offsets count from the note's first
/// byte (documented by ExifTool's Apple tags, which know of no value that says "long exposure").
struct AppleNote {
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
