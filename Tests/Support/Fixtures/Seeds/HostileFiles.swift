/// Small files that use every form a reader of boxes, chunks, segments, directories and packets has to be ready for:
/// lengths of 64 bits, of nothing and shorter than their own head, counts that no file can hold, nesting without an end,
/// structures that contain themselves, and parts that lie over each other.
///
/// All are made by code. Each kind of reader has a list of its own, and tests run all of them through every reader.
package enum HostileFiles {
  /// All of them.
  package static let all =
    jpeg + png + gif + webp + bmp + tiff + jpegXL + heif + movies + otherContainers + packetFiles

  /// Those of a format, by its suffix.
  package static func all(_ suffixes: String...) -> [[UInt8]] {
    all.filter { suffixes.contains($0.suffix) }.map(\.bytes)
  }

  /// How deep structures are nested where nothing but the file's length limits it.
  static let depth = 4000

  /// Something around itself, `depth` times.
  static func nested(_ depth: Int = depth, _ core: [UInt8] = [], around: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var bytes = core
    for _ in 0..<depth { bytes = around(bytes) }
    return bytes
  }

  /// The same bytes again and again.
  static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    Array(repeatElement(bytes, count: count).joined())
  }

  /// Boxes in boxes, each as long as what is in it.
  ///
  /// From the inside out as they are, but put together in one go: copying each into the next takes the square of the depth.
  static func boxTower(_ type: String, _ depth: Int = depth, skipping fields: Int = 0) -> [UInt8] {
    let head = 8 + fields
    return (0..<depth).flatMap { level in
      MediaBytes.big((depth - level) * head, 4) + Array(type.utf8) + [UInt8](repeating: 0, count: fields)
    }
  }
}
