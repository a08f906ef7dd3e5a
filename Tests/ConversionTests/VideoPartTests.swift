import AssetLibrary
import CPlatform
import CodecProtocol
import Decoding
import Export
import Fixtures
import Glibc
import Imaging
import MediaFormats
import Metadata
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import Conversion

/// Parts of videos, compared with the frames of the whole and by what ffprobe tells.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct VideoPartTests {
  /// The files of a folder.
  private struct Files: OriginalAccess {
    func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
      do { return try OpenFile(resource.path.bytes) } catch {
        throw AssetError(resource.name, "can't be read")
      }
    }

    func isLocal(_ resource: AssetResource) -> Bool { true }
  }

  private static let maker = FileRepresentationMaker(
    Files(), reader: ReaderClient(program: Program.path(of: "tpick-reader"), processes: 1),
    foreign: HelperDecoder(CodecClient(program: Program.helper)),
    blocks: MetadataClient(program: Program.path(of: "tpick-reader")),
    helper: CodecClient(program: Program.helper))

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func video(_ name: String) throws -> AssetResource {
    let suffix = String(name.split(separator: ".").last ?? "")
    return AssetResource(
      type: .video, path: FilePath("\(folder.path)/\(name)"),
      uniformTypeIdentifier: try #require(FileFormat(suffix: suffix)).uniformTypeIdentifier,
      byteCount: Int64(try folder.bytes(of: name).count))
  }

  /// Writes a part of a video as "part.mp4".
  private func make(
    _ part: Range<Duration>, of name: String, _ stripping: RepresentationOptions.Stripping = .nothing
  ) throws {
    var options = RepresentationOptions()
    options.stripping = stripping
    let descriptor = memory_file_create()
    defer { close(descriptor) }
    let made = try Self.maker.make(
      .videoPart(try video(name), part), options, into: descriptor, cancellation: Cancellation(),
      progress: { _ in })
    guard case .file(let facts) = made else { throw FixtureError("nothing was made") }
    #expect(facts.suffix == "mp4" && facts.remark == nil)
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    _ = pread(descriptor, &bytes, bytes.count, 0)
    try folder.write(bytes, to: "part.mp4")
  }

  private func probe(_ name: String, _ words: String) throws -> String {
    try folder.run("sh", "-c", "ffprobe -v error \(words) \(name) > probed")
    return String(decoding: try folder.bytes(of: "probed"), as: UTF8.self)
  }

  private struct Frame {
    /// Seconds after the first frame.
    var time: Double
    /// The average brightness.
    var level: Int
  }

  /// The frames of a file, as FFmpeg decodes them.
  private func frames(of name: String) throws -> [Frame] {
    let text = try probe(
      name, "-select_streams v:0 -of csv=p=0 -show_entries frame=best_effort_timestamp_time")
    let times = text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    try folder.run([
      "ffmpeg", "-i", name, "-map", "0:v:0", "-vf", "scale=1:1,format=gray", "-vsync", "passthrough", "-f",
      "rawvideo", "levels",
    ])
    let levels = try folder.bytes(of: "levels")
    try #require(times.count == levels.count && !times.isEmpty)
    return zip(times, levels).map { Frame(time: $0 - times[0], level: Int($1)) }
  }

  /// Thirty frames of changing brightness.
  private static let graph = "color=black:s=64x48:r=10:d=3,geq=lum='16+mod(N,11)*20':cb=128:cr=128"
  private static let irregular = ["-vf", "select='lt(mod(n,5),2)+eq(n,13)+eq(n,24)'", "-vsync", "vfr"]

  @Test(
    arguments: [
      ("constant.mp4", ["-c:v", "libx264", "-bf", "2", "-g", "30", "-pix_fmt", "yuv420p"]),
      ("variable.mp4", irregular + ["-c:v", "libx264", "-g", "30", "-pix_fmt", "yuv420p"]),
      ("variable.mkv", irregular + ["-c:v", "mpeg4", "-q:v", "2"]),
      ("ntsc.mov", ["-r", "30000/1001", "-c:v", "prores"]),
      ("a.avi", ["-c:v", "mpeg4", "-q:v", "2"]),
      // A transport stream has no index.
      ("a.mts", ["-c:v", "libx264", "-g", "20", "-pix_fmt", "yuv420p", "-c:a", "aac"]),
      // The sound begins before the pictures.
      ("late.mp4", ["-vsync", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]),
    ] as [(String, [String])])
  func `A part has exactly the frames of the whole, at their times`(name: String, options: [String]) throws {
    let delay = name.hasPrefix("late") ? ["-itsoffset", "0.7"] : []
    let sound = options.contains("aac") ? ["-f", "lavfi", "-i", "sine=d=3"] : []
    try folder.run(["ffmpeg", "-f", "lavfi"] + delay + ["-i", Self.graph] + sound + options + [name])
    let whole = try frames(of: name)
    let last = whole.count - 1
    for (first, end) in [(0, 3), (whole.count / 3, whole.count * 2 / 3), (last, last)] {
      // As the picker does: to just before the frame after the last one.
      let next = end < last ? whole[end + 1].time : whole[end].time + 0.03
      try make(.seconds(whole[first].time)..<(.seconds(next) - .milliseconds(1)), of: name)
      let part = try frames(of: "part.mp4")
      #expect(part.count == end - first + 1, "\(name), \(first) to \(end)")
      for (frame, original) in zip(part, whole[first...end]) {
        #expect(abs(frame.level - original.level) <= 4)
        #expect(abs(frame.time - (original.time - whole[first].time)) < 0.002)
      }
    }
  }

  @Test func `A GIF of a part has its frames`() throws {
    try folder.run(
      [
        "ffmpeg", "-f", "lavfi", "-i", Self.graph, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p",
        "a.mp4",
      ])
    let whole = try frames(of: "a.mp4")
    let descriptor = memory_file_create()
    defer { close(descriptor) }
    let facts = try Self.maker.makeGIF(
      try video("a.mp4"), part: .seconds(1)..<(.milliseconds(1999)), longestSide: 48, into: descriptor,
      cancellation: Cancellation(), progress: { _ in })
    #expect(facts.suffix == "gif")
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    _ = pread(descriptor, &bytes, bytes.count, 0)
    try folder.write(bytes, to: "part.gif")
    let part = try frames(of: "part.gif")
    #expect(part.count == 10)
    for (frame, original) in zip(part, whole[10..<20]) { #expect(abs(frame.level - original.level) <= 6) }
  }

  @Test func `The frames of a part have durations, from which players know the last one`() throws {
    try folder.run(
      [
        "ffmpeg", "-f", "lavfi", "-i", Self.graph, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p",
        "a.mp4",
      ])
    try make(.seconds(1)..<(.milliseconds(1999)), of: "a.mp4")
    let durations = try probe(
      "part.mp4", "-select_streams v:0 -of csv=p=0 -show_entries packet=duration_time"
    )
    .split(whereSeparator: { $0 == "\n" || $0 == "," }).map { Double($0) }
    #expect(durations == Array(repeating: 0.1, count: 10))
    #expect(try probe("part.mp4", "-show_entries stream=r_frame_rate").contains("r_frame_rate=10/1"))
  }

  /// A turned video with chapters, a date with its zone and a place; after a second it becomes blue, and a tone sounds.
  private func makeTurned() throws {
    let graph =
      "color=red:s=64x48:r=20:d=1[a];color=blue:s=64x48:r=20:d=2[b];[a][b]concat=n=2[v]"
      + ";aevalsrc='if(between(t,1,1.2),sin(2*PI*1000*t),0)':d=3[s]"
    try folder.write(
      Array(
        """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=1000
        title=First
        [CHAPTER]
        TIMEBASE=1/1000
        START=1000
        END=3000
        title=Second

        """.utf8), to: "chapters.txt")
    try folder.run(
      [
        "ffmpeg", "-filter_complex", graph, "-i", "chapters.txt", "-map", "[v]", "-map", "[s]",
        "-map_metadata", "0", "-map_chapters", "0", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
        "-metadata", "creation_time=2024-05-03T10:00:00Z", "-metadata",
        "com.apple.quicktime.creationdate=2024-05-03T12:00:00+0200", "-metadata",
        "com.apple.quicktime.location.ISO6709=+48.8577+002.2950+035.0/", "-movflags", "use_metadata_tags",
        "upright.mov",
      ])
    try folder.run([
      "ffmpeg", "-i", "upright.mov", "-map", "0:v", "-map", "0:a", "-c", "copy", "-map_metadata", "0",
      "-metadata:s:v:0", "rotate=90", "-movflags", "use_metadata_tags", "turned.mov",
    ])
  }

  @Test(arguments: RepresentationOptions.Stripping.allCases)
  func `A part is upright, with the date and place of the whole unless they are to be removed`(
    stripping: RepresentationOptions.Stripping
  ) throws {
    try makeTurned()
    #expect(try probe("turned.mov", "-show_chapters").contains("First"))
    #expect(try probe("turned.mov", "-show_entries stream_side_data=rotation").contains("rotation="))
    try make(.milliseconds(500)..<(.milliseconds(1499)), of: "turned.mov", stripping)
    let streams = try probe("part.mp4", "-show_entries stream=width,height:stream_side_data=rotation")
    #expect(streams.contains("width=48") && streams.contains("height=64") && !streams.contains("rotation="))
    #expect(try !probe("part.mp4", "-show_chapters").contains("CHAPTER"))
    let tags = try probe("part.mp4", "-show_entries format_tags")
    #expect(tags.contains("2024-05-03T12:00:00+0200") == (stripping != .all), "\(tags)")
    #expect(tags.contains("+48.8577") == (stripping == .nothing), "\(tags)")
    #expect(try !folder.bytes(of: "part.mp4").isEmpty)
  }

  @Test func `Sound and pictures stay together`() throws {
    try makeTurned()
    for start in [0, 250, 900] {
      try make(.milliseconds(start)..<(.milliseconds(start + 999)), of: "turned.mov")
      try folder.run(["ffmpeg", "-i", "part.mp4", "-ac", "1", "-ar", "8000", "-f", "s16le", "sound"])
      let sound = try folder.bytes(of: "sound")
      let loud = stride(from: 0, to: sound.count - 1, by: 2).first { index in
        abs(Int(Int16(bitPattern: UInt16(sound[index]) | UInt16(sound[index + 1]) << 8))) > 3000
      }
      let blue = try frames(of: "part.mp4").first { $0.level < 60 }
      let (heard, seen) = (loud.map { Double($0 / 2) / 8000 }, blue?.time)
      if start == 0 {
        #expect(heard == nil && seen == nil)
      } else {
        #expect(abs(try #require(heard) - Double(1000 - start) / 1000) < 0.03)
        #expect(abs(try #require(seen) - Double(1000 - start) / 1000) < 0.002)
      }
    }
  }

  @Test func `A part of an HDR video is tone-mapped as the whole is`() throws {
    try folder.run([
      "ffmpeg", "-f", "lavfi", "-i", Self.graph, "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc", "hlg.mp4",
    ])
    try make(.seconds(1)..<(.milliseconds(1999)), of: "hlg.mp4")
    let stream = try probe("part.mp4", "-show_entries stream=codec_name,pix_fmt,color_transfer,nb_frames")
    for words in ["codec_name=h264", "pix_fmt=yuv420p\n", "color_transfer=bt709", "nb_frames=10"] {
      #expect(stream.contains(words), "\(stream)")
    }
  }
}
