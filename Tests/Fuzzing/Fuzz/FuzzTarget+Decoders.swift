import AssetLibrary
@testable import Decoding
import Fixtures
import Imaging
import Pixels
import Rendering

/// The decoders that are part of tpick, each with files of its format, and the thumbnail reader.
extension FuzzTarget {
  static let decoders = [
    decoder("jpeg", .jpeg, ["\u{1}", "ICC_PROFILE\0", "Adobe", "Exif\0\0"]) {
      try EncodedFiles.jpeg().map(\.bytes) + [secondFrame()] + HostileFiles.all("jpg")
    },
    decoder(
      "png", .png,
      ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "gAMA", "cHRM", "sRGB", "acTL", "fcTL", "fdAT"]
    ) {
      try EncodedFiles.png().map(\.bytes) + long(.png) + HostileFiles.all("png")
    },
    decoder("gif", .gif, ["GIF89a", "NETSCAPE2.0", "!\u{F9}\u{4}", ","]) {
      try EncodedFiles.gif().map(\.bytes) + HostileFiles.all("gif")
    },
    decoder("webp", .webp, ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP "]) {
      try EncodedFiles.webp().map(\.bytes) + HostileFiles.all("webp")
    },
    decoder("bmp", .bmp, ["BM"]) {
      try EncodedFiles.bmp().map(\.bytes) + long(.bmp) + HostileFiles.all("bmp")
    },
    thumbnail,
  ]

  private static func decoder(
    _ name: String, _ format: PictureFormat, _ words: [String],
    _ seeds: @escaping @Sendable () throws -> [[UInt8]]
  ) -> FuzzTarget {
    FuzzTarget(
      name: name, words: words,
      memory: { bytes in
        let budget = budget(for: bytes)
        // The libraries' own tables, the file and its profile are small; libspng allocates a text by its chunk's
        // length, up to the given limit, before it reads it.
        let text = format == .png ? 16 << 20 : 0
        return budget.workingBytes + budget.decodedPixels * PixelBuffer.bytesPerPixel + (4 << 20) + text
      }, seeds: seeds
    ) { bytes in
      guard PictureFormat(head: Array(bytes.prefix(PictureFormat.headLength))) == format else { return false }
      guard var decoder = ImageDecoder(budget: budget(for: bytes)) else { return true }
      // The target size is pseudorandom, derived from the file.
      let side = [4096, 1, 13, 30][bytes.count % 4]
      let picture = try? decoder.decode(MemoryReader(bytes), name: name) { size in
        size.scaled(toward: PixelSize(width: side, height: side), .aspectFit)
      }
      if let picture {
        precondition((1...picture.pixels.height).contains(picture.visibleRows))
        _ = ColorManager().sRGB(picture.pixels, from: picture.colors)
      }
      return true
    }
  }

  /// Most files are small, for speed; the others show what the counting budget permits.
  private static func budget(for bytes: [UInt8]) -> DecodeBudget {
    var budget = DecodeBudget()
    if bytes.count % 8 != 0 {
      budget.storedPixels = 1 << 20
      budget.decodedPixels = 1 << 18
      budget.workingBytes = 1 << 22
    }
    budget.time = .seconds(5)
    return budget
  }

  /// A progressive picture with another frame's header after its scans.
  private static func secondFrame() throws -> [UInt8] {
    var photo = TestPhoto(width: 24, height: 18)
    photo.isProgressive = true
    let bytes = try photo.bytes()
    return bytes.dropLast(2) + [0xFF, 0xC0, 0, 11, 8, 0, 99, 0, 99, 1, 1, 0x11, 0] + bytes.suffix(2)
  }

  /// Files of a few bytes that claim to be millions of pixels long: beyond the budget, and exactly at it.
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
      default: [] as [[UInt8]]
      }
    return files.map { $0 + [UInt8](repeating: 0, count: 7 - ($0.count + 7) % 8) }
  }

  private static var thumbnail: FuzzTarget {
    let words = ["IHDR", "IDAT", "IEND", "tEXt", "zTXt", "iTXt", "Thumb::URI\0file:///a", "Thumb::MTime\0"]
    return FuzzTarget(
      name: "thumbnail", words: words, memory: { _ in 16 << 20 },
      seeds: {
        let texts = [("Thumb::URI", "file:///a.jpg"), ("Thumb::MTime", "1700000000"), ("Thumb::Size", "12")]
        let picture = TestScene.make(PixelSize(width: 32, height: 24), hasAlpha: true)
        let ours = PNGEncoder.encode(
          picture, effort: .quick, texts: texts.map { PNGEncoder.Text($0.0, Array($0.1.utf8)) })
        return try EncodedFiles.convert(["PNG24:a.png", "PNG8:b.png"]).map(\.bytes) + [ours].compactMap { $0 }
      }, mend: PNGChecksums.mended
    ) { bytes in
      bytes.withUnsafeBytes { bytes in
        guard var reader = ThumbnailReader(bytes, longestSide: 256) else { return }
        if let picture = reader.picture() { precondition(max(picture.width, picture.height) <= 256) }
        precondition(reader.words.values.allSatisfy { $0.utf8.count <= 4 << 20 })
      }
      return true
    }
  }
}
