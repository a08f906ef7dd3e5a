import CodecProtocol
import Fixtures
import Pixels
import Testing

/// Moving pictures, frame by frame from the real helper.
@Suite struct FrameDecodeTests {
  /// A video of ten frames in a second, each brighter than the previous one.
  private static func movie(_ name: String, _ options: [String], size: String = "160x96") throws -> [UInt8] {
    let folder = try ToolFolder()
    let source = "color=c=black:s=\(size):r=10:d=1,geq=lum='20+20*N':cb=128:cr=128"
    try folder.run(["ffmpeg", "-f", "lavfi", "-i", source] + options + [name])
    return try folder.bytes(of: name)
  }

  private static func all(
    _ frames: HelperFrames, skip: FrameTimes = FrameTimes()
  ) throws -> [HelperFrames.Frame] {
    var all: [HelperFrames.Frame] = []
    while all.count < 100, let frame = try frames.next(skip) { all.append(frame) }
    return all
  }

  private static func brightness(_ frame: HelperFrames.Frame) -> Int { Int(frame.picture.pixels[2, 2].green) }

  private static let small = FramesRequest(targetWidth: 80, targetHeight: 80)

  /// Plays a file with these bytes.
  private static func withFrames(
    of bytes: [UInt8], _ request: FramesRequest = small, _ body: (HelperFrames) throws -> Void
  ) throws {
    try NamelessFile(bytes).withDescriptor { try body(Decoding.helper.frames(of: $0, request)) }
  }

  @Test(
    arguments: [
      // Frames that are stored in another order than they are displayed.
      ("a.mp4", ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]),
      ("a.mov", ["-c:v", "mpeg4", "-q:v", "2"]),
      ("a.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"]),
      ("a.ts", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
      ("a.avif", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
    ] as [(String, [String])])
  func `Every frame arrives in order, at its time, in the displayed size`(
    name: String, options: [String]
  ) throws {
    try Self.withFrames(of: try Self.movie(name, options)) { frames in
      for _ in 0..<2 {
        let all = try Self.all(frames)
        #expect(all.count == 10)
        #expect(all.allSatisfy { $0.picture.width == 80 && $0.picture.height == 48 && $0.picture.isOpaque })
        for (index, frame) in all.enumerated() { #expect(abs(frame.start - Int64(index) * 100_000) < 2000) }
        #expect(all.allSatisfy { abs($0.duration - 100_000) < 2000 })
        let levels = all.map(Self.brightness)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 > $0 + 10 })
        #expect(frames.playCount == (name == "a.avif" ? nil : 1))
        frames.seek(to: 0)
      }
    }
  }

  @Test(
    arguments: [
      // One key frame, several of them, and no index.
      ("a.mp4", ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]),
      ("a.mov", ["-c:v", "mpeg4", "-q:v", "2", "-g", "3"]),
      ("a.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-g", "4"]),
      ("a.ts", ["-c:v", "libx264", "-bf", "2", "-g", "4", "-pix_fmt", "yuv420p"]),
      ("a.avif", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
    ] as [(String, [String])])
  func `A seek continues with the frame that is shown at the time`(name: String, options: [String]) throws {
    try Self.withFrames(of: try Self.movie(name, options)) { frames in
      let levels = try Self.all(frames).map(Self.brightness)
      if name != "a.ts", name != "a.avif" { #expect(abs((frames.length ?? 0) - 1_000_000) < 50_000) }
      for (time, index) in [(450_000, 4), (100_000, 1), (799_999, 7), (0, 0), (950_000, 9)] as [(Int64, Int)]
      {
        frames.seek(to: time)
        let rest = try Self.all(frames)
        #expect(rest.count == 10 - index, "\(time)")
        let first = try #require(rest.first)
        #expect(abs(first.start - Int64(index) * 100_000) < 2000, "\(time)")
        for (frame, level) in zip(rest, levels[index...]) { #expect(abs(Self.brightness(frame) - level) < 4) }
      }
      // Past the end, the last frame is shown.
      frames.seek(to: 60_000_000)
      #expect(try Self.all(frames).map { abs($0.start - 900_000) < 2000 } == [true])
    }
  }

  @Test func `Late frames are skipped, but never the last`() throws {
    try Self.withFrames(of: try Self.movie("a.mp4", ["-c:v", "mpeg4", "-q:v", "2"])) { frames in
      let third = try #require(try frames.next(FrameTimes(until: 250_000, most: 9)))
      #expect(third.start == 200_000)
      let sixth = try #require(try frames.next(FrameTimes(until: 5_000_000, most: 2)))
      #expect(sixth.start == 500_000)
      let last = try #require(try frames.next(FrameTimes(until: 5_000_000, most: 99)))
      #expect(last.start == 900_000)
      #expect(try frames.next(FrameTimes()) == nil)
    }
  }

  @Test func `A rotated video is displayed upright`() throws {
    let folder = try ToolFolder()
    let picture = TestPicture.make(width: 160, height: 96)
    try folder.write(picture.stored(as: .rightTop), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-loop", "1", "-framerate", "10", "-t", "0.3", "-i", "a.ppm", "-c:v", "mpeg4", "-q:v", "2",
      "a.mp4")
    try folder.run("ffmpeg", "-i", "a.mp4", "-c", "copy", "-metadata:s:v", "rotate=270", "b.mov")
    try Self.withFrames(of: try folder.bytes(of: "b.mov")) { frames in
      let frame = try #require(try frames.next(FrameTimes()))
      #expect(frame.picture.width == 80 && frame.picture.height == 48)
      #expect(frame.picture.isUpright)
    }
  }

  @Test func `A video with non-square pixels is displayed in its aspect ratio`() throws {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 160, height: 96), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-loop", "1", "-framerate", "10", "-t", "0.3", "-i", "a.ppm", "-vf",
      "scale=120:96,setsar=4/3", "-c:v", "mpeg4", "-q:v", "2", "a.mp4")
    try Self.withFrames(of: try folder.bytes(of: "a.mp4")) { frames in
      let frame = try #require(try frames.next(FrameTimes()))
      #expect(frame.picture.width == 80 && frame.picture.height == 48)
      #expect(frame.picture.isUpright)
    }
  }

  @Test func `A clip within another file can be played`() throws {
    let movie = try Self.movie("a.mp4", ["-c:v", "mpeg4", "-q:v", "2"])
    let bytes = [UInt8](repeating: 0xFF, count: 5000) + movie + [UInt8](repeating: 0, count: 700)
    var request = Self.small
    request.range = 5000..<5000 + movie.count
    try Self.withFrames(of: bytes, request) { frames in
      let all = try Self.all(frames)
      #expect(all.count == 10)
    }
  }

  @Test func `A JPEG XL animation can be played`() throws {
    let folder = try ToolFolder()
    let size = PixelSize(width: 8, height: 6)
    let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
    let animation = HandmadeAnimation(
      size: size, colors.map { .init($0, size: size, delay: 200, blending: 0) })
    try folder.write(animation.png(), to: "a.apng")
    try folder.run("cjxl", "a.apng", "a.jxl", "-d", "0")
    try Self.withFrames(of: try folder.bytes(of: "a.jxl")) { frames in
      for _ in 0..<2 {
        let all = try Self.all(frames)
        #expect(all.map(\.start) == [0, 200_000, 400_000])
        #expect(all.map { Array($0.picture.pixels.bytes[..<4]) } == colors)
        frames.seek(to: 0)
      }
      #expect(frames.playCount == nil)
    }
  }

  @Test(arguments: [(1, 100_000), (10, 100_000), (11, 11_000), (20, 20_000)] as [(Int, Int64)])
  func `A JPEG XL frame too short to be visible is shown for a tenth of a second`(
    delay: Int, shown: Int64
  ) throws {
    let folder = try ToolFolder()
    let size = PixelSize(width: 8, height: 6)
    let frames = [[255, 0, 0, 255], [0, 0, 255, 255]].map {
      HandmadeAnimation.Piece($0, size: size, delay: delay, blending: 0)
    }
    try folder.write(HandmadeAnimation(size: size, frames).png(), to: "a.apng")
    try folder.run("cjxl", "a.apng", "a.jxl", "-d", "0")
    try Self.withFrames(of: try folder.bytes(of: "a.jxl")) { frames in
      let all = try Self.all(frames)
      #expect(all.map(\.start) == [0, shown])
      #expect(all.first?.duration == shown)
    }
  }

  @Test func `A frame is never larger than stored`() throws {
    let request = FramesRequest(targetWidth: 1000, targetHeight: 1000)
    try Self.withFrames(of: try Self.movie("a.mp4", ["-c:v", "mpeg4"]), request) { frames in
      let first = try #require(try frames.next(FrameTimes()))
      #expect(first.picture.width == 160 && first.picture.height == 96)
    }
  }

  @Test(arguments: ["a.mp4", "a.mkv", "a.avi", "a.ts"])
  func `Sound beside the pictures does not affect them`(name: String) throws {
    let sound = ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "mp2"]
    try Self.withFrames(of: try Self.movie(name, sound + ["-c:v", "mpeg4", "-q:v", "2"])) { frames in
      let all = try Self.all(frames)
      #expect(all.count == 10)
      let levels = all.map(Self.brightness)
      #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 > $0 + 10 })
    }
  }

  @Test func `A still picture is reported as such, and the helper serves the next`() throws {
    try Self.withFrames(of: try TestPhoto(width: 40, height: 30).bytes()) { still in
      #expect(throws: CodecError.unreadable("not an animation or a video")) { try still.next(FrameTimes()) }
    }
    try Self.withFrames(of: try Self.movie("a.mp4", ["-c:v", "mpeg4"])) { moving in
      let first = try moving.next(FrameTimes())
      #expect(first != nil)
    }
  }

  @Test func `Canceling ends the wait, and playback may be started again`() throws {
    try Self.withFrames(of: try Self.movie("a.mp4", ["-c:v", "mpeg4"])) { frames in
      let cancelled = try frames.next(FrameTimes(), isCancelled: { true })
      #expect(cancelled == nil)
      let first = try frames.next(FrameTimes())
      #expect(first?.start == 0)
    }
  }

  @Test func `Playback of damaged files ends eventually`() throws {
    let bytes = try Self.movie("a.mp4", ["-c:v", "mpeg4", "-q:v", "2"])
    for seed in 0..<12 {
      var random = SeededGenerator(seed: UInt64(seed))
      var changed = bytes
      for _ in 0..<8 {
        changed[Int.random(in: 40..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let damaged = seed % 3 == 0 ? Array(changed[..<(bytes.count / 2)]) : changed
      try Self.withFrames(of: damaged) { frames in
        let all = try? Self.all(frames)
        #expect((all?.count ?? 0) <= 20)
      }
    }
  }
}
