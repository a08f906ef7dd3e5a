/// Small files that use every form that readers of boxes, chunks, segments, directories and packets must handle: 64-bit
/// lengths, zero lengths and ones shorter than their own header, counts that no file can hold, endless nesting,
/// structures that contain themselves, and overlapping parts.
///
/// All are made by code. Each kind of reader has a list of its own, and tests run all of them through every reader.
package enum HostileFiles {
  /// All files.
  package static let all =
    jpeg + png + gif + webp + bmp + tiff + jpegXL + heif + movies + otherContainers + packetFiles

  /// The files of a format, by suffix.
  package static func all(_ suffixes: String...) -> [[UInt8]] {
    all.filter { suffixes.contains($0.suffix) }.map(\.bytes)
  }

  /// The nesting depth of structures limited only by the file's length.
  static let depth = 4000

  /// A structure nested in itself `depth` times.
  static func nested(_ depth: Int = depth, _ core: [UInt8] = [], around: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var bytes = core
    for _ in 0..<depth { bytes = around(bytes) }
    return bytes
  }

  /// The same bytes repeated.
  static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    Array(repeatElement(bytes, count: count).joined())
  }

  /// Nested boxes, each as long as its content.
  ///
  /// Written from the outside in one pass: copying each into the next would take quadratic time.
  static func boxTower(_ type: String, _ depth: Int = depth, skipping fields: Int = 0) -> [UInt8] {
    let head = 8 + fields
    return (0..<depth).flatMap { level in
      MediaBytes.big((depth - level) * head, 4) + Array(type.utf8) + [UInt8](repeating: 0, count: fields)
    }
  }
}
