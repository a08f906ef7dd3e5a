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
    FuzzTarget(name: name, words: words, seeds: { try pictures(kinds) + long(format) }) { bytes in
      guard PictureFormat(head: Array(bytes.prefix(PictureFormat.headLength))) == format else { return false }
      var budget = DecodeBudget()
      // Most files are small, for the sake of speed; the others show what the budget that counts lets through.
      if bytes.count % 8 != 0 {
        budget.storedPixels = 1 << 20
        budget.decodedPixels = 1 << 18
        budget.workingBytes = 1 << 22
      }
      budget.time = .seconds(5)
      guard var decoder = ImageDecoder(budget: budget) else { return true }
      // How small it may become is as good as chance, and follows from the file.
      let side = [4096, 1, 13, 30][bytes.count % 4]
      let heap = HeapPeak()
      let picture = try? decoder.decode(BytesReader(bytes: bytes), name: name) { size in
        size.scaled(toward: PixelSize(width: side, height: side), .aspectFit)
      }
      // The libraries' own tables, the file and its profile are small.
      let most = budget.workingBytes + budget.decodedPixels * PixelBuffer.bytesPerPixel + (2 << 20)
      if heap.bytes > most { fatalError("\(heap.bytes) bytes were taken, of \(most) that the budget allows") }
      if let picture {
        precondition((1...picture.pixels.height).contains(picture.visibleRows))
        _ = ColorManager().sRGB(picture.pixels, from: picture.colors)
      }
      return true
    }
  }

  /// Files of a few bytes that say to be millions of pixels long: longer than the budget allows, and as long.
  ///
  /// Their own length is such that all of the budget counts.
  private static func long(_ format: PictureFormat) -> [[UInt8]] {
    let files =
      switch format {
      case .bmp:
        [
          PictureFiles.bmp(width: 250_000_000, height: 4, depth: 1),
          PictureFiles.bmp(width: 1 << 20, height: -900, depth: 32),
          PictureFiles.bmp(width: 1 << 20, height: 1, depth: 1),
        ]
      case .png:
        [
          PictureFiles.png(width: 33_554_432, height: 29, traits: [16, 6, 0, 0, 0]),
          PictureFiles.png(width: 1 << 20, height: 900, traits: [16, 6, 0, 0, 1]),
          PictureFiles.png(width: 1 << 20, height: 1, traits: [16, 6, 0, 0, 0]),
          PictureFiles.png(
            width: 9, height: 9, before: PictureFiles.pngChunk("cICP", [9, 16, 0, 1]), dataChunks: 2),
        ]
      case .jpeg, .gif, .webp: [] as [[UInt8]]
      }
    return files.map { $0 + [UInt8](repeating: 0, count: 7 - ($0.count + 7) % 8) }
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
