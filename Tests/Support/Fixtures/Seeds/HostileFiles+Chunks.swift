// Chunks and blocks: PNG (W3C, third edition), GIF89a, WebP (RFC 9649), and the headers of bitmaps.
extension HostileFiles {
  static let png: [SeedFile] = {
    let chunk = PictureFiles.pngChunk
    func file(_ name: String, before: [UInt8] = [], behind: [UInt8] = []) -> SeedFile {
      SeedFile(name, "png", PictureFiles.png(width: 8, height: 8, before: before, behind: behind))
    }
    func lying(_ type: String, _ length: Int, _ content: [UInt8] = []) -> [UInt8] {
      MediaBytes.big(length, 4) + Array(type.utf8) + content
    }
    let packet = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
    let control =
      MediaBytes.big(0, 4) + MediaBytes.big(8, 4) + MediaBytes.big(8, 4) + Boxes.zeros(8) + [
        0, 1, 0, 1, 0, 0,
      ]
    let far = MediaBytes.big(0, 4) + repeated([0xFF], 16) + [0, 1, 0, 1, 0, 0]
    return [
      file("chunks without content", before: repeated(chunk("abCd", []), 3000)),
      file("data without content", before: repeated(chunk("IDAT", []), 3000)),
      file("a chunk of 2^31 bytes", before: lying("abCd", 1 << 31)),
      file("a chunk of 2^32 bytes", before: lying("iTXt", 0xFFFF_FFFF, packet)),
      file("a text without its end", before: chunk("iTXt", Array("XML:com.adobe.xmp".utf8))),
      file("a text of two zeros", before: chunk("iTXt", packet.dropLast(3) + [])),
      file(
        "two headers", before: chunk("IHDR", MediaBytes.big(99, 4) + MediaBytes.big(77, 4) + [8, 2, 0, 0, 0])),
      file(
        "chunks in a chunk",
        before: (0..<3000).flatMap { lying("abCd", (3000 - $0 - 1) * 12) + [0, 0, 0, 0] }),
      file("2^32 frames", before: chunk("acTL", repeated([0xFF], 8)) + chunk("fcTL", control)),
      file(
        "a frame outside of the picture",
        before: chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) + chunk("fcTL", far)),
      file(
        "frames without data",
        before: chunk("acTL", [0, 0, 0x10, 0, 0, 0, 0, 0])
          + repeated(chunk("fcTL", control) + chunk("fdAT", [0, 0, 0, 1]), 500)),
      SeedFile(
        "2^31 pixels a side", "png",
        PictureFiles.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, traits: [16, 6, 0, 0, 1])),
      file("a palette of nothing", before: chunk("PLTE", []) + chunk("tRNS", repeated([0], 300))),
    ]
  }()

  static let gif: [SeedFile] = {
    let head = Array(PictureFiles.gif(width: 4, height: 3, frames: 0).dropLast())
    func frame(
      _ width: Int, _ height: Int, left: Int = 0, flags: UInt8 = 0, _ data: [UInt8] = [2, 0]
    ) -> [UInt8] {
      [0x2C] + MediaBytes.little(left, 2) + [0, 0] + MediaBytes.little(width, 2)
        + MediaBytes.little(height, 2)
        + [flags] + data
    }
    func file(_ name: String, _ blocks: [UInt8]) -> SeedFile { SeedFile(name, "gif", head + blocks + [0x3B]) }
    return [
      file("extensions of nothing", repeated([0x21, 0xFE, 0], 3000)),
      file("an extension without an end", [0x21, 0xFE] + repeated([255] + repeated([1], 255), 100)),
      file("frames of no size", repeated(frame(0, 0), 500)),
      file("frames without data", repeated(frame(4, 3), 3000)),
      file("a frame outside of the picture", frame(0xFFFF, 0xFFFF, left: 0xFFFF)),
      file("a frame of one code", frame(0xFFFF, 0xFFFF, [2, 1, 0x2C, 0])),
      file("a code of 255 bits", frame(4, 3, [255, 1, 0, 0])),
      file("a code of no bits", frame(4, 3, [0, 1, 0, 0])),
      file("tables of colors without an end", repeated(frame(4, 3, flags: 0x87, []), 5)),
      file("loops of nothing", repeated([0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [0], 500)),
      SeedFile(
        "65,535 pixels a side, of many frames", "gif",
        Array("GIF89a".utf8) + [255, 255, 255, 255, 0, 0, 0] + repeated(frame(1, 1, [2, 2, 0x44, 1, 0]), 500)
          + [0x3B]),
    ]
  }()

  static let webp: [SeedFile] = {
    let chunk = PictureFiles.webpChunk
    func lying(_ type: String, _ length: Int, _ content: [UInt8] = []) -> [UInt8] {
      Array(type.utf8) + MediaBytes.little(length, 4) + content
    }
    func file(_ name: String, _ chunks: [UInt8], length: Int? = nil) -> SeedFile {
      let bytes = PictureFiles.webp(chunks)
      return SeedFile(
        name, "webp", bytes.prefix(4) + MediaBytes.little(length ?? bytes.count - 8, 4) + bytes.dropFirst(8))
    }
    let extended = PictureFiles.webpExtended(width: 4, height: 3)
    let lossless = PictureFiles.webpLossless(width: 4, height: 3)
    func frame(_ content: [UInt8]) -> [UInt8] { Boxes.zeros(6) + [3, 0, 0, 2, 0, 0, 100, 0, 0, 0] + content }
    var moving = chunk("VP8X", [2, 0, 0, 0, 3, 0, 0, 2, 0, 0])
    moving += chunk("ANIM", Boxes.zeros(6))
    return [
      file("a file of length 0", extended + lossless, length: 0),
      file("a file of 2^32 bytes", extended + lossless, length: 0xFFFF_FFFF),
      file("chunks without content", extended + repeated(chunk("abcd", []), 3000) + lossless),
      file("a chunk of 2^32 bytes", extended + lying("XMP ", 0xFFFF_FFFF) + lossless),
      file("a chunk of 2^32 - 1 bytes", extended + lying("EXIF", 0xFFFF_FFFE) + lossless),
      file("a picture before its header", lossless + PictureFiles.webpExtended(width: 99, height: 77)),
      file("two headers", extended + PictureFiles.webpExtended(width: 99, height: 77) + lossless),
      file("2^24 pixels a side", chunk("VP8X", Boxes.zeros(4) + repeated([255], 6)) + lossless),
      file("frames of nothing", moving + repeated(chunk("ANMF", frame([])), 1000)),
      file(
        "frames in frames", moving + (0..<1000).flatMap { lying("ANMF", (1000 - $0) * 24 - 8, frame([])) }),
      file("files in files", (0..<1000).flatMap { lying("RIFF", (1000 - $0) * 12 - 8, Array("WEBP".utf8)) }),
      file(
        "a frame outside of the picture",
        moving + chunk("ANMF", repeated([255], 12) + [100, 0, 0, 0] + lossless)),
    ]
  }()

  static let bmp: [SeedFile] = {
    func file(
      _ name: String, width: Int = 8, height: Int = 8, depth: Int = 8, compression: Int = 0, colors: Int = 0,
      start: Int = 0, length: Int = 40, profile: [UInt8] = [], _ data: [UInt8] = []
    ) -> SeedFile {
      var header = MediaBytes.little(length, 4) + MediaBytes.little(width, 4) + MediaBytes.little(height, 4)
      header += [1, 0] + MediaBytes.little(depth, 2) + MediaBytes.little(compression, 4) + Boxes.zeros(12)
      header += MediaBytes.little(colors, 4) + Boxes.zeros(4)
      header += Boxes.zeros(max(0, length - 40))
      if !profile.isEmpty { header.replaceSubrange(56 - 0..<60, with: Array("DEBM".utf8)) }
      if !profile.isEmpty { header.replaceSubrange(112..<112 + profile.count, with: profile) }
      let head = Array("BM".utf8) + Boxes.zeros(8) + MediaBytes.little(start, 4)
      return SeedFile(name, "bmp", head + header + data)
    }
    return [
      file("a height of -2^31", height: 0x8000_0000),
      file("a palette of 2^32 colors", colors: 0xFFFF_FFFF),
      file("pixels behind the end", start: 0xFFFF_FFFF),
      file("pixels in the header", start: 1),
      file(
        "a profile of 2^32 bytes", length: 124,
        profile: repeated([0xFF], 8)),
      file("a profile that is the file", length: 124, profile: [0, 0, 0, 0, 0, 1, 0, 0]),
      file("rows of nothing", height: 30_000, compression: 1, repeated([0, 0], 20_000)),
      file("skips without an end", height: 30_000, compression: 1, repeated([0, 2, 255, 255], 5000)),
      file("runs beyond the row", height: 20, compression: 1, repeated([255, 1], 5000)),
      file("literals to the end", height: 20, depth: 4, compression: 2, repeated([0, 255], 5000)),
      file("masks of nothing", depth: 32, compression: 3, Boxes.zeros(16)),
      file("masks that lie over each other", depth: 32, compression: 3, repeated([255], 16)),
    ]
  }()
}
