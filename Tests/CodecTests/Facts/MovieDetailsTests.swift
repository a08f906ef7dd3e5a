import CodecProtocol
import Fixtures
import MediaFormats
import Metadata
import Testing

/// Containers and tracks of videos that FFmpeg made, compared with what ffprobe says about them.
@Suite struct MovieDetailsTests {
  private let helper = CodecClient(program: Program.helper)

  /// A video to be made: its name, its encoder, and FFmpeg's options.
  struct Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    /// The encoder that the installed FFmpeg must have.
    var encoder: String
    var options: [String]
    var input = MovieDetailsTests.picture

    var testDescription: String { "\(name) \(encoder) \(options.joined(separator: " "))" }
  }

  private static let picture = ["-f", "lavfi", "-i", "testsrc=s=160x96:r=10:d=1"]
  private static let sound = ["-f", "lavfi", "-i", "sine=d=1"]
  private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
  private static let irregular = ["-vf", "select='not(eq(mod(n,3),1))'", "-vsync", "vfr"]
  private static let bt2020 = [
    "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-colorspace", "bt2020nc",
  ]

  static let fixtures: [Fixture] = [
    Fixture(name: "a.mp4", encoder: "libx264", options: h264 + ["-bf", "2"]),
    Fixture(name: "a.ts", encoder: "libx264", options: h264),
    Fixture(name: "a.avi", encoder: "mpeg4", options: ["-c:v", "mpeg4"]),
    Fixture(name: "variable.mp4", encoder: "libx264", options: irregular + h264),
    Fixture(
      name: "noindex.mp4", encoder: "libx264", options: h264 + ["-movflags", "frag_keyframe+empty_moov"]),
    Fixture(
      name: "pq.mp4", encoder: "libx265",
      options: ["-c:v", "libx265", "-x265-params", "log-level=none", "-color_trc", "smpte2084"] + bt2020),
    Fixture(
      name: "hlg.mov", encoder: "libx265",
      options: ["-c:v", "libx265", "-x265-params", "log-level=none", "-color_trc", "arib-std-b67"] + bt2020),
    Fixture(name: "av1.mp4", encoder: "libaom-av1", options: ["-c:v", "libaom-av1", "-cpu-used", "8"]),
    Fixture(name: "vp9.webm", encoder: "libvpx-vp9", options: ["-c:v", "libvpx-vp9", "-cpu-used", "8"]),
    Fixture(name: "prores.mov", encoder: "prores_ks", options: ["-c:v", "prores_ks", "-profile:v", "3"]),
    Fixture(name: "wide.mp4", encoder: "mpeg4", options: ["-vf", "setsar=4/3", "-c:v", "mpeg4"]),
    Fixture(name: "sound.m4a", encoder: "aac", options: ["-c:a", "aac"], input: sound),
    Fixture(
      name: "both.mkv", encoder: "libx264", options: h264 + ["-c:a", "aac", "-metadata:s:a", "language=fre"],
      input: picture + sound),
    Fixture(
      name: "cover.mp4", encoder: "libx264",
      options: ["-map", "0:v", "-map", "1:a", "-map", "2:v", "-c:v:0", "libx264", "-pix_fmt:v:0", "yuv420p"]
        + ["-c:a", "aac", "-c:v:1", "png", "-disposition:v:1", "attached_pic"],
      input: picture + sound + ["-f", "lavfi", "-i", "color=red:s=32x32:r=10:d=0.1"]),
  ]

  private static let encoders = Result { () throws -> String in
    let folder = try ToolFolder()
    try folder.run("sh", "-c", "ffmpeg -hide_banner -encoders > encoders 2>&1")
    return String(decoding: try folder.bytes(of: "encoders"), as: UTF8.self)
  }

  /// Makes the video in a folder; false, with the reason, if this FFmpeg can't.
  private func make(_ fixture: Fixture, in folder: ToolFolder) throws -> Bool {
    guard try Self.encoders.get().contains(" \(fixture.encoder) ") else {
      print("skipped: the installed FFmpeg has no encoder \(fixture.encoder), which makes \(fixture.name)")
      return false
    }
    try folder.run(["ffmpeg"] + fixture.input + fixture.options + [fixture.name])
    return true
  }

  /// What ffprobe says, by name: "streams.stream.0.codec_name".
  private func probed(_ name: String, in folder: ToolFolder) throws -> [String: String] {
    try folder.run(
      "sh", "-c", "ffprobe -v error -of flat -show_format -show_streams -show_chapters \(name) > probed")
    var values: [String: String] = [:]
    for line in String(decoding: try folder.bytes(of: "probed"), as: UTF8.self).split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      values[String(line[..<sign])] = line[line.index(after: sign)...].filter { $0 != "\"" }
    }
    return values
  }

  private func fraction(_ text: String?) -> Double? {
    let parts = (text ?? "").split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 && parts[1] > 0 && parts[0] > 0 ? parts[0] / parts[1] : nil
  }

  @Test(arguments: fixtures)
  func `Every fact is what ffprobe says`(fixture: Fixture) throws {
    let folder = try ToolFolder()
    guard try make(fixture, in: folder) else { return }
    let probe = try probed(fixture.name, in: folder)
    let facts = try folder.facts(of: fixture.name, helper)
    let movie = try #require(facts.movie)
    #expect(movie.container == probe["format.format_name"])
    let count = Int(probe["format.nb_streams"] ?? "") ?? 0
    #expect(movie.tracks.count == count && count > 0)
    for (index, track) in movie.tracks.enumerated() {
      func said(_ name: String) -> String? { probe["streams.stream.\(index).\(name)"] }
      #expect(track.kind.name == said("codec_type"))
      #expect(track.codec == said("codec_name"))
      // The headers of VP9 in Matroska, of MPEG-4 in AVI and of PNG don't state one; ffprobe decodes frames.
      if let profile = track.profile { #expect(profile == said("profile")) }
      #expect(track.profile != nil || ["vp9", "mpeg4", "png", "aac"].contains(track.codec))
      #expect(track.isCover == (said("disposition.attached_pic") == "1"))
      #expect(track.language == said("tags.language").flatMap { $0 == "und" ? nil : $0 })
      if let duration = track.duration, let other = said("duration").flatMap({ Double($0) }) {
        #expect(abs(duration - other) < 0.01)
      }
      #expect(track.channelCount == said("channels").flatMap { Int($0) })
      #expect(track.sampleRate == said("sample_rate").flatMap { Int($0) })
      guard let video = track.video else {
        #expect(track.kind != .video)
        continue
      }
      // Of a cover, only its decoder may know the size.
      if track.isCover { continue }
      #expect("\(video.width)" == said("width") && "\(video.height)" == said("height"))
      #expect("\(video.pixelWidth):\(video.pixelHeight)" == said("sample_aspect_ratio"))
      let (average, lowest) = (fraction(said("avg_frame_rate")), fraction(said("r_frame_rate")))
      #expect(abs((video.frameRate ?? 0) - (average ?? 0)) < 0.01)
      if let isVariable = video.isVariableFrameRate, let average, let lowest {
        #expect(isVariable == (abs(average - lowest) > average / 50))
      }
      let range: MovieTrack.DynamicRange =
        switch said("color_transfer") {
        case "smpte2084": .pq
        case "arib-std-b67": .hlg
        default: .standard
        }
      #expect(video.dynamicRange == range)
    }
    #expect(movie.videoTrack?.video?.isVariableFrameRate == true || fixture.name != "variable.mp4")
  }

  // MARK: Dynamic range

  private static let masteringDisplay =
    "hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"

  /// A video in perceptual quantization, or hybrid log-gamma.
  private func makeWideVideo(
    _ transfer: String, _ parameters: String = "", named name: String, in folder: ToolFolder
  ) throws -> Bool {
    let encoder = ["-c:v", "libx265", "-x265-params", "log-level=none" + parameters, "-color_trc", transfer]
    return try make(
      Fixture(name: name, encoder: "libx265", options: encoder + Self.bt2020), in: folder)
  }

  /// Inserts boxes behind the decoder configuration of a file whose movie box is the last one.
  private func insert(_ boxes: [UInt8], into name: String, as other: String, in folder: ToolFolder) throws {
    var bytes = try folder.bytes(of: name)
    func place(of type: String, from start: Int) throws -> Int {
      let type = Array(type.utf8)
      return try #require((start..<bytes.count - 4).first { bytes[$0...].starts(with: type) }) - 4
    }
    func size(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let top = try #require((4..<bytes.count - 4).last { bytes[$0...].starts(with: Array("moov".utf8)) }) - 4
    let configuration = try place(of: "hvcC", from: top)
    let end = configuration + size(at: configuration)
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hev1"] {
      let box = try place(of: type, from: top)
      bytes.replaceSubrange(box..<box + 4, with: Boxes.number(UInt32(size(at: box) + boxes.count)))
    }
    bytes.insert(contentsOf: boxes, at: end)
    try folder.write(bytes, to: other)
  }

  private func range(of name: String, in folder: ToolFolder) throws -> MovieTrack.DynamicRange? {
    try folder.facts(of: name, helper).movie?.videoTrack?.video?.dynamicRange
  }

  @Test func `HDR10 is recognized by x265's description of the mastering display`() throws {
    let folder = try ToolFolder()
    guard try makeWideVideo("smpte2084", ":" + Self.masteringDisplay, named: "hdr.mp4", in: folder) else {
      return
    }
    try folder.run("ffmpeg", "-i", "hdr.mp4", "-c", "copy", "hdr.mkv")
    try folder.run("ffmpeg", "-i", "hdr.mp4", "-c", "copy", "hdr.mov")
    for name in ["hdr.mp4", "hdr.mkv", "hdr.mov"] {
      #expect(try range(of: name, in: folder) == .hdr10)
      // ffprobe finds it in the frames.
      try folder.run("sh", "-c", "ffprobe -v error -read_intervals %+#1 -show_frames \(name) > frames")
      let frames = String(decoding: try folder.bytes(of: "frames"), as: UTF8.self)
      #expect(frames.contains("Mastering display metadata"))
    }
  }

  /// `mdcv` (ISO/IEC 14496-12, 12.1.5 and SMPTE ST 2086), and the configurations of Dolby Vision ("Dolby Vision
  /// Streams Within the ISO Base Media File Format", 3.2): profile 8.4, level 6, a base layer with metadata.
  @Test(
    arguments: [
      ("smpte2084", [], .pq), ("smpte2084", ["mdcv"], .hdr10), ("smpte2084", ["dvcC"], .dolbyVision),
      ("smpte2084", ["mdcv", "dvvC"], .dolbyVision), ("arib-std-b67", ["dvvC"], .dolbyVision),
      ("arib-std-b67", ["mdcv"], .hlg),
    ] as [(String, [String], MovieTrack.DynamicRange)])
  func `The boxes of a video tell its dynamic range`(
    transfer: String, types: [String], expected: MovieTrack.DynamicRange
  ) throws {
    let folder = try ToolFolder()
    guard try makeWideVideo(transfer, named: "a.mp4", in: folder) else { return }
    let colors: [UInt16] = [13250, 34500, 7500, 3000, 34000, 16000, 15635, 16450]
    let boxes = types.flatMap { type in
      type == "mdcv"
        ? Boxes.box(
          type, colors.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, Boxes.number(UInt32(10_000_000)),
          Boxes.number(UInt32(50)))
        : Boxes.box(type, [1, 0, 0x10, 0x35, 0x40], Boxes.zeros(19))
    }
    try insert(boxes, into: "a.mp4", as: "b.mp4", in: folder)
    #expect(try range(of: "b.mp4", in: folder) == expected)
    let probe = try probed("b.mp4", in: folder)
    let sideData = probe.filter { $0.key.contains("side_data_type") }.map(\.value)
    #expect(sideData.contains { $0.contains("DOVI") } == types.contains { $0.hasPrefix("dv") })
    #expect(sideData.contains { $0.contains("Mastering") } == types.contains("mdcv"))
  }

  @Test(arguments: [0, 90, 180, 270]) func `The rotation turns frames upright`(degrees: Int) throws {
    let folder = try ToolFolder()
    try folder.run(["ffmpeg"] + Self.picture + ["-c:v", "mpeg4", "a.mp4"])
    try folder.run("ffmpeg", "-i", "a.mp4", "-c", "copy", "-metadata:s:v", "rotate=\(degrees)", "b.mov")
    let probe = try probed("b.mov", in: folder)
    // ffprobe counts counterclockwise.
    let other = probe["streams.stream.0.side_data_list.side_data.0.rotation"].flatMap { Int($0) } ?? 0
    let facts = try folder.facts(of: "b.mov", helper)
    let video = try #require(facts.movie?.videoTrack?.video)
    #expect(video.rotation == ((-other % 360) + 360) % 360)
    #expect(video.width == 160 && video.height == 96)
    #expect(facts.width == (degrees % 180 == 0 ? 160 : 96))
  }

  @Test func `Chapters have their titles and times`() throws {
    let folder = try ToolFolder()
    let text = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=400
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=400
      END=1000
      title=Two
      """
    try folder.write(Array(text.utf8), to: "chapters")
    try folder.run(
      ["ffmpeg"] + Self.picture + [
        "-i", "chapters", "-map", "0:v", "-map_metadata", "1", "-c:v", "mpeg4", "a.mkv",
      ])
    let movie = try #require(try folder.facts(of: "a.mkv", helper).movie)
    #expect(
      movie.chapters == [
        MovieChapter(title: "One", start: 0, end: 0.4), MovieChapter(title: "Two", start: 0.4, end: 1),
      ])
  }

  @Test func `A content identifier is reported`() throws {
    let folder = try ToolFolder()
    try folder.run(
      ["ffmpeg"] + Self.picture + [
        "-c:v", "mpeg4", "-movflags", "use_metadata_tags", "-metadata",
        "com.apple.quicktime.content.identifier=7D2F0D5E-0000-4000-8000-0123456789AB", "a.mov",
      ])
    #expect(
      try folder.facts(of: "a.mov", helper).contentIdentifier == "7D2F0D5E-0000-4000-8000-0123456789AB")
  }

  @Test func `A truncated or empty video has facts or an error`() throws {
    let folder = try ToolFolder()
    try folder.run(["ffmpeg"] + Self.picture + ["-c:v", "mpeg4", "-movflags", "faststart", "a.mp4"])
    let whole = try folder.bytes(of: "a.mp4")
    // The header comes first, so the facts survive the loss of frames.
    let cut = try helper.facts(ofBytes: Array(whole[..<(whole.count * 3 / 4)]))
    #expect(cut.movie?.videoTrack?.codec == "mpeg4")
    #expect(throws: CodecError.self) { try helper.facts(ofBytes: Array(whole[..<200])) }
    #expect(throws: CodecError.self) { try helper.facts(ofBytes: []) }
  }

  @Test func `Mutated videos get an answer, and none ends the helper`() throws {
    let folder = try ToolFolder()
    try folder.run(["ffmpeg"] + Self.picture + ["-c:v", "mpeg4", "-movflags", "faststart", "a.mp4"])
    let whole = try folder.bytes(of: "a.mp4")
    var generator = SeededGenerator(seed: 57)
    for round in 0..<60 {
      var bytes = whole
      // The tables come first.
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<min(1500, bytes.count), using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      do throws(CodecError) {
        let movie = try helper.facts(ofBytes: bytes).movie
        #expect((movie?.tracks.count ?? 0) <= 64, "round \(round)")
      } catch {
        let stalls: [CodecError] = [.died, .hung, .missing(.codecs)]
        #expect(!stalls.contains(error), "round \(round)")
      }
    }
  }
}
