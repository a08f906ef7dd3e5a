import Fixtures
import CodecProtocol
import Fixtures
import Metadata
import Testing

/// Videos made by hand and by FFmpeg, read by the real helper.
@Suite struct MovieFactsTests {
  private let helper = CodecClient(program: Program.helper)

  private func facts(_ file: HandmadeMovie) throws -> MediaFacts {
    try helper.facts(ofBytes: file.bytes)
  }

  @Test(arguments: [(0, 320, 240), (90, 240, 320), (180, 320, 240), (270, 240, 320)])
  func `The size is that of the upright picture`(rotation: Int, width: Int, height: Int) throws {
    let facts = try facts(HandmadeMovie(rotation: rotation))
    #expect(facts.width == width)
    #expect(facts.height == height)
  }

  @Test(arguments: [(60, 20, 2, 30), (240, 5, 2, 120), (1, 600, 1, 1)] as [(UInt32, UInt32, Double, Double)])
  func `Duration and frame rate come from the tables`(
    frames: UInt32, ticks: UInt32, duration: Double, rate: Double
  ) throws {
    let facts = try facts(HandmadeMovie(frameCount: frames, ticksPerFrame: ticks))
    #expect(facts.duration == duration)
    #expect(facts.frameRate == rate)
  }

  private static let bothEyes = Boxes.box("vexu", Boxes.box("eyes", Boxes.full("stri", [3])))
  private static let oneEye = Boxes.box("vexu", Boxes.box("eyes", Boxes.full("stri", [1])))
  private static let projection = Boxes.box("vexu", Boxes.box("proj", Boxes.zeros(8)))

  @Test(
    arguments: [
      ([], false), (Boxes.box("lhvC", Boxes.zeros(6)), true), (bothEyes, true), (oneEye, false),
      (projection, false), (Boxes.number(UInt32(500)) + Array("lhvC".utf8), false),
    ] as [([UInt8], Bool)])
  func `The sample entry identifies stereo video`(extensions: [UInt8], isStereo: Bool) throws {
    #expect(try facts(HandmadeMovie(extensions: extensions)).hints.contains(.stereo) == isStereo)
  }

  @Test func `Keys of the metadata list are reported with their names`() throws {
    let file = HandmadeMovie(keys: [
      HandmadeMovie.text("com.apple.quicktime.make", "Apple"),
      HandmadeMovie.text("com.apple.quicktime.creationdate", "2024-05-02T14:10:09+0200"),
      ("com.apple.quicktime.full-frame-rate-playback-intent", 22, [1]),
      ("com.android.capture.fps", 23, [0x43, 0x70, 0, 0]),
    ])
    let facts = try facts(file)
    #expect(facts.make == "Apple")
    var time = CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9)
    time.utcOffset = 7200
    #expect(facts.captureTime == time && facts.captureTimeSource == .quickTime)
    #expect(facts.hints == .slomo)
    // The other key declares that many frames a second are meant to be seen at that speed.
    var fast = HandmadeMovie(frameCount: 240, ticksPerFrame: 5)
    #expect(try self.facts(fast).hints == .slomo)
    fast.keys = [file.keys[2]]
    #expect(try self.facts(fast).hints == [])
  }

  @Test func `The metadata track identifies a cinematic video`() throws {
    let key = "com.apple.quicktime.cinematic-video.rendering"
    let other = "com.apple.quicktime.video-orientation"
    #expect(try facts(HandmadeMovie(timedKeys: [other, key])).hints == .cinematic)
    #expect(try facts(HandmadeMovie(timedKeys: [other])).hints == [])
  }

  @Test(arguments: [
    ("a.mp4", "mpeg4"), ("a.mov", "mpeg4"), ("a.m4v", "mpeg4"), ("a.3gp", "mpeg4"), ("a.mkv", "mpeg4"),
    ("a.webm", "libvpx"), ("a.avi", "mpeg4"), ("a.ts", "mpeg2video"), ("a.mts", "mpeg2video"),
  ])
  func `Every container is read`(name: String, codec: String) throws {
    let folder = try ToolFolder()
    let format = name.hasSuffix("ts") ? ["-f", "mpegts"] : []
    let wrapping = name == "a.mts" ? ["-mpegts_m2ts_mode", "1"] : []
    try folder.run(
      ["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=176x144:r=25:d=1", "-c:v", codec] + format + wrapping + [
        name
      ])
    let facts = try folder.facts(of: name, helper)
    #expect(facts.width == 176)
    #expect(facts.height == 144)
    #expect(abs((facts.duration ?? 0) - 1) < 0.05)
    #expect(abs((facts.frameRate ?? 0) - 25) < 0.01)
  }

  @Test func `Sound and tags are reported`() throws {
    let folder = try ToolFolder()
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "mpeg4", "-c:a", "aac", "-metadata", "creation_time=2024-05-02T12:10:09Z", "-metadata",
      "location=+48.8577+002.2950/", "a.mp4")
    let facts = try folder.facts(of: "a.mp4", helper)
    var time = CivilTime(year: 2024, month: 5, day: 2, hour: 12, minute: 10, second: 9)
    time.utcOffset = 0
    #expect(facts.captureTime == time && facts.hints == .countsInUTC)
    #expect(facts.coordinate == Coordinate(latitude: 48.8577, longitude: 2.295))
    try folder.run("ffmpeg", "-i", "a.mp4", "-vn", "-c:a", "copy", "a.m4a")
    let sound = try folder.facts(of: "a.m4a", helper)
    #expect(sound.width == 0 && sound.duration != nil)
  }

  @Test func `A movie's own metadata precedes that of its streams`() throws {
    let folder = try ToolFolder()
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-c:v", "mpeg4", "-metadata", "title=film",
      "-metadata:s:v", "title=stream", "-metadata:s:v", "comment=stream", "a.mkv")
    let facts = try folder.facts(of: "a.mkv", helper)
    #expect(facts.title == "film" && facts.caption == "stream")
  }

  @Test func `The duration of a movie without one in its header is measured`() throws {
    let folder = try ToolFolder()
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=2", "-c:v", "mpeg4", "-movflags",
      "frag_keyframe+empty_moov", "a.mp4")
    let facts = try folder.facts(of: "a.mp4", helper)
    #expect(facts.width == 64)
    #expect(abs((facts.duration ?? 0) - 2) < 0.2)
    #expect(abs((facts.frameRate ?? 0) - 10) < 0.1)
  }

  @Test func `A playlist and a file that references others open nothing`() throws {
    for text in [
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n/etc/passwd\n", "ffconcat version 1.0\nfile /etc/passwd\n",
    ] {
      #expect(throws: CodecError.unreadable("an unknown format")) {
        try helper.facts(ofBytes: Array(text.utf8))
      }
    }
  }
}
