/// Reads what a JPEG file's head says: its size, and its EXIF, XMP and IPTC segments.
///
/// Format: ITU-T T.81 Annex B for the markers, EXIF 2.32 for the APP1 segment. Only the head of the file
/// is read, the picture's data never.
package enum JPEGFacts {
  /// Whether the first bytes of a file announce a JPEG.
  package static func announced(by head: some Collection<UInt8>) -> Bool {
    head.prefix(3).elementsEqual([0xFF, 0xD8, 0xFF])
  }

  /// The facts of a JPEG, or nil when the bytes are none or end before the frame header.
  /// - Throws: what the source throws.
  package static func read<Source: ByteSource>(from source: Source) throws(Source.Failure) -> MediaFacts? {
    let reading = try MediaReader.read(from: source, byteCount: .max)
    guard case .media(.jpeg, let facts) = reading else { return nil }
    return facts
  }
}
