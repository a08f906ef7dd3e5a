import AssetLibrary
import Fixtures
import Pixels
import Testing
import Decoding

@testable import Imaging

/// Ways to store a picture that only some formats have.
@Suite(.timeLimit(.minutes(120))) struct PictureKindTests {
  private func alpha(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> UInt8 {
    picture.bytes[(y * picture.width + x) * 4 + 3]
  }

  @Test func `An animated GIF shows its first frame at its position, on transparency`() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "convert", "-size", "20x15", "-page", "60x40+10+6", "xc:#ff0000", "-size", "60x40", "-page",
      "60x40+0+0",
      "xc:#0000ff", "-loop", "0", "a.gif")
    for reduction in [1, 3] {
      let picture = try #require(
        try decode(
          folder.bytes(of: "a.gif"), needed: { _ in PixelSize(width: 60 / reduction, height: 40 / reduction) }
        ))
      let pixels = picture.pixels
      #expect(pixels.size == PixelSize(width: 60 / reduction, height: (40 + reduction - 1) / reduction))
      #expect(pixels[20 / reduction, 13 / reduction] == Color(red: 255, green: 0, blue: 0))
      #expect(alpha(pixels, 20 / reduction, 13 / reduction) == 255)
      #expect(alpha(pixels, 2, 1) == 0)
      #expect(alpha(pixels, 50 / reduction, 30 / reduction) == 0)
    }
  }

  @Test func `An animated WebP shows its first frame at its position, on transparency`() throws {
    let folder = try TemporaryFolder()
    try folder.run("convert", "-size", "20x14", "xc:#ff0000", "-define", "webp:lossless=true", "a.webp")
    let frame = Array(try folder.bytes(of: "a.webp").dropFirst(12))
    func animated(_ x: Int, _ y: Int) -> [UInt8] {
      PictureFiles.webpChunk(
        "ANMF",
        MediaBytes.little(x / 2, 3) + MediaBytes.little(y / 2, 3) + MediaBytes.little(19, 3)
          + MediaBytes.little(13, 3) + MediaBytes.little(100, 3) + [0] + frame)
    }
    let bytes = PictureFiles.webp(
      PictureFiles.webpChunk(
        "VP8X", [0x12, 0, 0, 0] + MediaBytes.little(59, 3) + MediaBytes.little(39, 3))
        + PictureFiles.webpChunk("ANIM", [0, 0, 0, 0, 0, 0]) + animated(10, 6) + animated(0, 0))
    for reduction in [1, 2] {
      let picture = try #require(
        try decode(bytes, needed: { _ in PixelSize(width: 60 / reduction, height: 40 / reduction) }))
      let pixels = picture.pixels
      #expect(picture.complaint.isEmpty)
      #expect(pixels.size == PixelSize(width: 60 / reduction, height: 40 / reduction))
      #expect(pixels[20 / reduction, 13 / reduction] == Color(red: 255, green: 0, blue: 0))
      #expect(alpha(pixels, 20 / reduction, 13 / reduction) == 255)
      #expect(alpha(pixels, 2, 1) == 0)
      #expect(alpha(pixels, 50 / reduction, 30 / reduction) == 0)
    }
  }

  @Test func `An animated PNG shows its default image`() throws {
    let folder = try TemporaryFolder()
    let source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-pix_fmt", "rgb24"]
    try folder.run(["ffmpeg"] + source + ["-f", "apng", "moving.png"])
    try folder.run(["ffmpeg"] + source + ["-frames:v", "1", "still.png"])
    let moving = try #require(try decode(folder.bytes(of: "moving.png")))
    let still = try #require(try decode(folder.bytes(of: "still.png")))
    #expect(moving.pixels == still.pixels)
    #expect(moving.complaint.isEmpty)
  }

  @Test func `A bitmap may be stored top-down`() throws {
    var bytes = try SmallPictures.bytes("BMP3:a.bmp")
    let upright = try #require(try decode(bytes)).pixels
    bytes.replaceSubrange(22..<26, with: MediaBytes.little(-32, 4))
    let flipped = try #require(try decode(bytes)).pixels
    for y in 0..<32 { #expect(flipped[7, y] == upright[7, 31 - y]) }
  }

  /// A bitmap with OS/2's header: one row of two pixels, red and white.
  @Test func `A bitmap with the oldest header is decoded`() throws {
    let header = MediaBytes.little(12, 4) + [2, 0, 1, 0, 1, 0, 24, 0]
    let bytes =
      Array("BM".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 26, 0, 0, 0] + header + [0, 0, 255, 255, 255, 255, 0, 0]
    let picture = try #require(try decode(bytes)).pixels
    #expect(picture.size == PixelSize(width: 2, height: 1))
    #expect(picture[0, 0] == Color(red: 255, green: 0, blue: 0))
    #expect(picture[1, 0] == .white)
  }

  /// Codes of four bits: a run, literals, a jump, the end.
  @Test func `Four-bit runs and jumps are decoded`() throws {
    let codes: [UInt8] = [5, 0x12, 0, 3, 0x21, 0x20, 0, 0, 2, 0x11, 0, 2, 1, 1, 3, 0x22, 0, 1]
    let palette: [UInt8] = [0, 0, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0]
    var header = MediaBytes.little(40, 4) + MediaBytes.little(8, 4) + MediaBytes.little(4, 4) + [1, 0, 4, 0]
    header +=
      MediaBytes.little(2, 4) + [UInt8](repeating: 0, count: 12) + MediaBytes.little(3, 4) + [0, 0, 0, 0]
    let bytes =
      Array("BM".utf8) + [UInt8](repeating: 0, count: 8) + MediaBytes.little(54 + palette.count, 4) + header
      + palette + codes
    let picture = try #require(try decode(bytes))
    let indices = (0..<4).map { y in
      (0..<8).map { x -> Int in
        let color = picture.pixels[x, y]
        return color == .white ? 2 : color == Color(red: 255, green: 0, blue: 0) ? 1 : 0
      }
    }
    #expect(
      indices == [
        [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 2, 2, 2, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0],
        [1, 2, 1, 2, 1, 2, 1, 2],
      ])
    #expect(picture.complaint.isEmpty)
  }

  @Test(arguments: SmallPictures.kinds)
  func `The library's orientation is applied once`(kind: String) async throws {
    let library = TestLibrary()
    let bytes = try SmallPictures.bytes(kind)
    let asset = library.add(bytes, named: "x", orientation: .rightTop, storedSize: SmallPictures.size)
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(100))
    let plain = try await PictureTools().shown(bytes, at: .square(100))
    #expect(log.pictures.last == plain.upright(from: .rightTop))
  }

  @Test func `A thumbnail comes first, whatever the format of its picture`() async throws {
    let thumbnail = try TestPhoto(width: 16, height: 12).bytes()
    for kind in SmallPictures.kinds {
      let bytes = try SmallPictures.bytes(kind)
      let library = TestLibrary()
      let asset = library.add(
        bytes + thumbnail, named: "x", storedSize: SmallPictures.size,
        thumbnail: bytes.count..<bytes.count + thumbnail.count)
      let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(24), count: 2)
      // The picture is wider than its thumbnail, so the bars are removed.
      #expect(log.answers.first == .degraded(PixelSize(width: 16, height: 12)))
      #expect(log.answers.last == .final(PixelSize(width: 24, height: 16), note: nil))
    }
  }
}
