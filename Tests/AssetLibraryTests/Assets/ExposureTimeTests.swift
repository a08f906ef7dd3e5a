import AssetLibrary
import Testing

@Suite struct ExposureTimeTests {
  private static let fractions: [(Double, Int)] = [
    (0.000125, 8000), (0.008, 125), (0.016949, 59), (0.1, 10), (0.15, 7), (0.2, 5), (0.25, 4),
    (0.333333333, 3), (0.3333, 3),
  ]

  @Test(arguments: fractions)
  func `An exposure time is a fraction if that is closer than tenths of a second`(
    seconds: Double, denominator: Int
  ) {
    #expect(ExposureTime(seconds) == .fraction(denominator: denominator))
  }

  private static let tenths: [(Double, Double)] = [
    (0.3, 0.3), (0.4, 0.4), (0.5, 0.5), (0.6, 0.6), (0.77, 0.8), (1.0, 1.0), (1.3, 1.3), (30.0, 30.0),
  ]

  @Test(arguments: tenths) func `Other times are tenths of a second`(seconds: Double, tenths: Double) {
    #expect(ExposureTime(seconds) == .seconds(tenths))
  }

  private static let noTimes: [Double] = [0, -1, .infinity, .nan]

  @Test(arguments: noTimes) func `An invalid exposure time is rejected`(seconds: Double) {
    #expect(ExposureTime(seconds) == nil)
  }
}
