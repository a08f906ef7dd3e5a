import MediaFormats
import Pixels

/// Reads the directories of a TIFF structure, in which EXIF stores its data (TIFF 6.0, section 2), and those
/// of a BigTIFF file (libtiff's BigTIFF design), whose offsets and counts have 64 bits.
///
/// It reads in place and copies only requested values. Every access is checked against the end of the
/// structure and of the file: a wrong offset returns nothing, and nothing crashes.
struct TIFFReader {
  /// An entry of a directory.
  struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: Int
    /// The offset of the value in the file.
    var offset: Int
  }

  /// The table of a directory.
  struct Directory {
    /// The offset of the first entry in the file.
    var offset: Int
    var count: Int
  }

  /// The offset in the file to which the structure's offsets are relative.
  let base: Int
  /// The offset in the file at which the structure ends.
  let end: Int
  let isLittleEndian: Bool
  /// Whether it is BigTIFF.
  let isBig: Bool

  /// The limit of valid offsets and counts: their sums can't overflow.
  private static let largest = 1 << 56

  /// Creates a reader of a structure that starts with its byte order and the number 42, or 43 and the length
  /// of an offset.
  init?(_ range: Range<Int>, in window: inout ByteWindow) {
    guard range.count >= 8, let at = window.index(of: range.lowerBound, 8) else { return nil }
    switch (window.bytes[at], window.bytes[at + 1], window.bytes[at + 2], window.bytes[at + 3]) {
    case (0x49, 0x49, 42, 0): (isLittleEndian, isBig) = (true, false)
    case (0x4D, 0x4D, 0, 42): (isLittleEndian, isBig) = (false, false)
    case (0x49, 0x49, 43, 0) where window.bytes[at + 4] == 8 && window.bytes[at + 5] == 0:
      (isLittleEndian, isBig) = (true, true)
    case (0x4D, 0x4D, 0, 43) where window.bytes[at + 4] == 0 && window.bytes[at + 5] == 8:
      (isLittleEndian, isBig) = (false, true)
    default: return nil
    }
    (base, end) = (range.lowerBound, range.upperBound)
  }

  /// Creates a reader of directories without a file header, as in maker notes: offsets are from the first
  /// byte.
  init(headless range: Range<Int>, isLittleEndian: Bool) {
    (base, end) = (range.lowerBound, range.upperBound)
    self.isLittleEndian = isLittleEndian
    isBig = false
  }

  /// The length in bytes of an entry, and of an offset or a count.
  private var entryLength: Int { isBig ? 20 : 12 }
  private var offsetLength: Int { isBig ? 8 : 4 }

  func firstDirectory(in window: inout ByteWindow) -> Directory? {
    (isBig ? uint64(at: base + 8, in: &window) : uint32(at: base + 4, in: &window))
      .flatMap { directory(at: $0, in: &window) }
  }

  /// Returns the directory at `offset` in the structure; a truncated one has the remaining entries.
  func directory(at offset: Int, in window: inout ByteWindow) -> Directory? {
    // Real directories have a few dozen entries; a hostile one must not cause long reads.
    let count = isBig ? uint64(at: base + offset, in: &window) : uint16(at: base + offset, in: &window)
    guard let count, count <= 1000 else { return nil }
    let first = base + offset + (isBig ? 8 : 2)
    return Directory(offset: first, count: min(count, max(0, end - first) / entryLength))
  }

  /// Returns the offset of the directory after `directory`; nil if it is the last.
  func next(after directory: Directory, in window: inout ByteWindow) -> Int? {
    let place = directory.offset + directory.count * entryLength
    guard let next = isBig ? uint64(at: place, in: &window) : uint32(at: place, in: &window) else {
      return nil
    }
    return next == 0 ? nil : next
  }

  /// Returns the entry in line `index`; nil if its value is outside the structure.
  func entry(_ index: Int, of directory: Directory, in window: inout ByteWindow) -> Entry? {
    guard let at = window.index(of: directory.offset + index * entryLength, entryLength),
      let items = number(window.bytes, at + 4)
    else { return nil }
    let type = UInt16(half(window.bytes, at + 2))
    // At most 2^56 items of 8 bytes: this can't overflow.
    let size = items * Self.size(of: type)
    var offset = directory.offset + index * entryLength + 4 + offsetLength
    if size > offsetLength {
      guard let place = number(window.bytes, at + 4 + offsetLength) else { return nil }
      offset = base + place
      guard offset + size <= end else { return nil }
    }
    return Entry(tag: UInt16(half(window.bytes, at)), type: type, count: items, offset: offset)
  }

  private func half(_ bytes: [UInt8], _ at: Int) -> Int {
    let (a, b) = (Int(bytes[at]), Int(bytes[at + 1]))
    return isLittleEndian ? b << 8 | a : a << 8 | b
  }

  private func word(_ bytes: [UInt8], _ at: Int) -> Int {
    let (a, b) = (half(bytes, at), half(bytes, at + 2))
    return isLittleEndian ? b << 16 | a : a << 16 | b
  }

  /// Decodes an offset or a count; nil if it exceeds the limit.
  private func number(_ bytes: [UInt8], _ at: Int) -> Int? {
    guard isBig else { return word(bytes, at) }
    let (a, b) = (word(bytes, at), word(bytes, at + 4))
    let (high, low) = isLittleEndian ? (b, a) : (a, b)
    return high < Self.largest >> 32 ? high << 32 | low : nil
  }

  private func uint64(at offset: Int, in window: inout ByteWindow) -> Int? {
    guard offset >= base, offset + 8 <= end, let at = window.index(of: offset, 8) else { return nil }
    return number(window.bytes, at)
  }

  private func uint16(at offset: Int, in window: inout ByteWindow) -> Int? {
    guard offset >= base, offset + 2 <= end, let at = window.index(of: offset, 2) else { return nil }
    return half(window.bytes, at)
  }

  private func uint32(at offset: Int, in window: inout ByteWindow) -> Int? {
    guard offset >= base, offset + 4 <= end, let at = window.index(of: offset, 4) else { return nil }
    return word(window.bytes, at)
  }

  static func size(of type: UInt16) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: 1
    }
  }
}

// The values of entries.
extension TIFFReader {
  /// Reads a BYTE, SHORT or LONG, signed or unsigned.
  func integer(_ entry: Entry?, in window: inout ByteWindow) -> Int? {
    guard let entry, entry.count > 0 else { return nil }
    return switch entry.type {
    case 1: window.byte(at: entry.offset).map(Int.init)
    case 3: uint16(at: entry.offset, in: &window)
    case 4, 13: uint32(at: entry.offset, in: &window)
    case 16, 18: isBig ? uint64(at: entry.offset, in: &window) : nil
    case 9: uint32(at: entry.offset, in: &window).map { Int(Int32(truncatingIfNeeded: $0)) }
    default: nil
    }
  }

  /// Reads one of several RATIONALs, signed or unsigned; nil if the denominator is 0.
  func rational(_ entry: Entry?, _ index: Int = 0, in window: inout ByteWindow) -> Double? {
    guard let entry, entry.type == 5 || entry.type == 10, index < entry.count,
      let at = window.index(of: entry.offset + 8 * index, 8)
    else { return nil }
    let (above, below) = (word(window.bytes, at), word(window.bytes, at + 4))
    guard below != 0 else { return nil }
    if entry.type == 5 { return Double(above) / Double(below) }
    return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
  }

  /// Returns the range in the window's bytes of an ASCII value, without its NUL and surrounding spaces; nil
  /// if nothing is left.
  /// - Parameter orBytes: whether the type may be BYTE or UNDEFINED, as some cameras and programs write it.
  func letters(_ entry: Entry?, orBytes: Bool = false, in window: inout ByteWindow) -> Range<Int>? {
    // 129 is UTF-8 in EXIF 3.0.
    guard let entry, entry.type == 2 || entry.type == 129 || orBytes && (entry.type == 1 || entry.type == 7),
      (1...Self.longestText).contains(entry.count),
      let at = window.index(of: entry.offset, entry.count)
    else { return nil }
    var (low, high) = (at, at)
    while high < at + entry.count, window.bytes[high] != 0 { high += 1 }
    while low < high, window.bytes[high - 1] == 0x20 { high -= 1 }
    while low < high, window.bytes[low] == 0x20 { low += 1 }
    return low < high ? low..<high : nil
  }

  /// Reads an ASCII value, in practice UTF-8.
  func text(_ entry: Entry?, in window: inout ByteWindow) -> String? {
    letters(entry, in: &window).map { String(decoding: window.bytes[$0], as: UTF8.self) }
  }

  /// Returns the range in the file of a BYTE or UNDEFINED value.
  func block(_ entry: Entry?) -> Range<Int>? {
    guard let entry, entry.count > 0 else { return nil }
    // The type of IPTC data is often LONG.
    let count = entry.count * (entry.type == 4 ? 4 : 1)
    guard [1, 4, 7].contains(entry.type), entry.offset + count <= end else { return nil }
    return entry.offset..<entry.offset + count
  }

  /// The maximum length of a text in bytes.
  ///
  /// Captions can be long, but longer data is not text.
  static let longestText = 1 << 16
}

/// Reads the first image of a TIFF file.
///
/// Format: TIFF 6.0, and BigTIFF; tag 700 is XMP (XMP specification part 3, 1.1.5), 33723 IPTC.
enum TIFFPictureReader {
  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    let whole = 0..<window.end
    guard let picture = EXIFReader(whole, in: &window)?.picture(in: &window),
      let width = picture.width, let height = picture.height,
      [width, height].allSatisfy({ (1...Int(UInt32.max)).contains($0) })
    else { return nil }
    var blocks = MetadataBlocks()
    blocks.readEXIF(whole, in: &window)
    blocks.facts.storedSize = PixelSize(width: width, height: height)
    if let xmp = picture.xmp { blocks.readXMP(xmp, in: &window) }
    if let iptc = picture.iptc { blocks.readIPTC(iptc, in: &window) }
    return blocks.resolved()
  }
}

// The formats that are based on TIFF's directories.
extension FileFormat {
  /// Recognizes TIFF, or a manufacturer's raw format that is based on it.
  ///
  /// Olympus and Panasonic changed the number 42, and Canon's CR2 has a signature after the header. The
  /// others are recognized by DNGVersion (DNG specification 1.7, chapter 4) and by the manufacturer (as
  /// ExifTool and LibRaw do).
  static func tiffFamily(_ window: inout ByteWindow) -> FileFormat? {
    if window.has("IIRO", at: 0) || window.has("IIRS", at: 0) || window.has("MMOR", at: 0) { return .orf }
    if window.has("IIU\0", at: 0) { return .rw2 }
    guard let tiff = TIFFReader(0..<window.end, in: &window) else { return nil }
    if tiff.isBig { return .tiff }
    if window.has("CR", at: 8), window.byte(at: 10) == 2 { return .cr2 }
    guard let directory = tiff.firstDirectory(in: &window) else { return .tiff }
    var make: TIFFReader.Entry?
    var isSensor = false
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
      switch entry.tag {
      case 0xC612: return .dng
      case 0x010F: make = entry
      // The first directory may contain a reduced image, and another one the sensor data.
      case 0x00FE: isSensor = isSensor || tiff.integer(entry, in: &window) == 1
      case 0x0103: isSensor = isSensor || makersCompressions.contains(tiff.integer(entry, in: &window) ?? 0)
      // A color filter array.
      case 0x0106: isSensor = isSensor || tiff.integer(entry, in: &window) == 32803
      default: break
      }
    }
    guard isSensor, let make = tiff.text(make, in: &window)?.uppercased() else { return .tiff }
    return makers.first { make.hasPrefix($0.make) }?.format ?? .tiff
  }

  private static let makers: [(make: String, format: FileFormat)] = [
    ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("RICOH", .pef), ("ASAHI", .pef), ("SAMSUNG", .srw),
  ]

  /// The compressions of Sony, Samsung, Nikon and Pentax.
  private static let makersCompressions: Set<Int> = [32767, 32769, 32770, 32772, 34713, 65535]
}
