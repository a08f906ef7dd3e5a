import AssetLibrary

/// Copies a GIF without comments, plain text and application data, except for the number of repetitions.
///
/// No block is longer than its data, and image data after the last pixel is dropped. Format:
/// GIF89a specification, chapters 17 to 26, and appendix F.
struct StrippedGIF {
  private var input: ByteStream
  private let output: OutputFile
  private let name: String

  private var hasXMP = false

  /// - Returns: whether the file contained XMP, which is dropped.
  @discardableResult
  static func write(_ input: ByteStream, into output: OutputFile, name: String) throws(AssetError) -> Bool {
    var copy = StrippedGIF(input: input, output: output, name: name)
    try copy.write()
    return copy.hasXMP
  }

  private init(input: ByteStream, output: OutputFile, name: String) {
    (self.input, self.output, self.name) = (input, output, name)
  }

  private mutating func write() throws(AssetError) {
    let head = try input.bytes(13)
    guard head.count == 13, head.starts(with: "GIF8".utf8) else { throw damaged }
    try output.write(Array("GIF89a".utf8) + head[6...])
    try copy(Self.colorTable(head[10]))
    while let kind = try input.next() {
      switch kind {
      case 0x2C:
        let descriptor = try input.bytes(9)
        guard let flags = descriptor.last, descriptor.count == 9 else { throw damaged }
        try output.write([kind] + descriptor)
        try copy(Self.colorTable(flags))
        try copyPicture(pixels: Self.side(descriptor, 4) * Self.side(descriptor, 6))
      case 0x21: try copyExtension()
      case 0x3B:
        try output.write([kind])
        return
      default: throw damaged
      }
    }
    // The trailer is missing; programs display such files all the same.
    try output.write([0x3B])
  }

  private static func side(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  private mutating func copyExtension() throws(AssetError) {
    guard let label = try input.next() else { throw damaged }
    if label != 0xFF {
      // Keep the graphic control extension; drop comments and plain text.
      let data = try blocks(most: 1).first ?? []
      if label == 0xF9, data.count >= 4 { try output.write([0x21, label, 4] + data.prefix(4) + [0]) }
      return
    }
    let length = Int(try input.next() ?? 0)
    let program = try input.bytes(length)
    if program == Array("XMP DataXMP".utf8) { hasXMP = true }
    let data = try blocks(most: 1).first ?? []
    guard program == Array("NETSCAPE2.0".utf8) || program == Array("ANIMEXTS1.0".utf8), data.count >= 3,
      data[0] == 1
    else { return }
    try output.write([0x21, label, UInt8(length)] + program + [3] + data.prefix(3) + [0])
  }

  /// Reads sub-blocks up to the terminator.
  /// - Parameter most: the number of sub-blocks to return.
  private mutating func blocks(most: Int) throws(AssetError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while let length = try input.next() {
      if length == 0 { return found }
      let data = try input.bytes(Int(length))
      guard data.count == Int(length) else { throw damaged }
      if found.count < most { found.append(data) }
    }
    throw damaged
  }

  /// Copies the image data up to its terminator or its last pixel.
  private mutating func copyPicture(pixels: Int) throws(AssetError) {
    guard let size = try input.next() else { throw damaged }
    try output.write([size])
    var code = GIFCode(size, pixels: pixels)
    while let length = try input.next() {
      if length == 0 {
        try output.write([0])
        return
      }
      let data = try input.bytes(Int(length))
      guard data.count == Int(length) else { throw damaged }
      let used = code.take(data)
      if used > 0 { try output.write([UInt8(used)] + data.prefix(used)) }
    }
    throw damaged
  }

  private mutating func copy(_ count: Int) throws(AssetError) {
    let bytes = try input.bytes(count)
    guard bytes.count == count else { throw damaged }
    try output.write(bytes)
  }

  private var damaged: AssetError { AssetError(name, "the file ends in the middle of the picture") }

  private static func colorTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}

/// Finds the end of a GIF's LZW data.
private struct GIFCode {
  private let clear: Int
  private let firstWidth: Int
  private var width: Int
  private var bits = 0
  private var bitCount = 0
  /// The number of pixels of each code.
  private var lengths: [Int]
  private var previous: Int?
  private var pixelsLeft: Int
  private var isOver: Bool

  /// - Parameter size: the minimum code size: the bits of the first codes, without the clear and end codes.
  init(_ size: UInt8, pixels: Int) {
    let bits = min(max(Int(size), 1), 11)
    clear = 1 << bits
    firstWidth = bits + 1
    width = firstWidth
    lengths = [Int](repeating: 1, count: 1 << bits + 2)
    pixelsLeft = pixels
    // Other code sizes are invalid.
    isOver = !(1...11).contains(size)
  }

  /// - Returns: how many of the bytes belong to the picture.
  mutating func take(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.enumerated() {
      if isOver { return index }
      bits |= Int(byte) << bitCount
      bitCount += 8
      while bitCount >= width, !isOver {
        let code = bits & (1 << width - 1)
        bits >>= width
        bitCount -= width
        take(code)
      }
    }
    return bytes.count
  }

  private mutating func take(_ code: Int) {
    if code == clear {
      lengths.removeLast(lengths.count - clear - 2)
      (width, previous) = (firstWidth, nil)
      return
    }
    // The end code, or data after the last pixel: programs display the picture up to this point.
    guard pixelsLeft > 0, code != clear + 1 else {
      isOver = true
      return
    }
    if let previous, lengths.count < 4096 {
      lengths.append(lengths[previous] + 1)
      if lengths.count == 1 << width, width < 12 { width += 1 }
    }
    // An invalid code, which no encoder writes.
    guard code < lengths.count else {
      isOver = true
      return
    }
    pixelsLeft -= lengths[code]
    previous = code
  }
}
