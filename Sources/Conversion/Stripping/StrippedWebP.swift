import AssetLibrary
import Metadata

/// Copies a WebP with the chunks that show it and the metadata that was filtered.
///
/// Format: RFC 9649, 2.
enum StrippedWebP {
  private static let kept: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
  /// The bits of VP8X that say that there is EXIF, and XMP.
  private static let flags: (exif: UInt8, xmp: UInt8) = (0x08, 0x04)
  /// Chunks are held whole.
  private static let longestFile = 256 << 20

  static func write(
    _ input: ByteStream, count: Int, _ metadata: MetadataOutput, into output: OutputFile, name: String
  ) throws(AssetError) {
    guard count <= longestFile else { throw AssetError(name, "the file is too large to be held in memory") }
    var input = input
    let head = try input.bytes(12)
    guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) else {
      throw AssetError(name, "its header is damaged")
    }
    var body: [UInt8] = []
    var flagsAt: Int?
    // What stands behind the length that the file says it has is none of its chunks.
    var left = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } - 4
    while left >= 8 {
      let start = try input.bytes(8)
      if start.count < 8 { break }
      let length = start[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
      left -= 8 + length + length & 1
      let data = try input.bytes(length + length & 1)
      guard data.count >= length else {
        throw AssetError(name, "the file ends in the middle of the picture")
      }
      let kind = String(decoding: start[..<4], as: UTF8.self)
      guard kept.contains(kind) else { continue }
      if kind == "VP8X", !data.isEmpty { flagsAt = body.count + 8 }
      body += start + data
      if data.count < length + length & 1 { body.append(0) }
    }
    guard !body.isEmpty else { throw AssetError(name, "its header is damaged") }
    if let flagsAt {
      // Without this chunk a file has no place for metadata.
      body[flagsAt] &= ~(flags.exif | flags.xmp)
      if !metadata.exif.isEmpty {
        body[flagsAt] |= flags.exif
        body += chunk("EXIF", metadata.exif)
      }
      if !metadata.xmp.isEmpty {
        body[flagsAt] |= flags.xmp
        body += chunk("XMP ", metadata.xmp)
      }
    }
    try output.write(Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8))
    try output.write(body)
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + littleEndian(data.count) + data + (data.count.isMultiple(of: 2) ? [] : [0])
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
