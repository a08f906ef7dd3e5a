import AssetLibrary

/// Copies the header, palette and pixels of a BMP, and drops everything before, between and after them.
///
/// Format: Microsoft's BITMAPFILEHEADER and BITMAPINFOHEADER to BITMAPV5HEADER.
enum StrippedBMP {
  /// The size of the longest header without a color profile.
  private static let longestHeader = 108

  static func write(
    _ input: ByteStream, into output: OutputFile, name: String
  ) throws(AssetError) {
    var input = input
    let damaged = AssetError(name, "its header is damaged")
    let file = try input.bytes(14)
    guard file.count == 14, file.starts(with: "BM".utf8) else { throw damaged }
    let pixelsAt = number(file, 10)
    let lengthBytes = try input.bytes(4)
    guard lengthBytes.count == 4 else { throw damaged }
    let length = number(lengthBytes, 0)
    guard [12, 40, 52, 56, 64, 108, 124].contains(length) else { throw damaged }
    var header = lengthBytes + (try input.bytes(length - 4))
    guard header.count == length else { throw damaged }
    let isOld = length == 12
    let width = isOld ? short(header, 4) : abs(signed(header, 4))
    let height = isOld ? short(header, 6) : abs(signed(header, 8))
    let depth = short(header, isOld ? 10 : 14)
    let compression = isOld ? 0 : number(header, 16)
    guard [1, 2, 4, 8, 16, 24, 32].contains(depth), width <= 1 << 20, height <= 1 << 20, compression <= 3
    else {
      throw AssetError(name, "metadata can't be removed from this kind of BMP")
    }
    var masks: [UInt8] = []
    if length == 40, compression == 3 { masks = try input.bytes(12) }
    let used = isOld ? 0 : min(number(header, 32), 1 << 16)
    let colors = depth <= 8 ? min(1 << depth, used == 0 ? 1 << depth : used) : 0
    let palette = try input.bytes(colors * (isOld ? 3 : 4))
    let isPacked = compression == 1 || compression == 2
    let packedCount = isOld ? 0 : number(header, 20)
    let count = isPacked ? packedCount : (width * depth + 31) / 32 * 4 * height
    // The gap between palette and pixels may contain anything.
    let gap = pixelsAt - 14 - length - masks.count - palette.count
    guard gap >= 0, count < 1 << 31 else { throw damaged }
    try input.skip(gap)
    if length == 124 {
      // BITMAPV5HEADER refers to a profile, in the file or elsewhere; BITMAPV4HEADER doesn't.
      header = littleEndian(longestHeader) + header[4..<longestHeader]
    }
    if header.count == longestHeader {
      // sRGB, without end points and gamma.
      header.replaceSubrange(56..<60, with: [0x42, 0x47, 0x52, 0x73])
      header.replaceSubrange(60..<108, with: [UInt8](repeating: 0, count: 48))
    }
    if !isOld {
      // The pixels per meter concern only printing.
      header.replaceSubrange(20..<24, with: littleEndian(count))
      header.replaceSubrange(24..<32, with: [UInt8](repeating: 0, count: 8))
      header.replaceSubrange(36..<40, with: [UInt8](repeating: 0, count: 4))
    }
    let start = 14 + header.count + masks.count + palette.count
    try output.write(
      Array("BM".utf8) + littleEndian(start + count) + [0, 0, 0, 0] + littleEndian(start) + header + masks
        + palette)
    var left = count
    while left > 0 {
      let part = try input.bytes(min(left, 1 << 20))
      guard !part.isEmpty else { throw AssetError(name, "the file ends in the middle of the picture") }
      try output.write(part)
      left -= part.count
    }
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func signed(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(Int32(truncatingIfNeeded: number(bytes, at)))
  }

  private static func short(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
