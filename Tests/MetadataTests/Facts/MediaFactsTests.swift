import Metadata
import Testing

/// Which numbers are accepted as metadata.
@Suite struct MediaFactsTests {
  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e30, .greatestFiniteMagnitude])
  func `An implausible number is ignored`(number: Double) {
    var facts = MediaFacts()
    facts.fNumber = number
    facts.exposureTime = number
    facts.focalLength = number
    facts.duration = number
    facts.frameRate = number
    facts.coordinate = Coordinate(latitude: number == -1 ? 91 : number, longitude: 0)
    facts.isoSpeed = number == -1 ? -1 : .max
    #expect(facts == MediaFacts())
  }

  @Test func `An exposure too short for light is ignored, and an unknown one stays unknown`() {
    var facts = MediaFacts()
    facts.exposureTime = 1e-40
    #expect(facts.exposureTime == nil)
    facts.exposureTime = 0
    #expect(facts.exposureTime == 0)
  }

  @Test func `Plausible values are unchanged`() {
    var facts = MediaFacts()
    for (aperture, time, length) in [(0.7, 1 / 32_000.0, 0.5), (2.8, 0.004, 35), (128, 86_400, 5_200_000)] {
      (facts.fNumber, facts.exposureTime, facts.focalLength) = (aperture, time, length)
      #expect(facts.fNumber == aperture && facts.exposureTime == time && facts.focalLength == length)
    }
    facts.isoSpeed = 4_560_000
    facts.coordinate = Coordinate(latitude: -90, longitude: 180)
    (facts.duration, facts.frameRate) = (86_400, 960)
    #expect(facts.isoSpeed == 4_560_000 && facts.coordinate?.latitude == -90)
    #expect(facts.duration == 86_400 && facts.frameRate == 960)
  }
}
