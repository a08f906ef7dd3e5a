import MediaFormats
import Metadata

/// The metadata of files that must be JPEG.
enum JPEGFacts {
  /// nil if the bytes are no JPEG or end before the frame header.
  static func read<Source: ByteSource>(from source: Source) throws(Source.Failure) -> MediaFacts? {
    var room = MediaReader.Room()
    return try read(from: source, room: &room)
  }

  /// The same as in a scan, with memory reused from previous files.
  static func read<Source: ByteSource>(
    from source: Source, room: inout MediaReader.Room
  ) throws(Source.Failure) -> MediaFacts? {
    let reading = try MediaReader.read(from: source, byteCount: .max, room: &room)
    guard case .media(.jpeg, let facts) = reading else { return nil }
    return facts
  }
}
