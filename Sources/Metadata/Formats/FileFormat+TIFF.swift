import MediaFormats

// The formats built on TIFF's directories.
extension FileFormat {
  /// TIFF itself, or the RAW format that a camera's maker made of it.
  ///
  /// Olympus and Panasonic changed the number 42, Canon's CR2 has a mark of its own behind the header; the
  /// others are told by DNGVersion (DNG specification 1.7, chapter 4) and by the maker (ExifTool's and
  /// LibRaw's way).
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
      // A reduced picture stands first where the sensor's is in another directory.
      case 0x00FE: isSensor = isSensor || tiff.integer(entry, in: &window) == 1
      case 0x0103: isSensor = isSensor || makersCompressions.contains(tiff.integer(entry, in: &window) ?? 0)
      // A colour filter array.
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

  /// Sony's, Samsung's, Nikon's and Pentax's.
  private static let makersCompressions: Set<Int> = [32767, 32769, 32770, 32772, 34713, 65535]
}
