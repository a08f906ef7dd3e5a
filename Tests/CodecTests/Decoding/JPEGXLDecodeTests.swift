import CodecProtocol
import Fixtures
import Glibc
import Pixels
import Testing

/// JPEG XL files by libjxl's encoder, decoded by the real helper.
@Suite struct JPEGXLDecodeTests {
  private func encode(
    _ picture: PixelBuffer = TestPicture.make(width: 160, height: 120), convert: [String] = [],
    options: [String]
  ) throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.write(picture, to: "a.ppm")
    try folder.write(HandmadeICC.displayP3, to: "p3.icc")
    // A gamma in the PNG would be taken for another profile.
    let plain = ["-define", "png:exclude-chunk=gAMA,cHRM"]
    try folder.run(["convert", "a.ppm"] + convert + plain + ["a.png"])
    try folder.run(["cjxl", "a.png", "a.jxl", "-e", "3"] + options)
    return try folder.bytes(of: "a.jxl")
  }

  @Test(
    arguments: [
      ([], ["-d", "0"], 0), (["-depth", "16"], ["-d", "0"], 0), ([], ["-d", "1"], 2),
      (["-depth", "16"], ["-d", "1"], 2), ([], ["-d", "0", "--container=1"], 0), ([], ["-d", "2", "-p"], 5),
    ] as [([String], [String], Double)])
  func `Colors stay within the tolerance of what was stored`(
    convert: [String], options: [String], tolerance: Double
  ) throws {
    let picture = try Decoding.picture(encode(convert: convert, options: options))
    #expect(picture.isUpright)
    #expect(picture.error <= tolerance)
    #expect(picture.isOpaque)
    #expect(picture.note == nil)
  }

  @Test(arguments: [["-d", "0"], ["-d", "0.5"]])
  func `A profile's colors are converted to sRGB`(options: [String]) throws {
    let source = PixelBuffer.testPictureInDisplayP3(width: 160, height: 120)
    #expect(
      try Decoding.picture(encode(source, convert: ["-profile", "p3.icc"], options: options)).error < 3)
  }

  @Test(arguments: [["-d", "0"], ["-d", "1"]])
  func `Alpha is preserved`(options: [String]) throws {
    let alpha = ["-alpha", "set", "-region", "80x120+80+0", "-channel", "A", "-evaluate", "set", "0"]
    let picture = try Decoding.picture(
      encode(convert: alpha + ["+channel", "+region", "-define", "png:color-type=6"], options: options))
    #expect(!picture.isOpaque)
    let pixels = picture.pixels
    #expect(pixels.bytes[(60 * 160 + 40) * 4 + 3] == 255)
    #expect(pixels.bytes[(60 * 160 + 120) * 4 + 3] == 0)
    #expect(TestPicture.Corner(of: pixels[5, 5]) == .topLeft)
  }

  @Test func `Gray stays gray`() throws {
    let grey = try Decoding.picture(encode(convert: ["-colorspace", "Gray"], options: ["-d", "0"])).pixels
    #expect(abs(Int(grey[159, 0].red) - 182) <= 2)
    #expect(grey[159, 0].red == grey[159, 0].blue)
  }

  @Test(arguments: Orientation.allCases)
  func `The orientation is applied once`(orientation: Orientation) throws {
    let folder = try ToolFolder()
    try folder.write(TestPhoto(width: 160, height: 96, orientation: orientation).bytes(), to: "a.jpg")
    try folder.run("cjxl", "a.jpg", "a.jxl")
    let bytes = try folder.bytes(of: "a.jxl")
    let picture = try Decoding.picture(bytes)
    #expect(picture.width == 160)
    #expect(picture.isUpright)
    #expect(try Decoding.picture(bytes, DecodeRequest(targetWidth: 80, targetHeight: 48)).isUpright)
  }

  @Test(arguments: [(80, 80), (20, 20), (16, 16)])
  func `A reduced picture looks like the large one`(target: Int, width: Int) throws {
    let bytes = try encode(options: ["-d", "1"])
    let picture = try Decoding.picture(bytes, DecodeRequest(targetWidth: target, targetHeight: target))
    #expect(picture.width == width)
    #expect(picture.isUpright)
  }

  @Test func `A truncated file is shown as far as it goes, with a note`() throws {
    // With several threads the order of the noise would differ each time.
    let noisy = ["-limit", "thread", "1", "-attenuate", "1", "+noise", "Gaussian", "-seed", "1"]
    let bytes = try encode(
      TestPicture.make(width: 600, height: 400), convert: noisy, options: ["-d", "1", "-p"])
    let picture = try Decoding.picture(Array(bytes.prefix(bytes.count * 3 / 4)))
    #expect(picture.note == "the file ends early")
    #expect(picture.isUpright)
    #expect(Decoding.error(Array(bytes.prefix(30))) == .unreadable("a damaged JPEG XL file"))
  }

  @Test func `A file without a preview has no embedded picture, and too many pixels are rejected`() throws {
    let bytes = try encode(options: ["-d", "1"])
    #expect(Decoding.error(bytes, DecodeRequest(source: .embedded)) == .nothingEmbedded)
    let reason = CodecError.tooLarge("the picture is 160 x 120 pixels, too large to be shown")
    #expect(Decoding.error(bytes, DecodeRequest(maxPixels: 160 * 120 - 1)) == reason)
  }

  @Test func `A file that is too large for its format is not opened`() throws {
    // Only a header, followed by a hole.
    let error = NamelessFile(PictureFiles.jpegXL(width: 300, height: 200)).withDescriptor { file in
      #expect(ftruncate(file, 1 << 30 + 1) == 0)
      do throws(CodecError) {
        _ = try Decoding.helper.decode(file, DecodeRequest())
        return nil as CodecError?
      } catch { return error }
    }
    #expect(error == .tooLarge("too large a file for this format"))
  }
}
