import CodecProtocol
import Fixtures
import Pixels
import Testing

/// Single-frame formats that libavcodec decodes, by the real helper.
@Suite struct StillDecodeTests {
  /// The file's name, and the tolerance of its colors.
  static let formats: [(name: String, tolerance: Double)] = [
    ("a.ppm", 0), ("a.pam", 0), ("a.qoi", 0), ("a.jp2", 3), ("a.j2k", 3),
  ]

  private func file(_ name: String, _ options: [String] = []) throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 160, height: 120), to: "source.ppm")
    try folder.run(["ffmpeg", "-v", "error", "-y", "-i", "source.ppm"] + options + [name])
    return try folder.bytes(of: name)
  }

  @Test(arguments: formats)
  func `The colors are those of the file`(name: String, tolerance: Double) throws {
    let picture = try Decoding.picture(file(name))
    #expect(picture.pixels.size == PixelSize(width: 160, height: 120))
    #expect(picture.isUpright)
    #expect(picture.error <= tolerance)
    #expect(picture.isOpaque)
  }

  @Test func `A JPEG 2000 picture is rotated according to its EXIF`() throws {
    var exif = TIFFFile()
    exif.short(0x0112, 6)
    var bytes = try file("a.jp2")
    let place = try #require(bytes.firstRange(of: Array("jp2c".utf8))).lowerBound - 4
    bytes.insert(contentsOf: PictureFiles.jpeg2000Block("EXIF", exif.bytes()), at: place)
    let plain = try Decoding.picture(file("a.jp2")).pixels
    let turned = try Decoding.picture(bytes).pixels
    #expect(turned.size == PixelSize(width: 120, height: 160))
    // The first row is the right side.
    for (x, y) in [(0, 0), (159, 0), (40, 100)] { #expect(turned[119 - y, x] == plain[x, y]) }
  }

  @Test func `A graymap is gray, a bitmap black and white`() throws {
    let gray = try Decoding.picture(file("a.pgm")).pixels
    #expect(gray[159, 0].red == gray[159, 0].blue)
    let plain = Array("P1\n# two columns\n2 1\n1 0\n".utf8)
    let bitmap = try Decoding.picture(plain).pixels
    #expect(bitmap.size == PixelSize(width: 2, height: 1))
    #expect(bitmap[0, 0].red < 8 && bitmap[1, 0].red > 247)
  }

  @Test(arguments: ["a.ppm", "a.qoi", "a.jp2"])
  func `A truncated file is an error, or shown as far as it goes`(name: String) throws {
    let whole = try file(name)
    for length in [4, 12, 40, whole.count / 2] {
      do {
        let picture = try Decoding.picture(Array(whole.prefix(length)))
        #expect(picture.pixels.size == PixelSize(width: 160, height: 120))
      } catch let error as CodecError {
        guard case .unreadable = error else {
          Issue.record("\(length) bytes: \(error)")
          continue
        }
      }
    }
  }

  @Test func `A header that announces too many pixels is rejected`() {
    #expect(throws: CodecError.self) { try Decoding.picture(Array("P6\n1000000 1000000\n255\n".utf8)) }
    let qoi = Array("qoif".utf8) + [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 3, 0]
    #expect(throws: CodecError.self) { try Decoding.picture(qoi) }
  }
}
