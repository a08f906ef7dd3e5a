import CodecProtocol
import Fixtures
import Pixels
import Testing

/// The times of frames, compared with the time stamps that ffprobe reads.
@Suite struct FrameTimeTests {
  /// The helpers of a test that plays two files at once, which is as many as a client plays.
  ///
  /// Two such tests with the same client would each have one and wait for the other's forever.
  private func ownHelper() -> CodecClient {
    CodecClient(program: Program.helper, decodeDeadline: .seconds(120))
  }

  @Test(
    arguments: [
      ("a.mp4", ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]),
      ("variable.mp4", ["-vf", "select='not(eq(mod(n,3),1))'", "-vsync", "vfr", "-c:v", "mpeg4"]),
      ("variable.mkv", ["-vf", "select='lt(mod(n,4),2)'", "-vsync", "vfr", "-c:v", "mpeg4"]),
      ("noindex.mp4", ["-c:v", "mpeg4", "-movflags", "frag_keyframe+empty_moov"]),
      ("a.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"]),
    ] as [(String, [String])])
  func `Every shown frame has the time of its time stamp`(name: String, options: [String]) throws {
    let folder = try ToolFolder()
    try folder.run(["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=160x96:r=10:d=2"] + options + [name])
    try folder.run(
      "sh", "-c",
      "ffprobe -v error -select_streams v:0 -of csv=p=0 -show_entries frame=best_effort_timestamp_time \(name) > times"
    )
    let stamps = String(decoding: try folder.bytes(of: "times"), as: UTF8.self)
      .split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    let first = try #require(stamps.first)
    let request = FramesRequest(targetWidth: 80, targetHeight: 80)
    try NamelessFile(try folder.bytes(of: name)).withDescriptor { file in
      let frames = Decoding.helper.frames(of: file, request)
      var shown: [Double] = []
      while shown.count < 100, let frame = try frames.next(FrameTimes()) {
        shown.append(Double(frame.start) / 1_000_000)
      }
      #expect(shown.count == stamps.count)
      for (time, stamp) in zip(shown, stamps) { #expect(abs(time - (stamp - first)) < 0.002) }
    }
  }

  @Test func `Late frames are left out, and the next one is the same as without`() throws {
    let folder = try ToolFolder()
    let options = ["-c:v", "libx264", "-bf", "3", "-g", "40", "-pix_fmt", "yuv420p"]
    try folder.run(["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=160x96:r=10:d=4"] + options + ["a.mp4"])
    let request = FramesRequest(targetWidth: 80, targetHeight: 80)
    let helper = ownHelper()
    try NamelessFile(try folder.bytes(of: "a.mp4")).withDescriptor { file in
      let whole = helper.frames(of: file, request)
      var all: [HelperFrames.Frame] = []
      while all.count < 100, let frame = try whole.next(FrameTimes()) { all.append(frame) }
      #expect(all.count == 40)
      for late in [150_000, 900_000, 1_000_000, 2_333_333, 3_700_000, 9_000_000] as [Int64] {
        let frames = helper.frames(of: file, request)
        _ = try frames.next(FrameTimes())
        let found = try #require(try frames.next(FrameTimes(until: late, most: 100)))
        let expected = try #require(all.first { $0.start + $0.duration > late } ?? all.last)
        #expect(found.start == expected.start)
        #expect(found.picture.pixels == expected.picture.pixels)
      }
    }
  }

  /// At a third of the width deblocking is left out while a video plays, which must not be seen.
  @Test(arguments: ["libx264", "libx265"])
  func `A video that plays in a third of its width looks like its exact frames`(encoder: String) throws {
    let folder = try ToolFolder()
    let options = ["-c:v", encoder, "-preset", "veryfast", "-crf", "30", "-pix_fmt", "yuv420p"]
    let source = "mandelbrot=s=480x270:r=10:start_scale=1,trim=duration=4"
    try folder.run(["ffmpeg", "-f", "lavfi", "-i", source] + options + ["a.mp4"])
    let request = FramesRequest(targetWidth: 160, targetHeight: 160)
    let helper = ownHelper()
    try NamelessFile(try folder.bytes(of: "a.mp4")).withDescriptor { file in
      let (exact, playing) = (helper.frames(of: file, request), helper.frames(of: file, request))
      var differing = 0
      for index in 0..<40 {
        let expected = try #require(try exact.next(FrameTimes())).picture.pixels
        // Nothing is late at the time 0.
        let shown = try #require(try playing.next(FrameTimes(until: 0, most: 100))).picture.pixels
        #expect(shown.size == expected.size)
        let errors = zip(shown.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }
        let meanSquare = Double(errors.reduce(0) { $0 + $1 * $1 }) / Double(errors.count)
        // 40 dB.
        #expect(meanSquare < 255 * 255 / 10000, "frame \(index)")
        if meanSquare > 0 { differing += 1 }
      }
      #expect(differing > 20)
    }
  }
}
