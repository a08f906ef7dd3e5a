import AssetLibrary
import CZlib
import Metadata

/// Copies a PNG, animated or not, with the chunks that show it and the metadata that was filtered.
///
/// Format: PNG specification, third edition (W3C 2025).
enum StrippedPNG {
  private static let kept: Set<String> = [
    "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT",
    "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
  ]

  static func write(
    _ input: ByteStream, _ metadata: MetadataOutput, into output: OutputFile, name: String
  ) throws(AssetError) {
    var input = input
    let mark = try input.bytes(8)
    guard mark == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { throw damaged(name) }
    try output.write(mark)
    while true {
      let head = try input.bytes(8)
      guard head.count == 8 else { throw damaged(name) }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: head[4...], as: UTF8.self)
      // The data with the check sum behind them.
      guard length < 1 << 31 else { throw damaged(name) }
      if kept.contains(kind) {
        try output.write(head)
        try copy(length + 4, of: &input, to: output, name)
      } else {
        try input.skip(length + 4)
      }
      if kind == "IHDR" { try write(metadata, to: output) }
      if kind == "IEND" { return }
    }
  }

  private static func damaged(_ name: String) -> AssetError {
    AssetError(name, "the file ends in the middle of the picture")
  }

  private static func copy(
    _ count: Int, of input: inout ByteStream, to output: OutputFile, _ name: String
  ) throws(AssetError) {
    var left = count
    while left > 0 {
      let part = try input.bytes(min(left, 1 << 20))
      guard !part.isEmpty else { throw damaged(name) }
      try output.write(part)
      left -= part.count
    }
  }

  private static func write(_ metadata: MetadataOutput, to output: OutputFile) throws(AssetError) {
    if !metadata.exif.isEmpty { try output.write(chunk("eXIf", metadata.exif)) }
    if !metadata.xmp.isEmpty {
      try output.write(chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + metadata.xmp))
    }
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + data
    let sum = crc32(0, body, UInt32(body.count))
    return bigEndian(data.count) + body + bigEndian(Int(sum))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
