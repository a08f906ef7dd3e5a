import MediaFormats
import Metadata
import Testing

@testable import Conversion

/// How videos are made compatible.
@Suite struct MoviePlanTests {
  private func facts(
    video: String? = "h264", pixels: String = "yuv420p", audio: String? = "aac", transfer: String = "bt709"
  ) -> MovieFacts {
    var text = ""
    if let video {
      text += """
        streams.stream.0.codec_name="\(video)"
        streams.stream.0.codec_type="video"
        streams.stream.0.width=1920
        streams.stream.0.height=1080
        streams.stream.0.pix_fmt="\(pixels)"
        streams.stream.0.color_transfer="\(transfer)"

        """
    }
    if let audio {
      text += "streams.stream.1.codec_name=\"\(audio)\"\nstreams.stream.1.codec_type=\"audio\"\n"
    }
    return MovieFacts(flat: text + "format.duration=\"12.5\"\n")
  }

  private func plan(
    _ facts: MovieFacts, _ format: FileFormat = .mp4, side: Int? = nil, isWhole: Bool = true
  ) -> MoviePlan? {
    MoviePlan(compatible: facts, of: format, isWholeFile: isWhole, longestSide: side, stripping: .nothing)
  }

  @Test(arguments: ["nan", "inf", "-inf", "1e300", "99999999999999999999"])
  func `Times that no video has are unknown`(time: String) {
    let facts = MovieFacts(
      flat: """
        streams.stream.0.codec_type="video"
        streams.stream.0.start_time="\(time)"
        format.start_time="\(time)"
        format.duration="\(time)"
        """)
    #expect(facts.duration == 0 && facts.videoDelay == 0)
  }

  @Test func `A video that plays everywhere is unchanged`() {
    #expect(plan(facts()) == nil)
    #expect(plan(facts(), .m4v) == nil)
    #expect(plan(facts(), side: 1920) == nil)
    #expect(plan(facts(audio: nil)) == nil)
  }

  @Test func `A compatible stream in another container is remuxed`() throws {
    for made in [plan(facts(), .quickTime), plan(facts(), isWhole: false)] {
      let made = try #require(made)
      #expect(made.video == .copied && made.copiesAudio && made.method == "remuxed")
    }
    let sound = try #require(plan(facts(audio: "pcm_s16le"), .quickTime))
    #expect(sound.video == .copied && !sound.copiesAudio && sound.method == "transcoded")
  }

  @Test(arguments: [("hevc", "yuv420p"), ("h264", "yuv420p10le"), ("h264", "yuv422p"), ("mpeg4", "yuv420p")])
  func `An incompatible stream is reencoded`(codec: String, pixels: String) throws {
    let made = try #require(plan(facts(video: codec, pixels: pixels)))
    #expect(made.video == .encoded(longestSide: nil, isHighDynamicRange: false))
    #expect(made.arguments(input: "i", output: "o", tags: [:]).contains("libx264"))
  }

  @Test func `HDR becomes SDR, and a large picture is scaled down`() throws {
    let bright = try #require(plan(facts(video: "hevc", transfer: "arib-std-b67"), side: 1280))
    #expect(bright.video == .encoded(longestSide: 1280, isHighDynamicRange: true))
    let words = bright.arguments(input: "i", output: "o", tags: [:]).joined(separator: " ")
    #expect(words.contains("tonemap") && words.contains("1280"))
  }

  @Test func `A compatible video that is too large is scaled down`() {
    for (side, isSmaller) in [(1919, true), (1280, true), (1920, false), (4000, false)] {
      let made = plan(facts(), side: side)
      #expect(made?.video == (isSmaller ? .encoded(longestSide: side, isHighDynamicRange: false) : nil))
    }
  }

  @Test func `Without location only known tags stay; without metadata none`() throws {
    let located = try #require(MoviePlan(stripping: .location, facts(), of: .quickTime))
    let words = located.arguments(input: "i", output: "o", tags: ["make": "Acme"])
    #expect(words.contains("make=Acme") && words.contains("-1") && words.contains("mov"))
    let bare = try #require(MoviePlan(stripping: .all, facts(), of: .matroska))
    #expect(!bare.arguments(input: "i", output: "o", tags: ["make": "Acme"]).contains("make=Acme"))
    #expect(MoviePlan(stripping: .all, facts(), of: .jpeg) == nil)
  }

  @Test func `Tags with captions are removed if that is asked for, in every language`() throws {
    let facts = MovieFacts(
      flat: """
        format.tags.title="A"
        format.tags.comment_eng="B"
        format.tags.com_apple_quicktime_description="C"
        format.tags.artist="D"

        """)
    #expect(facts.captionTags == ["title", "comment-eng", "com.apple.quicktime.description"])
    for removes in [false, true] {
      for stripping in [MetadataPolicy.Stripping.nothing, .location] {
        let plan = try #require(
          MoviePlan(stripping: stripping, removesCaptions: removes, facts, of: .quickTime))
        let words = plan.arguments(
          input: "i", output: "o", tags: facts.plainTags, captions: facts.captionTags)
        let isRemoved = stripping == .nothing && removes
        #expect(words.contains("comment-eng=") == isRemoved)
        #expect(words.contains("com.apple.quicktime.description=") == isRemoved)
        #expect(words.contains("title=A") == (stripping == .location && !removes))
        #expect(words.contains("artist=D") == (stripping == .location))
      }
    }
  }

  @Test(arguments: [
    ("h264", "1-5|7-11"), ("hevc", "0-9|16-21|32-37"), ("mpeg2video", "0-175|179|181|183|184"),
    ("av1", "1-4|6-8"), ("vp9", nil), ("vp8", nil),
  ])
  func `When copying a stream without metadata only units with picture data stay`(
    codec: String, units: String?
  ) throws {
    for stripping in [MetadataPolicy.Stripping.location, .all] {
      let plan = try #require(MoviePlan(stripping: stripping, facts(video: codec), of: .quickTime))
      let words = plan.arguments(input: "i", output: "o", tags: [:])
      #expect(plan.video == .copied && words.contains("-bsf:v") == (units != nil))
      if let units { #expect(words.contains("filter_units=pass_types=\(units)")) }
    }
    let kept = try #require(plan(facts(), .quickTime))
    #expect(!kept.arguments(input: "i", output: "o", tags: [:]).contains("-bsf:v"))
  }

  @Test(arguments: ["mjpeg", "mpeg4", "h263", "prores", "dnxhd", "dvvideo", "wmv3", "something new"])
  func `A codec with unknown contents is not copied without metadata`(codec: String) throws {
    for stripping in [MetadataPolicy.Stripping.location, .all] {
      let plan = try #require(MoviePlan(stripping: stripping, facts(video: codec), of: .matroska))
      let words = plan.arguments(input: "i", output: "o", tags: [:])
      #expect(words.contains("libx264") && !words.contains("-bsf:v") && plan.method == "transcoded")
    }
  }

  @Test(arguments: [
    ("aac", true), ("opus", true), ("pcm_s16le", true), ("alac", true), ("vorbis", false), ("flac", false),
    ("mp3", false), ("ac3", false), ("something new", false),
  ])
  func `Sound is copied without metadata if its frames can't contain text`(
    codec: String, isCopied: Bool
  ) throws {
    for format in [FileFormat.matroska, .webm] {
      let plan = try #require(MoviePlan(stripping: .all, facts(audio: codec), of: format))
      #expect(plan.copiesAudio == isCopied)
      let words = plan.arguments(input: "i", output: "o", tags: [:])
      #expect(words.contains(isCopied ? "copy" : format == .webm ? "libopus" : "aac"))
    }
  }

  @Test func `FFmpeg reads only the file, and no lists of files`() throws {
    let words = try #require(plan(facts(), .quickTime)).arguments(input: "i", output: "o", tags: [:])
    let end = try #require(words.firstIndex(of: "-i"))
    let formats = try #require(words[..<end].firstIndex(of: "-format_whitelist"))
    #expect(words[formats + 1] == "mov,matroska,avi,mpegts")
    #expect(words[..<end].contains("-protocol_whitelist"))
  }

  @Test(arguments: [
    ("5.1.9-0+deb12u1", "-fps_mode"), ("4.4.2-0ubuntu0.22.04.1", "-vsync"), ("5.0", "-vsync"),
    ("n6.1.1", "-fps_mode"), ("9", "-fps_mode"), ("N-118000-g1234567", "-fps_mode"), (nil, "-fps_mode"),
  ])
  func `Frames keep their times, by the option that FFmpeg has`(version: String?, option: String) throws {
    let text = version.map { "program_version.version=\"\($0)\"\n" } ?? ""
    let facts = MovieFacts(
      flat: text + "streams.stream.0.codec_type=\"video\"\nstreams.stream.0.codec_name=\"hevc\"")
    for format in [FileFormat.mp4, .avi] {
      let words = try #require(plan(facts, format)).arguments(input: "i", output: "o", tags: [:])
      let place = try #require(words.firstIndex(of: option))
      #expect(words[place + 1] == "vfr" && !words.contains(option == "-vsync" ? "-fps_mode" : "-vsync"))
    }
    let bare = try #require(MoviePlan(stripping: .all, MovieFacts(flat: text), of: .avi))
    #expect(!bare.arguments(input: "i", output: "o", tags: [:]).contains(option))
  }

  @Test(arguments: [(4, ["-ss", "0.000000", "4.000000"]), (20, ["-ss", "5.000000", "15.000000"])])
  func `A part of a transport stream is decoded from well before it`(start: Int, times: [String]) throws {
    let part = Duration.seconds(start)..<(.seconds(start + 2))
    func words(_ format: FileFormat) throws -> [String] {
      let plan = MoviePlan(
        compatible: facts(), of: format, isWholeFile: true, part: part, longestSide: nil, stripping: .nothing)
      return try #require(plan).arguments(input: "i", output: "o", tags: [:])
    }
    let stream = try words(.mpegTransport)
    let input = try #require(stream.firstIndex(of: "-i"))
    #expect(Array(stream[input - 2..<input]) == Array(times.prefix(2)))
    #expect(Array(stream[(input + 2)...].prefix(4)) == ["-ss", times[2], "-t", "2.000000"])
    // Other containers have an index of key frames.
    let movie = try words(.quickTime)
    let place = try #require(movie.firstIndex(of: "-i"))
    #expect(Array(movie[place - 2..<place]) == ["-ss", "\(start).000000"])
    #expect(Array(movie[(place + 2)...].prefix(2)) == ["-t", "2.000000"])
  }

  @Test func `ffprobe's output is parsed`() {
    let facts = MovieFacts(
      flat: """
        streams.stream.0.codec_name="mjpeg"
        streams.stream.0.codec_type="video"
        streams.stream.0.disposition.attached_pic=1
        streams.stream.2.codec_name="hevc"
        streams.stream.2.codec_type="video"
        streams.stream.2.width=640
        streams.stream.1.codec_type="audio"
        streams.stream.2.start_time="1.500000"
        streams.stream.1.start_time="1.400000"
        format.start_time="1.400000"
        format.duration="3.25"
        format.tags.com_apple_quicktime_make="A \\"b\\" c"
        format.tags.com_apple_quicktime_location_ISO6709="+48+002/"
        format.tags.creation_time="2023-05-01T12:00:00.000000Z"
        nonsense
        """)
    #expect(facts.videoCodec == "hevc" && facts.width == 640 && facts.audioCodec == "")
    #expect(facts.duration == 3.25 && abs(facts.videoDelay - 0.1) < 1e-9)
    #expect(
      facts.plainTags == [
        "com.apple.quicktime.make": "A \"b\" c", "creation_time": "2023-05-01T12:00:00.000000Z",
      ])
  }

  @Test(arguments: [
    ("out_time_us=1500000", 1.5), ("out_time_us=N/A", nil), ("out_time_us=nan", nil), ("frame=2", nil),
    ("[mov] bad", nil),
  ])
  func `FFmpeg's progress output is parsed`(line: String, seconds: Double?) {
    #expect(MovieProgress.seconds(line) == seconds)
    #expect(MovieProgress.isReport(line) == !line.hasPrefix("["))
  }
}
