import Fixtures
import CodecProtocol
import Fixtures
import Metadata
import Pixels
import Testing

/// HEIC and AVIF files put together by hand, read by the real helper.
@Suite struct HEIFFactsTests {
  private let helper = CodecClient(program: Program.helper)

  private func facts(_ file: HandmadeHEIC) throws -> MediaFacts {
    try helper.facts(ofBytes: file.bytes)
  }

  @Test func `A picture has its size and nothing else`() throws {
    #expect(try facts(HandmadeHEIC()) == MediaFacts(storedSize: PixelSize(width: 640, height: 480)))
  }

  @Test(arguments: [(0, 640, 480), (1, 480, 640), (2, 640, 480), (3, 480, 640)] as [(UInt8, Int, Int)])
  func `The size is that of the upright picture`(turns: UInt8, width: Int, height: Int) throws {
    let facts = try facts(HandmadeHEIC(quarterTurns: turns))
    #expect(facts.width == width)
    #expect(facts.height == height)
  }

  @Test(
    arguments: [
      ([], []), (["urn:mpeg:hevc:2015:auxid:2"], .depthMap),
      (["urn:com:apple:photo:2020:aux:hdrgainmap"], .gainMap),
      (["urn:com:apple:photo:2020:aux:hdrgainmap", "urn:mpeg:hevc:2015:auxid:2"], [.depthMap, .gainMap]),
    ] as [([String], MediaHints)])
  func `Auxiliary images are recognized by their types`(types: [String], hints: MediaHints) throws {
    #expect(try facts(HandmadeHEIC(auxiliaryTypes: types)).hints == hints)
  }

  @Test(arguments: [12, 600, 5000])
  func `The EXIF block is read from its TIFF header on, short or long`(count: Int) throws {
    var exif = TIFFFile()
    exif.text(0x010F, "Testmaker")
    let bytes = exif.bytes() + Boxes.zeros(count)
    #expect(try facts(HandmadeHEIC(exif: bytes)).make == "Testmaker")
  }

  @Test(arguments: [0, 600, 5000])
  func `The XMP packet is read, short or long`(count: Int) throws {
    let packet = String(decoding: MetadataSegments.xmp(attributes: "xmp:Rating=\"4\""), as: UTF8.self)
    #expect(try facts(HandmadeHEIC(xmp: packet + String(repeating: " ", count: count))).rating == 4)
  }

  @Test func `Two pictures are a stereo pair only if the file declares it`() throws {
    #expect(try facts(HandmadeHEIC(hasSecondPicture: true)).hints == [])
    #expect(try facts(HandmadeHEIC(hasSecondPicture: true, isStereo: true)).hints == .stereo)
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
      #expect(facts.make == "Testmaker" && facts.keywords == ["harbour"])
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
    #expect(facts.hints == (isAnimated ? .animated : []))
    #expect(facts.duration == (isAnimated ? 1 : nil))
    #expect(facts.frameRate == (isAnimated ? 5 : nil))
    #expect(facts.width == 64)
  }
}
