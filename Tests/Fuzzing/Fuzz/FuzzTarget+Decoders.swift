import AssetLibrary
import Fixtures
@testable import Imaging
import Pixels

/// The decoders that are part of tpick, each with the files of its format, and the reader of thumbnails.
extension FuzzTarget {
  static let decoders = [
    decoder(
      "jpeg", .jpeg, ["\u{1}", "ICC_PROFILE\0", "Adobe", "Exif\0\0"],
      ["a.jpg", "-interlace JPEG b.jpg", "-colorspace CMYK c.jpg", "-colorspace gray -quality 20 d.jpg"]),
    decoder(
      "png", .png,
      ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "gAMA", "cHRM", "sRGB", "acTL", "fcTL", "fdAT"],
      ["PNG24:a.png", "-interlace PNG PNG32:b.png", "PNG48:c.png", "PNG8:d.png", "-colors 4 PNG8:e.png"]),
    decoder(
      "gif", .gif, ["GIF89a", "NETSCAPE2.0", "!\u{F9}\u{4}", ","], ["a.gif", "-interlace GIF b.gif"]),
    decoder(
      "webp", .webp, ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP "],
      ["-quality 80 a.webp", "-define webp:lossless=true b.webp", "-alpha off c.webp"]),
    decoder(
      "bmp", .bmp, ["BM"],
      [
        "BMP3:a.bmp", "-colors 100 -compress RLE BMP3:b.bmp", "-define bmp:subtype=RGB565 BMP:c.bmp",
        "BMP2:d.bmp",
        "BMP:e.bmp", "-colors 2 BMP3:f.bmp",
      ]),
    thumbnail,
  ]

  private static func decoder(
    _ name: String, _ format: PictureFormat, _ words: [String], _ kinds: [String]
  ) -> FuzzTarget {
    FuzzTarget(name: name, words: words, seeds: { try pictures(kinds) }) { bytes in
      guard PictureFormat(head: Array(bytes.prefix(PictureFormat.headLength))) == format else { return false }
      var budget = DecodeBudget()
      budget.storedPixels = 1 << 20
      budget.workingBytes = 1 << 24
      budget.time = .seconds(10)
      guard var decoder = ImageDecoder(budget: budget) else { return true }
      // How small it may become is as good as chance, and follows from the file.
      let side = [4096, 1, 13, 30][bytes.count % 4]
      let picture = try? decoder.decode(BytesReader(bytes: bytes), name: name) { size in
        size.scaled(toward: PixelSize(width: side, height: side), .aspectFit)
      }
      if let picture {
        precondition((1...picture.pixels.height).contains(picture.visibleRows))
        _ = ColorManager().sRGB(picture.pixels, from: picture.colors)
      }
      return true
    }
  }

  private static var thumbnail: FuzzTarget {
    let words = ["IHDR", "IDAT", "IEND", "tEXt", "zTXt", "iTXt", "Thumb::URI\0file:///a", "Thumb::MTime\0"]
    return FuzzTarget(
      name: "thumbnail", words: words,
      seeds: {
        let texts = [("Thumb::URI", "file:///a.jpg"), ("Thumb::MTime", "1700000000"), ("Thumb::Size", "12")]
        let picture = TestScene.make(PixelSize(width: 32, height: 24), hasAlpha: true)
        let ours = ThumbnailEncoder.encode(picture, words: texts.map { (keyword: $0.0, text: $0.1) })
        return try pictures(["PNG24:a.png", "PNG8:b.png"]) + [ours].compactMap { $0 }
      }, mend: PNGChecksums.mended
    ) { bytes in
      bytes.withUnsafeBytes { bytes in
        guard var reader = ThumbnailReader(bytes, size: .normal) else { return }
        _ = reader.attributes.sourceSize
        _ = reader.picture()
        _ = reader.attributes.sourceSize
      }
      return true
    }
  }

  /// Small pictures by ImageMagick, as words for `convert`.
  static func pictures(_ kinds: [String]) throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    try folder.write(TestScene.make(PixelSize(width: 24, height: 17), hasAlpha: true).pam, to: "scene.pam")
    return try kinds.map { kind in
      let words = kind.split(separator: " ").map(String.init)
      try folder.run(["convert", "scene.pam", "-strip"] + words)
      return try folder.bytes(of: words.last?.split(separator: ":").last.map(String.init) ?? "")
    }
  }
}

/// Bytes in memory as a file to read from.
struct BytesReader: ResourceReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let found = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: found)
    return found.count
  }
}
