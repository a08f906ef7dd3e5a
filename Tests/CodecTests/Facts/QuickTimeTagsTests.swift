import Metadata
import Testing

@Suite struct QuickTimeTagsTests {
  private func facts(_ tags: [String: String], frameRate: Double = 0) -> MediaFacts {
    var facts = MediaFacts()
    facts.merge(quickTime: tags, frameRate: frameRate)
    return facts
  }

  private static let apple = "com.apple.quicktime"

  private static func time(_ hour: Int, offset: Int?, nanosecond: Int = 0) -> CivilTime {
    var time = CivilTime(year: 2024, month: 5, day: 2, hour: hour, minute: 10, second: 9)
    time.utcOffset = offset
    time.nanosecond = nanosecond
    return time
  }

  @Test(
    arguments: [
      (["creation_time": "2024-05-02T12:10:09.000000Z"], time(12, offset: 0)),
      (["creation_time": "2024-05-02 12:10:09"], time(12, offset: nil)),
      (["creation_time": "2024-05-02T12:10:09.250000Z"], time(12, offset: 0, nanosecond: 250_000_000)),
      (
        ["date": "2024-05-02T14:10:09+0200", "creation_time": "2024-05-02T12:10:09Z"], time(14, offset: 7200)
      ),
      (["date": "2024", "creation_time": "2024-05-02T12:10:09Z"], time(12, offset: 0)),
      (["\(apple).creationdate": "2024-05-02T14:10:09+0200"], time(14, offset: 7200)),
      (["\(apple).creationdate": "2024-05-02T08:10:09-04:30"], time(8, offset: -16_200)),
      (["\(apple).creationdate": "2024-05-02T14:10:09+02"], time(14, offset: 7200)),
      (
        ["\(apple).creationdate": "2024-05-02T14:10:09+0200", "creation_time": "2024-05-02T12:10:09Z"],
        time(14, offset: 7200)
      ),
      (["\(apple).creationdate": "last week", "creation_time": "2024-05-02T12:10:09Z"], time(12, offset: 0)),
      // Unusual values, as ExifTool interprets them.
      (["creation_time": "2024-05-01T36:10:09Z"], time(12, offset: 0)),
      (["COM.APPLE.QUICKTIME.CREATIONDATE": " 2024-05-02T14:10:09+0200\0"], time(14, offset: 7200)),
    ] as [([String: String], CivilTime)])
  func `The camera's own date precedes the header's`(tags: [String: String], expected: CivilTime) {
    #expect(facts(tags).captureTime == expected)
  }

  @Test(arguments: [
    ("creation_time", "2024-05-02T12:10:09.000000Z", true), ("date", "2024-05-02T12:10:09Z", true),
    ("com.apple.quicktime.creationdate", "2024-05-02T12:10:09Z", true),
    ("com.apple.quicktime.creationdate", "2024-05-02T12:10:09+0000", false),
    ("com.apple.quicktime.creationdate", "2024-05-02T14:10:09+0200", false),
    ("date", "2024-05-02T14:10:09", false), ("creation_time", "2024-05-02 12:10:09", false),
  ])
  func `A time without a local time zone is marked as such`(name: String, text: String, isUTC: Bool) {
    #expect(facts([name: text]).hints.contains(.countsInUTC) == isUTC)
  }

  @Test(arguments: [
    "", "2024-05-02", "2024-05-02T", "T12:10:09", "1904-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z",
    "2024-02-30T12:10:09Z", "+", "T", " ",
  ])
  func `An invalid date is ignored`(text: String) {
    #expect(facts(["creation_time": text]).captureTime == nil)
  }

  @Test(
    arguments: [
      ("+48.8577+002.2950+045.3/", 48.8577, 2.295), ("+48.8577+002.2950/", 48.8577, 2.295),
      ("-33.8568+151.2153", -33.8568, 151.2153), ("+40-075CRSWGS_84/", 40, -75),
      ("+4030-07515/", 40.5, -75.25),
      ("+403030-0751545/", 40.508333, -75.2625), ("+4030.3-07500.0/", 40.505, -75),
      ("+00.0000+009.0000/", 0, 9),
    ] as [(String, Double, Double)])
  func `Locations are read`(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(facts(["\(Self.apple).location.ISO6709": text]).coordinate)
    #expect(abs(place.latitude - latitude) < 1e-5)
    #expect(abs(place.longitude - longitude) < 1e-5)
    #expect(place.altitude == (text.contains("+045.3") ? 45.3 : nil))
  }

  @Test(arguments: [
    "", "/", "+", "+48.8577", "48.8577+002.2950/", "+91+000/", "+10+181/", "+00.0000+000.0000/", "+.+./",
    "+1.2.3+004.0/", "+4+5/", "+48,8577+002,2950/", "+48.8577 +002.2950/",
    "+99999999999999999999+99999999999999999999/",
  ])
  func `An invalid location is ignored`(text: String) {
    #expect(facts(["location": text]).coordinate == nil)
  }

  @Test func `The device and the texts are read`() {
    let facts = facts([
      "\(Self.apple).make": "Apple", "\(Self.apple).model": "iPhone 15 Pro",
      "\(Self.apple).camera.lens_model": "iPhone 15 Pro front camera 2.69mm f/1.9",
      "\(Self.apple).content.identifier": "A-B-C", "\(Self.apple).title": "Harbour", "title": "other",
      "\(Self.apple).description": "Boats", "\(Self.apple).keywords": "sea, boats,,Kiel",
      "\(Self.apple).rating.user": "5.000",
    ])
    #expect(facts.make == "Apple")
    #expect(facts.model == "iPhone 15 Pro")
    #expect(facts.lens == "iPhone 15 Pro front camera 2.69mm f/1.9")
    #expect(facts.contentIdentifier == "A-B-C")
    #expect(facts.title == "Harbour")
    #expect(facts.caption == "Boats")
    #expect(facts.keywords == ["sea", "boats", "Kiel"])
    #expect(facts.rating == 5)
    #expect(facts.hints == [])
  }

  @Test func `Known values are not replaced`() {
    var facts = MediaFacts()
    facts.make = "Known"
    facts.keywords = ["known"]
    facts.merge(quickTime: ["make": "other", "keywords": "other", "model": "M"])
    #expect(facts.make == "Known")
    #expect(facts.keywords == ["known"])
    #expect(facts.model == "M")
  }

  @Test(
    arguments: [
      ([:], 30, []), ([:], 100, .slomo), ([:], 240, .slomo), ([:], 99.9, []),
      (["com.android.capture.fps": "120.000000"], 30, .slomo),
      (["com.android.capture.fps": "30.000000"], 30, []),
      (["com.android.capture.fps": "x"], 30, []),
      (["\(apple).full-frame-rate-playback-intent": "0"], 30, []),
      (["\(apple).full-frame-rate-playback-intent": "0"], 240, .slomo),
      (["\(apple).full-frame-rate-playback-intent": "1"], 120, []),
      (["\(apple).author": "ReplayKitRecording"], 60, .screenRecording),
      (["artist": "ReplayKitRecording"], 60, .screenRecording), (["author": "Ada"], 60, []),
      (["\(apple).cinematic-video": "1"], 30, .cinematic), (["\(apple).cinematic-video": "0"], 30, []),
      (["\(apple).cinematic-video.rendering": "1"], 30, .cinematic),
      (["\(apple).time-lapse": "1"], 30, .timelapse), (["com.maker.timelapse": "false"], 30, []),
      (["keywords": "Hyperlapse, sea"], 30, .timelapse), (["title": "no time"], 30, []),
    ] as [([String: String], Double, MediaHints)])
  func `How a video was made is reported only on evidence`(
    tags: [String: String], frameRate: Double, hints: MediaHints
  ) {
    #expect(facts(tags, frameRate: frameRate).hints == hints)
  }
}
