import Fixtures
import CodecProtocol
import Fixtures
import Metadata
import Testing

/// A DNG put together by hand, read by the real helper.
@Suite struct RAWFactsTests {
  private let helper = CodecClient(program: Program.helper)
  private static let time = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)

  @Test func `Camera metadata is read`() throws {
    let facts = try helper.facts(ofBytes: HandmadeDNG().bytes)
    #expect(facts.make == "Testmaker")
    #expect(facts.model == "T1")
    #expect(facts.lens == "Test Lens 35mm")
    #expect(facts.isoSpeed == 400)
    #expect(facts.exposureTime == 0.004)
    #expect(facts.fNumber == 2.8)
    #expect(facts.focalLength == 35)
    #expect(facts.captureTime == Self.time)
    let place = try #require(facts.coordinate)
    #expect(abs(place.latitude + 33.86) < 1e-5 && abs(place.longitude - 151.21) < 1e-5)
  }

  @Test(arguments: ["UTC", "Asia/Tokyo", "America/New_York"])
  func `The camera's local time is the same in every system time zone`(zone: String) throws {
    let script = try HelperScript(Program.helper, before: "export TZ=\(zone)")
    let facts = try CodecClient(program: script.path).facts(ofBytes: HandmadeDNG().bytes)
    #expect(facts.captureTime == Self.time)
  }

  @Test(arguments: [(1, 64, 48), (3, 64, 48), (6, 48, 64), (8, 48, 64)] as [(UInt16, Int, Int)])
  func `The size is that of the upright picture`(orientation: UInt16, width: Int, height: Int) throws {
    let facts = try helper.facts(ofBytes: HandmadeDNG(orientation: orientation).bytes)
    #expect(facts.width == width)
    #expect(facts.height == height)
    #expect(facts.duration == nil)
  }

  @Test func `A TIFF that is no raw file is reported as such`() {
    let bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Boxes.zeros(200)
    #expect(throws: CodecError.unreadable("Unsupported file format or not RAW file")) {
      try helper.facts(ofBytes: bytes)
    }
  }
}
