import MediaFormats
import Metadata

/// The facts of files that have to be JPEG.
enum JPEGFacts {
  /// nil when the bytes are none or end before the frame header.
  static func read<Source: ByteSource>(from source: Source) throws(Source.Failure) -> MediaFacts? {
    let reading = try MediaReader.read(from: source, byteCount: .max)
    guard case .media(.jpeg, let facts) = reading else { return nil }
    return facts
  }
}
