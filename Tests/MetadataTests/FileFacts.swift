import MediaFormats
import Metadata

/// The metadata of files that must be of one format.
enum FileFacts {
  /// nil if the bytes are of another format, or damaged.
  static func read(_ bytes: [UInt8], _ format: FileFormat) -> MediaFacts? {
    let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
    guard case .media(format, let facts) = reading
    else { return nil }
    return facts
  }
}
