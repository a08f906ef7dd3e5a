import AssetLibrary
import Metadata

/// Copies a WebP with the chunks needed to display it and the filtered metadata.
///
/// Chunks get their exact length and appear once; frames are filtered the same way. Format: RFC 9649, section
/// 2.
enum StrippedWebP {
  /// The flags of VP8X: animation, XMP, EXIF, alpha, profile.
  private enum Flag {
    static let animation: UInt8 = 0x02
    static let xmp: UInt8 = 0x04
    static let exif: UInt8 = 0x08
    static let alpha: UInt8 = 0x10
    static let profile: UInt8 = 0x20
  }
  /// The file size limit, since chunks are held in memory as a whole.
  private static let longestFile = 256 << 20
  /// The size of a frame's header before its picture.
  private static let frameHeader = 16

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
    var seen: Set<String> = []
    // Ignore bytes after the length in the header.
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
      guard seen.insert(kind).inserted || kind == "ANMF", let plain = plain(kind, data[..<length]) else {
        continue
      }
      // A file has either one picture or an animation.
      if kind == "VP8 " || kind == "VP8L" { seen.formUnion(["VP8 ", "VP8L"]) }
      if kind == "VP8X" { flagsAt = body.count + 8 }
      body += chunk(kind, plain)
      if kind == "ICCP", let flagsAt { body[flagsAt] |= Flag.profile }
    }
    guard !body.isEmpty else { throw AssetError(name, "its header is damaged") }
    if let flagsAt {
      // Only files with this chunk can have metadata.
      if !metadata.exif.isEmpty {
        body[flagsAt] |= Flag.exif
        body += chunk("EXIF", metadata.exif)
      }
      if !metadata.xmp.isEmpty {
        body[flagsAt] |= Flag.xmp
        body += chunk("XMP ", metadata.xmp)
      }
    }
    try output.write(Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8))
    try output.write(body)
  }

  /// Returns the data of a chunk without extra bytes; nil if the chunk is not needed for display.
  private static func plain(_ kind: String, _ data: ArraySlice<UInt8>) -> [UInt8]? {
    switch kind {
    case "VP8X":
      guard data.count >= 10 else { return nil }
      // The flags of metadata and profile are set later.
      return [data[data.startIndex] & (Flag.animation | Flag.alpha), 0, 0, 0] + data.dropFirst(4).prefix(6)
    case "ANIM": return data.count >= 6 ? Array(data.prefix(6)) : nil
    case "ICCP": return PlainProfile.bytes(of: Array(data))
    case "VP8 ", "VP8L", "ALPH": return Array(data)
    case "ANMF":
      guard data.count > frameHeader else { return nil }
      var frame = Array(data.prefix(frameHeader))
      var rest = data.dropFirst(frameHeader)
      var seen: Set<String> = []
      while rest.count >= 8 {
        let kind = String(decoding: rest.prefix(4), as: UTF8.self)
        let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8)
        let part = rest.prefix(length)
        rest = rest.dropFirst(length + length & 1)
        guard part.count == length, ["ALPH", "VP8 ", "VP8L"].contains(kind), seen.insert(kind).inserted else {
          continue
        }
        frame += chunk(kind, Array(part))
      }
      // A frame without a picture is invalid.
      return frame.count > frameHeader ? frame : nil
    default: return nil
    }
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    Array(kind.utf8) + littleEndian(data.count) + data + (data.count.isMultiple(of: 2) ? [] : [0])
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
