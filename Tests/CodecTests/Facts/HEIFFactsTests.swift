import Fixtures
import CodecProtocol
import Fixtures
import Testing

/// HEIC and AVIF files put together by hand, read by the real helper.
@Suite struct HEIFFactsTests {
  private let helper = CodecHelper(program: Program.helper)

  private func facts(_ file: HandmadeHEIC) throws -> CodecFacts {
    try helper.facts(ofBytes: file.bytes)
  }

  @Test func `A picture has its size and nothing else`() throws {
    var expected = CodecFacts()
    expected.width = 640
    expected.height = 480
    expected.imageCount = 1
    #expect(try facts(HandmadeHEIC()) == expected)
  }

  @Test(arguments: [(0, 640, 480), (1, 480, 640), (2, 640, 480), (3, 480, 640)] as [(UInt8, Int, Int)])
  func `The size is that of the turned picture`(turns: UInt8, width: Int, height: Int) throws {
    let facts = try facts(HandmadeHEIC(quarterTurns: turns))
    #expect(facts.width == width)
    #expect(facts.height == height)
  }

  @Test(arguments: [
    [], ["urn:mpeg:hevc:2015:auxid:2"], ["urn:com:apple:photo:2020:aux:hdrgainmap"],
    ["urn:com:apple:photo:2020:aux:hdrgainmap", "urn:mpeg:hevc:2015:auxid:2"],
  ])
  func `Auxiliary images are told by their types`(types: [String]) throws {
    let facts = try facts(HandmadeHEIC(auxiliaryTypes: types))
    #expect(facts.auxiliaryTypes == types)
    #expect(facts.imageCount == 1)
  }

  @Test(arguments: [12, 600, 5000])
  func `The EXIF block begins with its TIFF header`(count: Int) throws {
    let exif = [0x4D, 0x4D, 0, 42] + (0..<count).map { UInt8($0 % 251) }
    #expect(try facts(HandmadeHEIC(exif: exif)).exif == exif)
  }

  @Test(arguments: [0, 600, 5000])
  func `The XMP packet comes as it is`(count: Int) throws {
    let xmp = "<?xpacket?>" + String(repeating: "x", count: count)
    #expect(try facts(HandmadeHEIC(xmp: xmp)).xmp == Array(xmp.utf8))
  }

  @Test func `Two pictures are two, and a stereo pair only if the file says so`() throws {
    let two = try facts(HandmadeHEIC(hasSecondPicture: true))
    #expect(two.imageCount == 2)
    #expect(!two.isStereo)
    #expect(!two.isAnimated)
    #expect(try facts(HandmadeHEIC(hasSecondPicture: true, isStereo: true)).isStereo)
  }

  @Test func `Pictures of the libheif encoder are read with their metadata`() throws {
    let folder = try ToolFolder()
    try folder.run("ffmpeg", "-f", "lavfi", "-i", "testsrc=s=160x120", "-frames:v", "1", "a.jpg")
    try folder.run("exiftool", "-Make=Testmaker", "-XMP-dc:Subject=harbour", "a.jpg")
    try folder.run("heif-enc", "a.jpg", "-o", "a.heic")
    try folder.run("heif-enc", "-A", "a.jpg", "-o", "a.avif")
    for name in ["a.heic", "a.avif"] {
      let facts = try folder.facts(of: name, helper)
      #expect(facts.width == 160)
      #expect(facts.height == 120)
      #expect(facts.exif.starts(with: [0x4D, 0x4D, 0, 42]))
      #expect(String(decoding: facts.xmp, as: UTF8.self).contains("harbour"))
    }
  }

  @Test(arguments: [(1, false), (5, true)])
  func `An AVIF of several frames is animated`(frames: Int, isAnimated: Bool) throws {
    let folder = try ToolFolder()
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-frames:v", "\(frames)", "-c:v",
      "libaom-av1",
      "-cpu-used", "8", "a.avif")
    let facts = try folder.facts(of: "a.avif", helper)
    #expect(facts.isAnimated == isAnimated)
    #expect(facts.duration == (isAnimated ? 1 : 0))
    #expect(facts.frameRate == (isAnimated ? 5 : 0))
    #expect(facts.width == 64)
  }
}
