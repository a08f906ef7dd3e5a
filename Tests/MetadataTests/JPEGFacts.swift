import MediaFormats
import Metadata

/// The facts of files that have to be JPEG.
enum JPEGFacts {
  /// nil when the bytes are none or end before the frame header.
  static func read<Source: ByteSource>(from source: Source) throws(Source.Failure) -> MediaFacts? {
    var room = MediaReader.Room()
    return try read(from: source, room: &room)
  }

  /// The same in memory that files before have used, as a scan does it.
  static func read<Source: ByteSource>(
    from source: Source, room: inout MediaReader.Room
  ) throws(Source.Failure) -> MediaFacts? {
    let reading = try MediaReader.read(from: source, byteCount: .max, room: &room)
    guard case .media(.jpeg, let facts) = reading else { return nil }
    return facts
  }
}
