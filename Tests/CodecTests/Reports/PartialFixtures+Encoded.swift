import Fixtures

// Files of real encoders, made from noise so that they are large.
extension PartialFixtures {
  static func encodedPictures() throws -> [File] {
    let folder = try ToolFolder()
    let noise = ["-size", "640x480", "-seed", "7", "plasma:", "-attenuate", "2", "+noise", "Gaussian"]
    try folder.run(["convert"] + noise + ["-quality", "95", "a.jpg"])
    try folder.run(
      "exiftool", "-Make=Testmaker", "-DateTimeOriginal=2024:05:02 14:10:09", "-XMP-dc:Subject=harbour",
      "a.jpg")
    try folder.run("heif-enc", "-q", "97", "-p", "preset=ultrafast", "a.jpg", "-o", "a.heic")
    try folder.run("heif-enc", "-A", "-q", "97", "-p", "speed=9", "a.jpg", "-o", "a.avif")
    try folder.run("convert", "a.jpg", "-compress", "lzw", "a.tif")
    try folder.run("convert", "a.jpg", "a.png")
    try folder.run("convert", "a.jpg", "-quality", "98", "a.webp")
    return try ["a.jpg", "a.heic", "a.avif", "a.tif", "a.png", "a.webp"].map {
      ("encoded \($0)", try folder.bytes(of: $0))
    }
  }

  /// Videos with their tables at the end and at the start.
  static func encodedMovies() throws -> [File] {
    let folder = try ToolFolder()
    // Encoded once: the others are the same streams in other containers.
    try folder.run(
      video("-metadata", "creation_time=2024-05-02T12:10:09Z", "-c:v", "mpeg4") + ["a.mp4"])
    let video = ["ffmpeg", "-i", "a.mp4", "-map_metadata", "0", "-c", "copy"]
    try folder.run(video + ["-timecode", "01:00:00:00", "a.mov"])
    try folder.run(video + ["-movflags", "+faststart", "b.mp4"])
    try folder.run(video + ["-movflags", "+faststart", "b.mov"])
    try folder.run(video + ["a.mkv"])
    try folder.run(video + ["a.avi"])
    return try ["a.mp4", "a.mov", "b.mp4", "b.mov", "a.mkv", "a.avi"].map {
      ("encoded \($0)", try folder.bytes(of: $0))
    }
  }

  /// A broadcast stream, which has no duration anywhere.
  static func broadcast() throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.run(video("-c:v", "mpeg2video", "-f", "mpegts") + ["a.ts"])
    return try folder.bytes(of: "a.ts")
  }

  /// A video with a fragment for each second or so, without the number of fragments.
  static func fragments() throws -> [UInt8] {
    let folder = try ToolFolder()
    try folder.run(video("-c:v", "mpeg4", "-movflags", "frag_keyframe+empty_moov") + ["a.mp4"])
    return try folder.bytes(of: "a.mp4")
  }

  private static func video(_ options: String...) -> [String] {
    [
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=8,noise=alls=60:allf=t", "-f", "lavfi", "-i",
      "sine=d=8", "-q:v", "4",
    ] + options
  }
}
