import AssetLibrary
import Testing

@Suite struct MomentsTests {
  static let lisbon = Location(latitude: 38.72, longitude: -9.14)
  static let sintra = Location(latitude: 38.80, longitude: -9.38)
  static let porto = Location(latitude: 41.16, longitude: -8.63)

  private static func at(
    _ day: Int, _ hour: Int, _ minute: Int = 0, _ place: Location? = nil
  ) -> (date: AssetDate, location: Location?) {
    (AssetDate(year: 2024, month: 5, day: day, hour: hour, minute: minute), place)
  }

  private static func ranges(_ assets: [(date: AssetDate, location: Location?)]) -> [Range<Int>] {
    Moments.split(assets).map(\.range)
  }

  @Test func `A moment ends with its day`() {
    #expect(Self.ranges([Self.at(1, 23, 59), Self.at(2, 0, 1)]) == [0..<1, 1..<2])
    #expect(Self.ranges([]).isEmpty)
    let old = AssetDate(wallSeconds: -1)
    #expect(Self.ranges([(old, nil), (AssetDate(wallSeconds: 0), nil)]) == [0..<1, 1..<2])
  }

  @Test func `Four hours without a photo end a moment`() {
    #expect(Self.ranges([Self.at(1, 8), Self.at(1, 12), Self.at(1, 16, 1)]) == [0..<2, 2..<3])
  }

  @Test func `Fifty kilometers end a moment, also across photos without a location`() {
    let near = [Self.at(1, 8, 0, Self.lisbon), Self.at(1, 9, 0, Self.sintra)]
    #expect(Self.ranges(near) == [0..<2])
    let far = [Self.at(1, 8, 0, Self.lisbon), Self.at(1, 9), Self.at(1, 10, 0, Self.porto)]
    #expect(Self.ranges(far) == [0..<2, 2..<3])
    #expect(Self.ranges([Self.at(1, 8), Self.at(1, 9, 0, Self.porto)]) == [0..<2])
  }

  @Test func `A moment knows its dates and title`() throws {
    let moments = Moments.split([Self.at(1, 9), Self.at(1, 11, 30), Self.at(2, 7)])
    let first = try #require(moments.first)
    #expect(first.startDate == Self.at(1, 9).date)
    #expect(first.endDate == Self.at(1, 11, 30).date)
    #expect(first.localIdentifier == LocalIdentifier("moment.2024-05-01T09:00:00"))
    #expect(moments.map(\.title) == ["2024-05-01, 09:00–11:30", "2024-05-02, 07:00"])
  }

  @Test func `Two moments that begin in the same second have different identifiers`() {
    let moments = Moments.split([
      Self.at(1, 9, 0, Self.lisbon), Self.at(1, 9, 0, Self.porto), Self.at(1, 9, 0, Self.lisbon),
    ])
    #expect(Set(moments.map(\.localIdentifier)).count == 3)
  }
}
