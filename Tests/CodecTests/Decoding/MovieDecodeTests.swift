import CodecProtocol
import Fixtures
import Pixels
import Testing

/// Videos by FFmpeg, of which the real helper decodes one picture.
@Suite struct MovieDecodeTests {
  /// A second of the test picture, stored as a camera in this orientation stores it.
  private func movie(
    _ name: String, options: [String], before: [String] = [], width: Int = 160, height: Int = 96,
    stored orientation: Orientation = .topLeft
  ) throws -> [UInt8] {
    let folder = try ToolFolder()
    let picture = TestPicture.make(width: width, height: height)
    try folder.write(picture.stored(as: orientation), to: "a.ppm")
    try folder.run(
      ["ffmpeg"] + before + ["-loop", "1", "-framerate", "10", "-t", "1", "-i", "a.ppm"] + options + [name])
    return try folder.bytes(of: name)
  }

  @Test(
    arguments: [
      ("a.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]), ("a.mov", ["-c:v", "mpeg4", "-q:v", "2"]),
      ("a.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv444p"]),
      ("a.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"]),
      ("a.avi", ["-c:v", "mpeg4", "-q:v", "2"]), ("a.ts", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
      ("a.mov", ["-c:v", "prores_ks"]), ("a.mp4", ["-c:v", "libx265", "-pix_fmt", "yuv420p10le"]),
      // An unusual range and matrix.
      ("a.mp4", ["-c:v", "libx264", "-pix_fmt", "yuvj420p"]),
      (
        "a.mp4",
        [
          "-vf", "scale=out_color_matrix=bt709", "-colorspace", "bt709", "-c:v", "libx264", "-pix_fmt",
          "yuv420p",
        ]
      ),
    ] as [(String, [String])])
  func `Colors stay close to the stored ones`(name: String, options: [String]) throws {
    let picture = try Decoding.picture(movie(name, options: options))
    #expect(picture.width == 160)
    #expect(picture.height == 96)
    #expect(picture.isUpright)
    #expect(picture.error < 4)
    #expect(picture.isOpaque)
  }

  @Test(
    // FFmpeg 5.1 counts these counterclockwise.
    arguments: [("0", .topLeft), ("90", .leftBottom), ("180", .bottomRight), ("270", .rightTop)]
      as [(String, Orientation)])
  func `The container's rotation is applied once`(rotation: String, orientation: Orientation) throws {
    let folder = try ToolFolder()
    let options = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
    try folder.write(movie("a.mp4", options: options, stored: orientation), to: "a.mp4")
    try folder.run("ffmpeg", "-i", "a.mp4", "-c", "copy", "-metadata:s:v", "rotate=\(rotation)", "b.mov")
    let bytes = try folder.bytes(of: "b.mov")
    #expect(try folder.facts(of: "b.mov", Decoding.helper).width == 160)
    let picture = try Decoding.picture(bytes)
    #expect(picture.width == 160)
    #expect(picture.isUpright)
    let small = try Decoding.picture(bytes, DecodeRequest(targetWidth: 80, targetHeight: 48))
    #expect(small.width == 80)
    #expect(small.height == 48)
    #expect(small.isUpright)
    #expect(small.sourceWidth == 160)
  }

  @Test(
    arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts", "a.m2ts", "a.3gp"], [Orientation.topLeft, .rightTop])
  func `Non-square pixels are displayed in their aspect ratio`(name: String, orientation: Orientation) throws
  {
    let folder = try ToolFolder()
    let isTurned = orientation == .rightTop
    try folder.write(TestPicture.make(width: 160, height: 96).stored(as: orientation), to: "a.ppm")
    // A row of 160 pixels is stored as 120, as AVCHD stores 1920 as 1440.
    let stored = isTurned ? "72:160" : "120:96"
    try folder.run(
      "ffmpeg", "-loop", "1", "-framerate", "10", "-t", "1", "-i", "a.ppm", "-vf",
      "scale=\(stored),setsar=4/3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "b.mp4")
    if isTurned {
      guard ["a.mp4", "a.mov"].contains(name) else { return }
      try folder.run("ffmpeg", "-i", "b.mp4", "-c", "copy", "-metadata:s:v", "rotate=270", name)
    } else {
      try folder.run("ffmpeg", "-i", "b.mp4", "-c", "copy", name)
    }
    let facts = try folder.facts(of: name, Decoding.helper)
    #expect(facts.width == 160 && facts.height == 96)
    let bytes = try folder.bytes(of: name)
    let picture = try Decoding.picture(bytes)
    #expect(picture.width == 160 && picture.height == 96 && picture.isUpright)
    let small = try Decoding.picture(bytes, DecodeRequest(targetWidth: 80, targetHeight: 48))
    #expect(small.width == 80 && small.height == 48 && small.sourceWidth == 160 && small.isUpright)
  }

  @Test(arguments: ["1/1000", "1000/1", "0/1"])
  func `A pixel aspect ratio that no camera has is ignored`(shape: String) throws {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 160, height: 96), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-loop", "1", "-framerate", "10", "-t", "1", "-i", "a.ppm", "-vf", "setsar=\(shape)", "-c:v",
      "libx264", "-pix_fmt", "yuv420p", "a.mov")
    #expect(try folder.facts(of: "a.mov", Decoding.helper).width == 160)
    #expect(try Decoding.picture(folder.bytes(of: "a.mov")).width == 160)
  }

  @Test func `A picture may be very small`() throws {
    let bytes = try movie("a.mp4", options: ["-c:v", "mpeg4", "-q:v", "2"], width: 1280, height: 768)
    let picture = try Decoding.picture(bytes, DecodeRequest(targetWidth: 8, targetHeight: 8))
    #expect(picture.width == 8)
    #expect(picture.height == 5)
    #expect(TestPicture.Corner(of: picture.pixels[0, 0]) == .topLeft)
    #expect(picture.sourceWidth == 1280)
  }

  @Test(arguments: ["a.mp4", "a.mkv", "a.ts"])
  func `Black frames at the beginning are skipped`(name: String) throws {
    let filter = "[1:v]scale=160:96,setsar=1[b];[0:v]setsar=1[a];[a][b]concat=n=2"
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 160, height: 96), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "color=black:s=160x96:r=10:d=2", "-loop", "1", "-framerate", "10", "-t",
      "2", "-i", "a.ppm", "-filter_complex", filter, "-c:v", "libx264", "-g", "5", "-pix_fmt", "yuv420p", name
    )
    #expect(try Decoding.picture(folder.bytes(of: name)).isUpright)
  }

  @Test func `A video that is entirely black is shown black`() throws {
    let folder = try ToolFolder()
    try folder.run("ffmpeg", "-f", "lavfi", "-i", "color=black:s=160x96:r=10:d=2", "-c:v", "mpeg4", "a.mp4")
    let picture = try Decoding.picture(folder.bytes(of: "a.mp4")).pixels
    #expect(picture[80, 48] == .black)
  }

  @Test func `A key frame after a tenth of the duration is preferred to the first`() throws {
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 160, height: 96), to: "a.ppm")
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "color=white:s=160x96:r=10:d=0.5", "-loop", "1", "-framerate", "10",
      "-t",
      "9.5", "-i", "a.ppm", "-filter_complex", "[0:v]setsar=1[a];[1:v]setsar=1[b];[a][b]concat=n=2", "-c:v",
      "libx264", "-g", "10", "-pix_fmt", "yuv420p", "a.mp4")
    #expect(try Decoding.picture(folder.bytes(of: "a.mp4")).isUpright)
  }

  @Test(arguments: ["a.mp4", "a.mkv", "a.ts"])
  func `A blurred key frame is not the poster if a sharp one follows`(name: String) throws {
    let filter =
      "[0:v]setsar=1,gblur=sigma=30[a];[1:v]setsar=1[b];[a][b]concat=n=2"
    let folder = try ToolFolder()
    try folder.write(TestPicture.make(width: 640, height: 384), to: "a.ppm")
    // Key frames at 0, 0.5, 1 and 1.5 seconds: the one after a tenth of the duration is blurred.
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc2=s=640x384:r=10:d=1", "-f", "lavfi", "-i",
      "testsrc2=s=640x384:r=10:d=1", "-filter_complex", filter, "-c:v", "libx264", "-g", "5", "-pix_fmt",
      "yuv420p", name)
    let picture = try Decoding.picture(folder.bytes(of: name)).pixels
    let steps = (0..<639).map { abs(Int(picture[$0, 192].green) - Int(picture[$0 + 1, 192].green)) }
    #expect((steps.max() ?? 0) > 60)
    // A video that is blurred throughout still has a poster.
    try folder.run(
      "ffmpeg", "-i", name, "-t", "0.9", "-c:v", "libx264", "-g", "5", "-pix_fmt", "yuv420p", "b.mp4")
    #expect(try Decoding.picture(folder.bytes(of: "b.mp4")).width == 640)
  }

  @Test func `The cover is the poster`() throws {
    let folder = try ToolFolder()
    try folder.run("ffmpeg", "-f", "lavfi", "-i", "color=red:s=64x64:r=1:d=1", "-frames:v", "1", "cover.png")
    try folder.run(
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=160x96:r=10:d=1", "-i", "cover.png", "-map", "0", "-map", "1",
      "-c:v:0", "mpeg4", "-c:v:1", "copy", "-disposition:v:1", "attached_pic", "a.mp4")
    let picture = try Decoding.picture(folder.bytes(of: "a.mp4"))
    #expect(picture.width == 64 && picture.height == 64)
    let color = picture.pixels[32, 32]
    #expect(color.red > 240 && color.green < 15 && color.blue < 15)
    // Playing shows the video.
    try NamelessFile(try folder.bytes(of: "a.mp4")).withDescriptor { file in
      let frames = Decoding.helper.frames(of: file, FramesRequest(targetWidth: 160, targetHeight: 96))
      let frame = try frames.next(FrameTimes())
      #expect(frame?.picture.width == 160)
    }
  }

  @Test func `Videos have no embedded picture, sound has no picture, and too many pixels are rejected`()
    throws
  {
    let bytes = try movie("a.mp4", options: ["-c:v", "mpeg4"])
    #expect(Decoding.error(bytes, DecodeRequest(source: .embedded)) == .nothingEmbedded)
    #expect(Decoding.error(bytes, DecodeRequest(maxPixels: 100)) != nil)
    let folder = try ToolFolder()
    try folder.run("ffmpeg", "-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", "a.mp4")
    #expect(Decoding.error(try folder.bytes(of: "a.mp4")) == .unreadable("it contains no video"))
  }
}
