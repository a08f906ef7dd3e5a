import MediaFormats
import Metadata

/// The facts of files that have to be of one format.
enum FileFacts {
  /// nil when the bytes are of another format, or damaged.
  static func read(_ bytes: [UInt8], _ format: FileFormat) -> MediaFacts? {
    let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
    guard case .media(format, let facts) = reading
    else { return nil }
    return facts
  }
}
