import Pixels

/// Takes the facts that tpick uses out of an EXIF structure.
///
/// Format: EXIF 2.32 over TIFF 6.0; Windows' XP tags and ratings as ExifTool documents them. Each directory
/// is gone through once: its entries are noted first, then their values are fetched.
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

  /// The entries of the directory of the photograph itself.
  struct Photo {
    var exposureTime, fNumber, isoSpeed, focalLength, lens, customRendered, comment, note: TIFFReader.Entry?
    var outputSensitivity, exposureIndex, trueISOSpeed: TIFFReader.Entry?
    var original, originalPart, originalOffset: TIFFReader.Entry?
    var created, createdPart, createdOffset, changedPart, changedOffset: TIFFReader.Entry?
  }

  /// Reads all that is there.
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

  /// What only a TIFF file has in its first directory: the size, and blocks of other metadata.
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
      // Of two the first, as libtiff has it.
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

  /// The sensitivity; where it is too large for its own field, that field has all bits set, and another one says it
  /// (EXIF 2.32, 4.6.5 D).
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
