import HelperMetadata
import Metadata
import Pixels
import Testing

/// The helper's answers converted to the library's types.
@Suite struct MediaFactsCodecTests {
  @Test func `A video has its upright size, its date and its tags`() {
    var codec = CodecFacts()
    codec.width = 1080
    codec.height = 1920
    codec.duration = 12.5
    codec.frameRate = 240
    codec.isStereo = true
    codec.tags = ["com.apple.quicktime.make": "Apple"]
    let facts = MediaFacts(codec)
    #expect(facts.storedSize == PixelSize(width: 1080, height: 1920))
    #expect(facts.orientation == .topLeft)
    #expect(facts.duration == 12.5)
    #expect(facts.frameRate == 240)
    #expect(facts.make == "Apple")
    #expect(facts.hints == [.stereo, .slomo])
  }

  @Test func `Implausible numbers of a raw file are left out`() {
    var codec = CodecFacts()
    var camera = CameraFacts()
    (camera.fNumber, camera.exposureTime, camera.focalLength) = (1e30, 1e-40, 1e300)
    (camera.isoSpeed, camera.latitude, camera.longitude) = (1e30, 1e30, 0)
    codec.camera = camera
    (codec.duration, codec.frameRate) = (1e30, 1e300)
    var none = MediaFacts()
    none.hints = [.slomo]
    #expect(MediaFacts(codec) == none)
  }

  @Test func `A still picture has no duration`() {
    let facts = MediaFacts(CodecFacts())
    #expect(facts.duration == nil)
    #expect(facts.frameRate == nil)
    #expect(facts.hints == [])
  }

  @Test(
    arguments: [
      ("urn:mpeg:hevc:2015:auxid:2", .depthMap),
      ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", .depthMap),
      ("urn:com:apple:photo:2020:aux:hdrgainmap", .gainMap), ("urn:mpeg:hevc:2015:auxid:1", []),
    ] as [(String, MediaHints)])
  func `Auxiliary images set subtypes`(type: String, hints: MediaHints) {
    var codec = CodecFacts()
    codec.auxiliaryTypes = [type]
    #expect(MediaFacts(codec).hints == hints)
  }

  @Test func `A raw file's camera metadata is used`() {
    var camera = CameraFacts()
    camera.make = "Canon"
    camera.model = "EOS 90D"
    camera.lens = "EF35mm"
    camera.isoSpeed = 400
    camera.exposureTime = 0.004
    camera.fNumber = 2.8
    camera.focalLength = 35
    camera.captureSeconds = 1_714_659_009
    camera.latitude = -33.86
    camera.longitude = 151.21
    var codec = CodecFacts()
    codec.camera = camera
    let facts = MediaFacts(codec)
    #expect(facts.make == "Canon")
    #expect(facts.model == "EOS 90D")
    #expect(facts.lens == "EF35mm")
    #expect(facts.isoSpeed == 400)
    #expect(facts.exposureTime == 0.004)
    #expect(facts.fNumber == 2.8)
    #expect(facts.focalLength == 35)
    #expect(facts.captureTime == CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9))
    #expect(facts.coordinate == Coordinate(latitude: -33.86, longitude: 151.21))
  }

  @Test(arguments: [1e300, .infinity, 0.4])
  func `An invalid sensitivity does no harm`(value: Double) {
    var codec = CodecFacts()
    codec.camera = CameraFacts()
    codec.camera?.make = "Canon"
    codec.camera?.isoSpeed = value
    let facts = MediaFacts(codec)
    #expect((facts.isoSpeed ?? 0) == 0)
    #expect(facts.make == "Canon")
  }
}
