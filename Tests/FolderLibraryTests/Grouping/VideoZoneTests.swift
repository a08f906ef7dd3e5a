import AssetLibrary
import Fixtures
import Glibc
import TestScheduling
import Testing

@testable import FolderLibrary

/// Which local time applies to a video whose header is in UTC.
@Suite(.onOwnThreads) struct VideoZoneTests {
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kolkata", "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/Santiago", "Europe/Dublin", "Africa/Casablanca", "America/St_Johns", "Pacific/Apia", "UTC",
  ]

  private static func bytes(of zone: String) throws -> [UInt8] {
    let file = try #require(fopen("/usr/share/zoneinfo/\(zone)", "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  @Test(arguments: zones) func `Local times of a zone match the system's`(zone: String) throws {
    let clock = try #require(ZoneClock(try Self.bytes(of: zone)))
    // From 1950 to 2100: no table reaches beyond 2037.
    let moments = (0..<200).map { Int64(-631_152_000) + Int64($0) * 23_673_601 }
    let folder = try TemporaryFolder()
    try folder.write(Array(moments.map { "@\($0)\n" }.joined().utf8), to: "moments")
    try folder.run("sh", "-c", "TZ=\(zone) date -f moments +%:::z > offsets")
    let lines = String(decoding: try folder.bytes(of: "offsets"), as: UTF8.self).split(separator: "\n")
    try #require(lines.count == moments.count)
    for (moment, line) in zip(moments, lines) {
      let parts = line.dropFirst().split(separator: ":").compactMap { Int32($0) } + [0, 0]
      let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
      #expect(clock.offset(at: moment) == (line.first == "-" ? -seconds : seconds), "\(zone) \(moment)")
    }
  }

  @Test func `A file that is no time zone table is rejected`() throws {
    let whole = try Self.bytes(of: "Europe/Berlin")
    #expect(ZoneClock([]) == nil && ZoneClock(Array("TZif".utf8)) == nil)
    for length in stride(from: 0, to: whole.count, by: 7) {
      var bytes = Array(whole.prefix(length))
      _ = ZoneClock(bytes)?.offset(at: 0)
      for index in stride(from: 0, to: length, by: 5) { bytes[index] ^= 0xFF }
      _ = ZoneClock(bytes)?.offset(at: 4_000_000_000)
    }
    #expect(PlaceZones(folder: "/nowhere").offset(latitude: 48.86, longitude: 2.29, at: 0) == nil)
  }

  /// Noon in UTC on May 2, 2024.
  private static let noon: Int64 = 1_714_651_200

  @Test(
    arguments: [
      ("Paris", 48.8577, 2.295, 2), ("Tokyo", 35.68, 139.69, 9), ("New York", 40.71, -74.0, -4),
      ("Chicago", 41.88, -87.63, -5), ("Los Angeles", 34.05, -118.24, -7), ("Sydney", -33.86, 151.2, 10),
      ("Sao Paulo", -23.55, -46.63, -3), ("Nairobi", -1.29, 36.82, 3), ("Berlin", 52.5, 13.4, 2),
      ("Honolulu", 21.3, -157.86, -10), ("Lisbon", 38.72, -9.14, 1), ("Perth", -31.95, 115.86, 8),
      // Between towns in different zones no zone is chosen.
      ("Kunming", 25.04, 102.72, nil), ("South Bend", 41.68, -86.25, nil), ("Vigo", 42.24, -8.72, nil),
      ("Mumbai", 19.08, 72.88, nil),
    ] as [(String, Double, Double, Int32?)])
  func `A location has the zone of the surrounding towns if they agree`(
    name: String, latitude: Double, longitude: Double, hours: Int32?
  ) {
    let offset = PlaceZones.system.offset(latitude: latitude, longitude: longitude, at: Self.noon)
    #expect(offset == hours.map { $0 * 3600 }, "\(name): \(offset ?? -1)")
  }

  @Test func `An index written in another time zone yields times of the current one`() throws {
    let noon = AssetDate(wallSeconds: Self.noon, utcOffset: 0)
    let here = noon.inSystemZone
    #expect(here.wallSeconds == Self.noon + Int64(SystemZone.offset(at: Int(Self.noon))))
    #expect(AssetDate(wallSeconds: Self.noon + 12_345, utcOffset: 12_345).inSystemZone == here)
    // Without an offset the moment is unknown.
    #expect(AssetDate(wallSeconds: 5).inSystemZone == AssetDate(wallSeconds: 5))
  }
}
