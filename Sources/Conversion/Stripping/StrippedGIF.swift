import AssetLibrary

/// Copies a GIF without comments, texts and the data of programs, of which only how often it plays is kept.
///
/// Format: GIF89a specification, chapters 17 to 26.
struct StrippedGIF {
  private var input: ByteStream
  private let output: OutputFile
  private let name: String

  static func write(_ input: ByteStream, into output: OutputFile, name: String) throws(AssetError) {
    var copy = StrippedGIF(input: input, output: output, name: name)
    try copy.write()
  }

  private mutating func write() throws(AssetError) {
    let head = try input.bytes(13)
    guard head.count == 13, head.starts(with: "GIF8".utf8) else { throw damaged }
    try output.write(head)
    try copy(Self.colorTable(head[10]))
    while let kind = try input.next() {
      switch kind {
      case 0x2C:
        let descriptor = try input.bytes(9)
        guard let flags = descriptor.last, descriptor.count == 9 else { throw damaged }
        try output.write([kind] + descriptor)
        try copy(Self.colorTable(flags) + 1)
        try blocks(isKept: true)
      case 0x21: try copyExtension()
      case 0x3B:
        try output.write([kind])
        return
      default: throw damaged
      }
    }
    // Programs show a file that ends without its mark.
    try output.write([0x3B])
  }

  private mutating func copyExtension() throws(AssetError) {
    guard let label = try input.next() else { throw damaged }
    guard label == 0xFF else {
      // The control of a picture stays; comments and plain text go.
      if label == 0xF9 { try output.write([0x21, label]) }
      return try blocks(isKept: label == 0xF9)
    }
    let length = Int(try input.next() ?? 0)
    let program = try input.bytes(length)
    let isLoop = program == Array("NETSCAPE2.0".utf8) || program == Array("ANIMEXTS1.0".utf8)
    if isLoop { try output.write([0x21, label, UInt8(length)] + program) }
    try blocks(isKept: isLoop)
  }

  private mutating func blocks(isKept: Bool) throws(AssetError) {
    while let length = try input.next() {
      let data = try input.bytes(Int(length))
      guard data.count == Int(length) else { throw damaged }
      if isKept { try output.write([length] + data) }
      if length == 0 { return }
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
