import CodecProtocol
import Fixtures
import Pixels
import Testing

/// TIFF files by ImageMagick, decoded by the real helper and compared with the source picture.
@Suite struct TIFFDecodeTests {
  private let source = TestPicture.make(width: 120, height: 88)

  /// ImageMagick's TIFF of the test picture.
  private func tiff(_ options: [String], of picture: PixelBuffer? = nil) throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.write(picture ?? source, to: "a.ppm")
    try folder.run(["convert", "a.ppm"] + options + ["a.tif"])
    return try folder.bytes(of: "a.tif")
  }

  @Test(
    arguments: [
      (["-compress", "none"], 0), (["-compress", "lzw"], 0), (["-compress", "zip"], 0),
      (["-compress", "rle"], 0), (["-endian", "MSB", "-compress", "none"], 0),
      (["-depth", "16", "-compress", "lzw"], 0), (["-depth", "16", "-endian", "MSB"], 0),
      (["-depth", "32", "-compress", "zip"], 0), (["-depth", "32", "-endian", "MSB"], 0),
      (["-depth", "32", "-define", "quantum:format=floating-point", "-compress", "lzw"], 0),
      (
        [
          "-depth", "64", "-define", "quantum:format=floating-point", "-compress", "zip", "-interlace",
          "plane",
        ], 0
      ),
      (["-depth", "16", "-define", "quantum:format=floating-point", "-compress", "lzw"], 0),
      (
        [
          "-depth", "32", "-define", "quantum:format=floating-point", "-compress", "lzw", "-define",
          "tiff:tile-geometry=32x48",
        ], 0
      ),
      (["-depth", "32", "-colorspace", "CMYK"], 1),
      (["-depth", "32", "-alpha", "on", "-compress", "zip"], 0),
      (["-define", "tiff:tile-geometry=32x48", "-compress", "none"], 0),
      (["-define", "tiff:tile-geometry=32x48", "-compress", "zip", "-depth", "16"], 0),
      (["-define", "tiff:rows-per-strip=7", "-compress", "lzw"], 0),
      (["-interlace", "plane", "-compress", "none"], 0),
      (["-interlace", "plane", "-compress", "zip", "-depth", "16"], 0),
      (["-define", "tiff:write-layers=false", "-alpha", "on", "-compress", "lzw"], 0),
      (["-colors", "200", "-type", "palette", "-compress", "lzw"], 1),
      (["-colorspace", "CMYK", "-compress", "lzw"], 1), (["-compress", "jpeg", "-quality", "95"], 3),
    ] as [([String], Double)])
  func `Colors stay within the tolerance of what was stored`(options: [String], tolerance: Double) throws {
    let picture = try Decoding.picture(tiff(options))
    #expect(picture.isUpright)
    #expect(picture.error <= tolerance)
    #expect(picture.isOpaque)
    #expect(picture.note == nil)
    #expect(picture.sourceWidth == 120)
    #expect(picture.sourceHeight == 88)
  }

  @Test(
    arguments: [
      ["-colorspace", "Gray"], ["-colorspace", "Gray", "-depth", "16"],
      ["-colorspace", "Gray", "-depth", "32"],
      [
        "-colorspace", "Gray", "-depth", "32", "-define", "quantum:format=floating-point", "-compress", "lzw",
      ],
      ["-colorspace", "Gray", "-negate", "-define", "quantum:polarity=min-is-white"],
    ])
  func `Gray stays gray`(options: [String]) throws {
    let picture = try Decoding.picture(tiff(options)).pixels
    // ITU-R BT.709's weight of green, from which the other corners are far enough.
    let green = picture[119, 0]
    #expect(green.red == green.green && green.green == green.blue)
    #expect(abs(Int(green.red) - 182) <= 2)
    #expect(abs(Int(picture[60, 44].red) - 128) <= 2)
  }

  @Test(arguments: [["-compress", "zip"], ["-depth", "16"], ["-endian", "MSB"]])
  func `A BigTIFF is a TIFF`(options: [String]) throws {
    let folder = try ToolFolder()
    try folder.write(source, to: "a.ppm")
    try folder.run(["convert", "a.ppm"] + options + ["TIFF64:a.tif"])
    let bytes = try folder.bytes(of: "a.tif")
    #expect(bytes[2] == 43 || bytes[3] == 43)
    let picture = try Decoding.picture(bytes)
    #expect(picture.isUpright && picture.error == 0)
  }

  @Test func `One bit per pixel is black and white`() throws {
    let picture = try Decoding.picture(
      tiff(["-threshold", "50%", "-type", "bilevel", "-compress", "group4"])
    ).pixels
    #expect(Set(picture.bytes) == [0, 255])
  }

  @Test(arguments: Orientation.allCases)
  func `The orientation is applied once`(orientation: Orientation) throws {
    let stored = source.stored(as: orientation)
    let bytes = try tiff(
      ["-compress", "none", "-orient", Self.names[Int(orientation.rawValue) - 1]], of: stored)
    let whole = try Decoding.picture(bytes)
    #expect(whole.error == 0)
    #expect(whole.sourceWidth == 120)
    let small = try Decoding.picture(bytes, DecodeRequest(targetWidth: 40, targetHeight: 29))
    #expect(small.width == 40)
    #expect(small.height == 30)
    #expect(small.isUpright)
  }

  private static let names = [
    "top-left", "top-right", "bottom-right", "bottom-left", "left-top", "right-top", "right-bottom",
    "left-bottom",
  ]

  @Test(arguments: [[], ["-depth", "16"]])
  func `Alpha is preserved, and hidden colors do not bleed into a reduced picture`(options: [String]) throws {
    // The left half is white and opaque, the right half is red and transparent.
    let bytes = try tiff(
      options + [
        "-size", "90x60", "xc:white", "-alpha", "set", "-region", "45x60+45+0", "-fill", "red", "-colorize",
        "100", "-channel", "A", "-evaluate", "set", "0", "+channel", "+region", "-delete", "0",
      ])
    let whole = try Decoding.picture(bytes)
    #expect(!whole.isOpaque)
    #expect(whole.pixels.bytes[3] == 255)
    #expect(whole.pixels.bytes[89 * 4 + 3] == 0)
    // Blocks of 2 pixels, one of which spans the edge.
    let small = try Decoding.picture(bytes, DecodeRequest(targetWidth: 45, targetHeight: 30))
    let edge = Array(small.pixels.bytes[22 * 4..<23 * 4])
    #expect(edge[..<3] == [255, 255, 255])
    #expect((127...128).contains(edge[3]))
  }

  @Test func `A profile's colors are converted to sRGB`() throws {
    let folder = try ToolFolder()
    try folder.write(PixelBuffer.testPictureInDisplayP3(width: 120, height: 88), to: "a.ppm")
    try folder.write(HandmadeICC.displayP3, to: "p3.icc")
    for (name, depth) in [("a.tif", "8"), ("b.tif", "16")] {
      try folder.run("convert", "a.ppm", "-depth", depth, "-profile", "p3.icc", "-compress", "lzw", name)
      #expect(try Decoding.picture(folder.bytes(of: name)).error < 1)
    }
  }

  @Test func `A gray profile's values are converted to sRGB`() throws {
    let folder = try ToolFolder()
    try folder.write(HandmadeICC.linearGrey, to: "grey.icc")
    try folder.run(
      "convert", "-size", "16x16", "xc:gray(50%)", "-colorspace", "Gray", "-profile", "grey.icc", "-depth",
      "8", "-type", "Grayscale", "a.tif")
    // Half of the light is 188 in sRGB.
    let grey = try Decoding.picture(folder.bytes(of: "a.tif")).pixels[8, 8]
    #expect(abs(Int(grey.red) - 188) <= 2)
    #expect(grey.red == grey.blue)
  }

  @Test(arguments: [
    (40, 29, true, 40, 30), (40, 30, true, 60, 44), (50, 50, false, 60, 44), (119, 1, true, 120, 88),
  ])
  func `A reduced picture is at least as large as requested`(
    targetWidth: Int, targetHeight: Int, fills: Bool, width: Int, height: Int
  ) throws {
    let request = DecodeRequest(targetWidth: targetWidth, targetHeight: targetHeight, fills: fills)
    let picture = try Decoding.picture(tiff(["-compress", "lzw"]), request)
    #expect(picture.width == width)
    #expect(picture.height == height)
    #expect(picture.isUpright)
    #expect(picture.sourceWidth == 120)
  }

  @Test func `A smaller version in the file is used if it is large enough`() throws {
    let folder = try ToolFolder()
    try folder.write(source, to: "a.ppm")
    // Its colors show that it was used.
    try folder.run(
      "convert", "a.ppm", "-compress", "none", "(", "+clone", "-negate", "-resize", "60x44!", ")", "a.tif")
    try folder.run("exiftool", "-n", "-IFD1:SubfileType=1", "a.tif")
    let bytes = try folder.bytes(of: "a.tif")
    let embedded = try Decoding.picture(bytes, DecodeRequest(source: .embedded))
    #expect(embedded.width == 60)
    #expect(embedded.sourceWidth == 120)
    #expect(embedded.pixels[2, 2] == Color(red: 0, green: 255, blue: 255))
    #expect(try Decoding.picture(bytes, DecodeRequest(targetWidth: 60, targetHeight: 44)).width == 60)
    #expect(
      try !Decoding.picture(bytes, DecodeRequest(targetWidth: 60, targetHeight: 44)).isUpright)
    #expect(try Decoding.picture(bytes, DecodeRequest(targetWidth: 61, targetHeight: 45)).isUpright)
    #expect(try Decoding.picture(bytes).isUpright)
    #expect(Decoding.error(try tiff([]), DecodeRequest(source: .embedded)) == .nothingEmbedded)
  }

  @Test func `Missing parts are transparent, with a note`() throws {
    var bytes = try tiff(["-compress", "none", "-endian", "LSB", "-define", "tiff:rows-per-strip=8"])
    // ImageMagick writes strip after strip from byte 8 on; the third one is moved beyond the file's end.
    let third = withUnsafeBytes(of: UInt32(8 + 2 * 8 * 120 * 3).littleEndian) { Array($0) }
    let list = bytes.count - 2000
    let place = try #require(bytes[list...].firstRange(of: third))
    bytes.replaceSubrange(place, with: [0xFF, 0xFF, 0xFF, 0x7F])
    let picture = try Decoding.picture(bytes)
    #expect(picture.note == "parts of the picture are damaged or missing")
    #expect(!picture.isOpaque)
    let pixels = picture.pixels
    #expect((0..<88).filter { pixels.bytes[$0 * 120 * 4 + 3] == 0 } == Array(16..<24))
    #expect(picture.isUpright)
    let small = try Decoding.picture(bytes, DecodeRequest(targetHeight: 11, fills: true)).pixels
    #expect((0..<11).filter { small.bytes[$0 * small.width * 4 + 3] == 0 } == [2])
  }

  @Test func `In a row of tiles with a damaged one the others are shown`() throws {
    var bytes = try tiff(["-compress", "zip", "-define", "tiff:tile-geometry=32x48"])
    // The first tile begins at byte 8.
    bytes.replaceSubrange(20..<40, with: [UInt8](repeating: 0xFF, count: 20))
    let picture = try Decoding.picture(bytes)
    #expect(picture.note == "parts of the picture are damaged or missing")
    let pixels = picture.pixels
    #expect(pixels[5, 5] != source[5, 5])
    #expect((0..<88).allSatisfy { pixels[115, $0] == source[115, $0] })
  }

  @Test func `A mask is not taken for the picture`() throws {
    let folder = try ToolFolder()
    try folder.write(source, to: "a.ppm")
    try folder.run("convert", "(", "a.ppm", "-negate", ")", "a.ppm", "-compress", "none", "a.tif")
    #expect(try !Decoding.picture(folder.bytes(of: "a.tif")).isUpright)
    try folder.run("exiftool", "-n", "-IFD0:SubfileType=4", "a.tif")
    #expect(try Decoding.picture(folder.bytes(of: "a.tif")).isUpright)
  }

  @Test(arguments: Orientation.allCases)
  func `A smaller version without an orientation has that of the picture`(
    orientation: Orientation
  ) throws {
    let folder = try ToolFolder()
    try folder.write(source.stored(as: orientation), to: "a.ppm")
    try folder.write(TestPicture.make(width: 60, height: 44).stored(as: orientation), to: "b.ppm")
    try folder.run("convert", "a.ppm", "b.ppm", "-compress", "none", "a.tif")
    try folder.run(
      "exiftool", "-n", "-IFD0:Orientation=\(orientation.rawValue)", "-IFD1:Orientation=",
      "-IFD1:SubfileType=1", "a.tif")
    let embedded = try Decoding.picture(folder.bytes(of: "a.tif"), DecodeRequest(source: .embedded))
    #expect(embedded.width == 60 && embedded.height == 44)
    #expect(embedded.isUpright)
  }

  @Test func `A file without its directory is damaged`() throws {
    // ImageMagick writes the directory after the pixels.
    let bytes = try tiff(["-compress", "none"])
    #expect(Decoding.error(Array(bytes.prefix(bytes.count / 2))) != nil)
  }

  @Test func `A picture with too many pixels is rejected`() throws {
    let bytes = try tiff(["-compress", "lzw"])
    let reason = CodecError.tooLarge("the picture is 120 x 88 pixels, too large to be shown")
    #expect(Decoding.error(bytes, DecodeRequest(maxPixels: 120 * 88 - 1)) == reason)
    #expect(Decoding.error(bytes, DecodeRequest(maxPixels: 120 * 88)) == nil)
  }
}
