import Pixels

/// Reads what a JPEG file's head says: its size and its EXIF segment.
///
/// Format: ITU-T T.81 Annex B for the markers, EXIF 2.32 for the APP1 segment. Only the head of the file
/// is read, the picture's data never.
public enum JPEGFacts {
  /// Whether the first bytes of a file announce a JPEG.
  public static func announced(by head: some Collection<UInt8>) -> Bool {
    head.prefix(3).elementsEqual([0xFF, 0xD8, 0xFF])
  }

  /// The facts of a JPEG, or nil when the bytes are none or end before the frame header.
  /// - Throws: what the source throws.
  public static func read<Source: ByteSource>(from source: Source) throws(Source.Failure) -> PhotoFacts? {
    var window = try ByteWindow(source, head: 16384)
    guard announced(by: try window.slice(at: 0, count: 3)) else { return nil }
    var exif: (bytes: [UInt8], offset: Int)?
    var position = 2
    // Real files have a few dozen segments; a hostile one must not keep us walking.
    for _ in 0..<2000 {
      let header = Array(try window.slice(at: position, count: 10))
      guard header.count >= 4, header[0] == 0xFF else { return nil }
      let marker = header[1]
      if marker == 0xFF {  // fill bytes may stand before any marker
        position += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
        continue
      }
      let length = Int(header[2]) << 8 | Int(header[3])
      guard length >= 2 else { return nil }
      switch marker {
      case 0xE1 where exif == nil:
        let segment = Array(try window.slice(at: position + 4, count: length - 2))
        if segment.starts(with: Array("Exif\0".utf8)), segment.count > 6 {
          exif = (Array(segment[6...]), position + 10)
        }
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        guard header.count >= 9 else { return nil }
        let size = PixelSize(
          width: Int(header[7]) << 8 | Int(header[8]), height: Int(header[5]) << 8 | Int(header[6]))
        guard !size.isEmpty else { return nil }
        var facts = PhotoFacts(storedSize: size)
        if let exif { EXIFReader(exif.bytes, fileOffset: exif.offset)?.fill(&facts) }
        return facts
      case 0xDA, 0xD9:
        return nil
      default:
        break
      }
      position += 2 + length
    }
    return nil
  }
}
