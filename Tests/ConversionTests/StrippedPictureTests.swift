import Decoding
import Fixtures
import Metadata
import Testing

@testable import Conversion

/// Complete files without their metadata, checked byte by byte.
@Suite struct StrippedPictureTests {
  private typealias Kind = StrippingDamageTests.Kind

  private static let secret = Array("Atlantis".utf8)

  private func stripped(
    _ bytes: [UInt8], _ kind: Kind, _ metadata: MetadataOutput = MetadataOutput()
  ) -> [UInt8]? { StrippingDamageTests.stripped(bytes, kind, metadata) }

  private func holdsSecret(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: Self.secret) }
  }

  private static var blocks: MetadataOutput {
    var metadata = MetadataOutput()
    metadata.exif = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0]
    metadata.xmp = Array("<x/>".utf8)
    return metadata
  }

  @Test(arguments: SmallPictures.kinds)
  func `Every kind of picture looks the same without metadata`(name: String) throws {
    let kind = try #require(
      [("jpg", Kind.jpeg), ("png", .png), ("gif", .gif), ("webp", .webp), ("bmp", .bmp)]
        .first { name.hasSuffix($0.0) }?.1)
    let bytes = try SmallPictures.bytes(name)
    let before = try #require(try decode(bytes))
    for metadata in [MetadataOutput(), Self.blocks] {
      let written = try #require(stripped(bytes, kind, metadata))
      let after = try #require(try decode(written))
      #expect(after.pixels == before.pixels && after.sourceSize == before.sourceSize)
      #expect(after.complaint.isEmpty && after.visibleRows == before.visibleRows)
    }
  }

  // MARK: JPEG

  @Test func `Data after the last block of a JPEG scan is not written`() throws {
    let photo = try TestPhoto(width: 64, height: 48).bytes()
    #expect(photo.suffix(2) == [0xFF, 0xD9])
    let written = try #require(stripped(Array(photo.dropLast(2)) + Self.secret + [0xFF, 0xD9], .jpeg))
    #expect(!holdsSecret(written))
    #expect(written == stripped(photo, .jpeg))
  }

  @Test func `A JPEG's color profile is kept in all parts, and an incomplete one is removed`() throws {
    let profile = try TestProfiles.displayP3()
    let middle = profile.count / 2
    let parts = [profile[..<middle], profile[middle...]].enumerated().map { index, part in
      JPEGSegments.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 2] + part)
    }
    let photo = try TestPhoto(width: 64, height: 48).bytes()
    let (start, rest) = (Array(photo[..<2]), Array(photo[2...]))
    let plain = try #require(PlainProfile.bytes(of: profile))
    let whole = try #require(stripped(start + parts[1] + parts[0] + rest, .jpeg))
    let segment = JPEGSegments.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + plain)
    #expect(whole.indices.contains { whole[$0...].starts(with: segment) })
    #expect(stripped(start + parts[0] + rest, .jpeg) == stripped(photo, .jpeg))
  }

  // MARK: GIF

  /// A picture of 2 × 2 pixels in 128 colors, whose codes of 8 bits are bytes: 0x80 clears, 0x81 ends.
  private func gif(
    _ blocks: [[UInt8]], codeSize: UInt8 = 7, before: [UInt8] = [], behind: [UInt8] = [0x3B]
  ) -> [UInt8] {
    var bytes: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0xF6, 0, 0]
    for color in 0..<128 { bytes += [UInt8(color), UInt8(255 - color), 7] }
    // With a color table of two colors.
    bytes += before + [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0x80, 1, 2, 3, 4, 5, 6, codeSize]
    for block in blocks { bytes += [UInt8(block.count)] + block }
    return bytes + [0] + behind
  }

  @Test(arguments: [
    // The end code.
    ([0x80, 0, 1, 2, 3, 0x81], 6),
    // After the last pixel one more code is read, which is not a valid one.
    ([0x80, 0, 1, 2, 3, 4], 6),
    // A two-pixel code that refers to itself.
    ([0x80, 5, 0x82, 6, 4], 5),
    // A code defined earlier: of pixels 0 and 1.
    ([0x80, 0, 1, 0x82, 4], 5),
    // An undefined code, at the start and later.
    ([0x80, 0x82], 2), ([0x80, 0, 0x84], 3),
    // A clear code resets the table.
    ([0x80, 0, 1, 0x80, 2, 0x82, 4], 7),
  ])
  func `Of a GIF's coded data only its pixels' codes are written`(codes: [UInt8], count: Int) throws {
    let expected = gif([Array(codes.prefix(count))])
    #expect(stripped(gif([codes + Self.secret]), .gif) == expected)
    #expect(stripped(gif([codes, Self.secret]), .gif) == expected)
  }

  @Test(arguments: [0, 12] as [UInt8])
  func `If a GIF's code size is invalid no data is written`(size: UInt8) {
    #expect(stripped(gif([Self.secret], codeSize: size), .gif) == gif([], codeSize: size))
  }

  @Test func `A GIF keeps its animation, and loses comments, texts and program data`() throws {
    let codes: [[UInt8]] = [[0x80, 0, 1, 2, 3, 0x81]]
    let words = [UInt8(Self.secret.count)] + Self.secret + [0]
    let control: [UInt8] = [0x21, 0xF9, 4, 1, 10, 0, 3, 0]
    func program(_ name: String, _ data: [UInt8]) -> [UInt8] { [0x21, 0xFF, 11] + Array(name.utf8) + data }
    let loop = program("NETSCAPE2.0", [3, 1, 5, 0, 0])
    let other = program("ANIMEXTS1.0", [3, 1, 6, 0, 0])
    let kept = gif(codes, before: loop + other + control)
    let comment: [UInt8] = [0x21, 0xFE] + words
    let text: [UInt8] = [0x21, 0x01] + words
    let longControl: [UInt8] = [0x21, 0xF9, 6, 1, 10, 0, 3, 7, 7, 0]
    let all = [
      comment, program("NETSCAPE2.0", [3, 1, 5, 0] + words), program("XMP DataXMP", words),
      program("NETSCAPE2.0", [5, 2, 1, 2, 3, 4, 0]), other, text, longControl,
    ].flatMap { $0 }
    #expect(stripped(gif(codes, before: all, behind: [0x3B] + Self.secret), .gif) == kept)
    // Its version matches its contents, and the trailer is added.
    let old = Array("GIF87a".utf8) + gif(codes, before: all, behind: [])[6...]
    #expect(stripped(old, .gif) == kept)
  }

  // MARK: BMP

  private static func little(_ values: Int...) -> [UInt8] { values.flatMap { MediaBytes.little($0, 4) } }

  @Test func `A BMP keeps its header, masks, colors and pixels, and loses printer data and profiles`()
    throws
  {
    let pixels = (0..<16).map { UInt8($0 + 1) }
    let shape = Self.little(2, -2, 24 << 16 | 1, 0)
    let masks = (1...16).map { UInt8($0) }
    func file(_ header: [UInt8], reserved: Int = 0, gap: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
      let start = 14 + header.count + gap.count
      return Array("BM".utf8) + Self.little(start + 16, reserved, start) + header + gap + pixels + behind
    }
    let kept = shape + Self.little(16, 0, 0, 0, 0)
    let printed = shape + Self.little(0, 2835, 2836, 0, 9)
    let short = Self.little(40) + kept
    #expect(
      stripped(
        file(Self.little(40) + printed, reserved: 77, gap: Self.secret, behind: Self.secret), .bmp)
        == file(short))
    let long =
      Self.little(108) + kept + masks + Array("BGRs".utf8) + [UInt8](repeating: 0, count: 48)
    for length in [108, 124] {
      let rest = Array("LINK".utf8) + (1...(length - 60)).map { UInt8($0) }
      #expect(stripped(file(Self.little(length) + printed + masks + rest), .bmp) == file(long))
    }
    // Exactly three masks after a short header.
    let header = Self.little(40, 2, 2, 32 << 16 | 1, 3, 16, 0, 0, 0, 0) + Array(masks.prefix(12))
    #expect(stripped(file(header, gap: Self.secret), .bmp) == file(header))
    // The oldest header, with colors of three bytes.
    let oldest = Self.little(12, 4 << 16 | 8, 1 << 16 | 1) + [9, 8, 7, 6, 5, 4]
    #expect(stripped(file(oldest, gap: Self.secret), .bmp) == file(oldest))
    // Two colors, fewer than the depth allows.
    let colors: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0]
    let few = Self.little(40, 3, 4, 8 << 16 | 1, 0, 16, 0, 0, 2, 0) + colors
    #expect(stripped(file(few, gap: Self.secret), .bmp) == file(few))
  }

  @Test func `A BMP that is truncated, too large, or of an unknown kind is rejected`() {
    func header(width: Int = 2, depth: Int = 24, compression: Int = 0) -> [UInt8] {
      Self.little(40, width, 2, depth << 16 | 1, compression, 0, 0, 0, 0, 0)
    }
    func file(_ header: [UInt8], _ pixels: Int) -> [UInt8] {
      Array("BM".utf8) + Self.little(70, 0, 54) + header + [UInt8](repeating: 1, count: pixels)
    }
    #expect(stripped(file(header(), 16), .bmp) != nil)
    #expect(stripped(file(header(), 15), .bmp) == nil)
    #expect(stripped(file(header(compression: 4), 16), .bmp) == nil)
    #expect(stripped(file(header(depth: 23), 16), .bmp) == nil)
    #expect(stripped(file(header(width: 1 << 20 + 1), 16), .bmp) == nil)
    #expect(stripped(Array("BM".utf8) + Self.little(70, 0, 53) + header(), .bmp) == nil)
  }

  // MARK: PNG

  private func png(_ colors: UInt8, _ chunks: [(String, [UInt8])]) -> [UInt8] {
    let header = PictureFiles.pngChunk(
      "IHDR", MediaBytes.big(2, 4) + MediaBytes.big(2, 4) + [8, colors, 0, 0, 0])
    let others = chunks.flatMap { PictureFiles.pngChunk($0.0, $0.1) }
    let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    return PNGChecksums.mended(mark + header + others + PictureFiles.pngChunk("IEND", []))
  }

  @Test(
    arguments: [
      (0, ["tRNS": 2, "bKGD": 2, "sBIT": 1]), (2, ["tRNS": 6, "bKGD": 6, "sBIT": 3]),
      (3, ["PLTE": 6, "tRNS": 2, "bKGD": 1, "sBIT": 3]), (4, ["bKGD": 2, "sBIT": 2]),
      (6, ["bKGD": 6, "sBIT": 4]),
    ] as [(UInt8, [String: Int])])
  func `A PNG's chunks have the length for its color type`(colors: UInt8, lengths: [String: Int]) {
    var lengths = lengths
    lengths.merge(["gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "pHYs": 9, "acTL": 8, "fcTL": 26]) { $1 }
    let names = lengths.keys.sorted()
    func data(_ name: String) -> [UInt8] { (0..<(lengths[name] ?? 0)).map { UInt8($0 + 1) } }
    let picture = [("IDAT", [1, 2, 3] as [UInt8]), ("fdAT", [0, 0, 0, 1, 4]), ("IDAT", [5])]
    let kept = png(colors, names.map { ($0, data($0)) } + picture)
    // A palette may have any length; for all other chunks the rest is ignored.
    let longer = names.map { name in
      let isList = name == "PLTE" || colors == 3 && name == "tRNS"
      return (name, data(name) + (isList ? [] : Self.secret))
    }
    let words = [("tEXt", Array("a\0".utf8) + Self.secret), ("teSt", Self.secret), ("eXIf", Self.secret)]
    #expect(
      stripped(png(colors, words + longer + words + longer.filter { $0.0 != "fcTL" } + picture), .png) == kept
    )
    #expect(stripped(kept + Self.secret, .png) == kept)
    for name in names where name != "PLTE" && !(colors == 3 && name == "tRNS") {
      let cut = names.map { ($0, Array(data($0).prefix($0 == name ? data($0).count - 1 : 99))) }
      let rest = names.filter { $0 != name }.map { ($0, data($0)) }
      #expect(stripped(png(colors, cut + picture), .png) == png(colors, rest + picture))
    }
  }

  @Test func `A PNG's metadata follows its header, and its profile is reduced`() throws {
    let profile = try TestProfiles.displayP3()
    let plain = try #require(PlainProfile.bytes(of: profile))
    let packed = ("iCCP", Array("Atlantis\0\0".utf8) + InflaterTests.deflated(profile))
    let picture = [("IDAT", [1, 2, 3] as [UInt8])]
    let written = try #require(stripped(png(2, [packed] + picture), .png, Self.blocks))
    #expect(!holdsSecret(written))
    let blocks = [
      ("eXIf", Self.blocks.exif), ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.blocks.xmp),
    ]
    let repacked = ("iCCP", Array("ICC\0\0".utf8) + InflaterTests.deflated(plain))
    #expect(written == png(2, blocks + [repacked] + picture))
    // An invalid profile is removed.
    for bad in [Array("a\0".utf8), Array("a\0\u{1}".utf8) + InflaterTests.deflated(profile), [1, 2, 3]] {
      #expect(stripped(png(2, [("iCCP", bad)] + picture), .png) == png(2, picture))
    }
  }

  // MARK: WebP

  private func extended(_ flags: UInt8) -> [UInt8] {
    PictureFiles.webpChunk("VP8X", [flags, 0, 0, 0, 63, 0, 0, 47, 0, 0])
  }

  @Test func `A WebP's header lists the metadata that is present`() throws {
    let picture = PictureFiles.webpChunk("ALPH", [1, 2, 3]) + PictureFiles.webpChunk("VP8 ", [4, 5, 6, 7])
    let profile = try TestProfiles.displayP3()
    let plain = try #require(PlainProfile.bytes(of: profile))
    let before = PictureFiles.webpChunk("ICCP", profile)
    let behind =
      PictureFiles.webpChunk("EXIF", Self.secret) + PictureFiles.webpChunk("XMP ", Self.secret)
      + PictureFiles.webpChunk("what", Self.secret) + PictureFiles.webpChunk("VP8L", Self.secret)
    let kept = PictureFiles.webpChunk("ICCP", plain) + picture
    let file = PictureFiles.webp(extended(0x3D) + before + picture + behind)
    #expect(stripped(file, .webp) == PictureFiles.webp(extended(0x30) + kept))
    let blocks =
      PictureFiles.webpChunk("EXIF", Self.blocks.exif) + PictureFiles.webpChunk("XMP ", Self.blocks.xmp)
    #expect(stripped(file, .webp, Self.blocks) == PictureFiles.webp(extended(0x3C) + kept + blocks))
    // A file without that chunk can't store them.
    #expect(stripped(PictureFiles.webp(picture + behind), .webp, Self.blocks) == PictureFiles.webp(picture))
  }

  @Test func `Frames of a WebP lose other data, and frames without a picture are removed`() throws {
    let head = (1...16).map { UInt8($0) }
    let picture = PictureFiles.webpChunk("ALPH", [1, 2, 3]) + PictureFiles.webpChunk("VP8L", [4, 5, 6])
    let secret = PictureFiles.webpChunk("what", Self.secret)
    func frame(_ chunks: [UInt8]) -> [UInt8] { PictureFiles.webpChunk("ANMF", head + chunks) }
    let animation = PictureFiles.webpChunk("ANIM", [1, 2, 3, 4, 5, 6])
    let longer = PictureFiles.webpChunk("ANIM", [1, 2, 3, 4, 5, 6] + Self.secret)
    let file = PictureFiles.webp(
      extended(0x02) + longer + frame(secret + picture + secret + picture) + frame(secret) + frame(picture)
        + frame([]) + longer)
    #expect(
      stripped(file, .webp) == PictureFiles.webp(extended(0x02) + animation + frame(picture) + frame(picture))
    )
  }
}
