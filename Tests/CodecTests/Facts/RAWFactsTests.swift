import Fixtures
import CodecProtocol
import Fixtures
import Testing

/// A digital negative put together by hand, read by the real helper.
@Suite struct RAWFactsTests {
  private let helper = CodecHelper(program: Program.helper)

  @Test func `The camera's facts are read`() throws {
    let camera = try #require(try helper.facts(ofBytes: HandmadeDNG().bytes).camera)
    #expect(camera.make == "Testmaker")
    #expect(camera.model == "T1")
    #expect(camera.lens == "Test Lens 35mm")
    #expect(camera.isoSpeed == 400)
    #expect(camera.exposureTime == 0.004)
    #expect(camera.fNumber == 2.8)
    #expect(camera.focalLength == 35)
    #expect(camera.captureSeconds == 1_714_659_009)
    #expect(try #require(camera.latitude) + 33.86 < 1e-5)
    #expect(try #require(camera.longitude) - 151.21 < 1e-5)
  }

  @Test(arguments: ["UTC", "Asia/Tokyo", "America/New_York"])
  func `The camera's clock is read alike wherever the computer stands`(zone: String) throws {
    let script = try HelperScript(Program.helper, before: "export TZ=\(zone)")
    let camera = try CodecHelper(program: script.path).facts(ofBytes: HandmadeDNG().bytes).camera
    #expect(camera?.captureSeconds == 1_714_659_009)
  }

  @Test(arguments: [(1, 64, 48), (3, 64, 48), (6, 48, 64), (8, 48, 64)] as [(UInt16, Int, Int)])
  func `The size is that of the upright picture`(orientation: UInt16, width: Int, height: Int) throws {
    let facts = try helper.facts(ofBytes: HandmadeDNG(orientation: orientation).bytes)
    #expect(facts.width == width)
    #expect(facts.height == height)
    #expect(!facts.hasVideo)
  }

  @Test func `A TIFF that is no raw file is told as such`() {
    let bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Boxes.zeros(200)
    #expect(throws: CodecError.unreadable("Unsupported file format or not RAW file")) {
      try helper.facts(ofBytes: bytes)
    }
  }
}
