import AssetLibrary
import CZlib
import Metadata

/// Copies a PNG, animated or not, with the chunks needed to display it and the filtered metadata.
///
/// Chunks get their exact length; those that may occur only once are written once. Format: PNG specification,
/// third edition (W3C 2025).
enum StrippedPNG {
  /// The chunks that are read into memory and written without bytes after their data; the values are their
  /// maximum lengths in bytes.
  private static let small: [String: Int] = [
    "IHDR": 13, "PLTE": 768, "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24, "cLLI": 8,
    "sBIT": 4, "bKGD": 6, "pHYs": 9, "acTL": 8, "fcTL": 26, "iCCP": 1 << 24,
  ]
  /// The chunks with image data, and the length of the header before the data.
  private static let picture = ["IDAT": 0, "fdAT": 4]
  /// The chunks that may occur several times.
  private static let repeated: Set<String> = ["IDAT", "fdAT", "fcTL"]

  static func write(
    _ input: ByteStream, _ metadata: MetadataOutput, into output: OutputFile, name: String
  ) throws(AssetError) {
    var input = input
    let mark = try input.bytes(8)
    guard mark == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { throw damaged(name) }
    try output.write(mark)
    var seen: Set<String> = []
    var colors: UInt8 = 2
    while true {
      let head = try input.bytes(8)
      guard head.count == 8 else { throw damaged(name) }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: head[4...], as: UTF8.self)
      guard length < 1 << 31 else { throw damaged(name) }
      let isExpected = seen.insert(kind).inserted || repeated.contains(kind)
      if kind == "IEND" {
        try output.write(chunk("IEND", []))
        return
      }
      if isExpected, picture[kind] != nil {
        try output.write(head)
        // The data with its checksum.
        try copy(length + 4, of: &input, to: output, name)
      } else if isExpected, let most = small[kind], length <= most + (1 << 16) {
        let data = try input.bytes(length)
        guard data.count == length else { throw damaged(name) }
        try input.skip(4)
        if kind == "IHDR", data.count >= 13 { colors = data[9] }
        if let plain = plain(kind, data, colors) { try output.write(chunk(kind, plain)) }
      } else {
        try input.skip(length + 4)
      }
      if kind == "IHDR" { try write(metadata, to: output) }
    }
  }

  /// Returns the data of a chunk without extra bytes; nil if it is invalid.
  /// - Parameter colors: the color type of the picture.
  private static func plain(_ kind: String, _ data: [UInt8], _ colors: UInt8) -> [UInt8]? {
    let isGray = colors & 2 == 0
    let length: Int
    switch kind {
    case "PLTE": length = min(768, data.count / 3 * 3)
    case "tRNS": length = colors == 3 ? min(256, data.count) : isGray ? 2 : 6
    case "bKGD": length = colors == 3 ? 1 : isGray ? 2 : 6
    case "sBIT": length = (colors == 3 ? 3 : isGray ? 1 : 3) + (colors & 4 == 0 ? 0 : 1)
    case "iCCP":
      // The chunk holds a name, which may be any text and is replaced, a compression method, and the profile.
      guard let end = data.prefix(80).firstIndex(of: 0), end + 2 < data.count, data[end + 1] == 0,
        let profile = Inflater.bytes(of: data[(end + 2)...], most: 1 << 22),
        let plain = PlainProfile.bytes(of: profile), let packed = deflated(plain)
      else { return nil }
      return Array("ICC\0\0".utf8) + packed
    default: length = small[kind] ?? 0
    }
    return data.count >= length && length > 0 ? Array(data.prefix(length)) : nil
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(uLong(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&packed, &count, bytes, uLong(bytes.count), 9) == Z_OK else { return nil }
    return Array(packed.prefix(Int(count)))
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

/// Inflates zlib data.
///
/// Used for color profiles, which are untrusted: written in Swift so that no C library parses them.
///
/// Formats: RFC 1950 and 1951.
struct Inflater {
  private var input: ArraySlice<UInt8>
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let most: Int

  /// Returns the inflated bytes; nil if the data is damaged or inflates to more than `most` bytes.
  static func bytes(of packed: ArraySlice<UInt8>, most: Int) -> [UInt8]? {
    guard packed.count > 2, packed[packed.startIndex] & 15 == 8, packed[packed.startIndex + 1] & 0x20 == 0
    else {
      return nil
    }
    var inflater = Inflater(packed.dropFirst(2), most: most)
    return inflater.run() ? inflater.output : nil
  }

  private init(_ input: ArraySlice<UInt8>, most: Int) {
    (self.input, self.most) = (input, most)
  }

  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard let byte = input.popFirst() else { return nil }
      bits |= UInt32(byte) << UInt32(bitCount)
      bitCount += 8
    }
    defer {
      bits >>= UInt32(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt32(count) - 1))
  }

  /// A Huffman code: the number of symbols of each length, and the symbols in order.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init?(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      var left = 1
      for length in 1..<16 {
        left = left << 1 - counts[length]
        if left < 0 { return nil }
      }
      symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
  }

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  private mutating func run() -> Bool {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return false }
      let isRead =
        switch kind {
        case 0: stored()
        case 1: coded(Self.fixed.0, Self.fixed.1)
        case 2: dynamic()
        default: false
        }
      guard isRead, output.count <= most else { return false }
      if isLast == 1 { return true }
    }
  }

  private mutating func stored() -> Bool {
    (bits, bitCount) = (0, 0)
    guard let low = input.popFirst(), let high = input.popFirst(), input.count >= 2 else { return false }
    let count = Int(high) << 8 | Int(low)
    input = input.dropFirst(2)
    guard input.count >= count, output.count + count <= most else { return false }
    output += input.prefix(count)
    input = input.dropFirst(count)
    return true
  }

  private static let fixed: (Code?, Code?) = (
    Code(
      [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
        + [Int](repeating: 8, count: 8)), Code([Int](repeating: 5, count: 30))
  )
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func dynamic() -> Bool {
    guard let literals = take(5), let distances = take(5), let count = take(4) else { return false }
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(count + 4) {
      guard let length = take(3) else { return false }
      lengths[place] = length
    }
    guard let code = Code(lengths) else { return false }
    let total = literals + 257 + distances + 1
    lengths = []
    while lengths.count < total {
      guard let symbol = symbol(code) else { return false }
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last, let more = take(2) else { return false }
        lengths += [Int](repeating: last, count: 3 + more)
      default:
        guard let more = take(symbol == 17 ? 3 : 7) else { return false }
        lengths += [Int](repeating: 0, count: (symbol == 17 ? 3 : 11) + more)
      }
    }
    guard lengths.count == total else { return false }
    return coded(Code(Array(lengths[..<(literals + 257)])), Code(Array(lengths[(literals + 257)...])))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private mutating func coded(_ literals: Code?, _ distances: Code?) -> Bool {
    guard let literals, let distances else { return false }
    while output.count <= most {
      guard let symbol = symbol(literals) else { return false }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      let index = symbol - 257
      guard index < Self.lengthBases.count,
        let more = take(index < 8 || index == 28 ? 0 : (index - 4) / 4), let code = self.symbol(distances),
        code < Self.distanceBases.count, let further = take(code < 4 ? 0 : (code - 2) / 2)
      else { return false }
      let distance = Self.distanceBases[code] + further
      guard distance <= output.count else { return false }
      for _ in 0..<(Self.lengthBases[index] + more) { output.append(output[output.count - distance]) }
    }
    return false
  }
}
