import Fixtures

/// The files of the fact library that FFmpeg, ExifTool and libheif's encoder make.
enum FactTools {
  /// Videos by FFmpeg, with the filters that match them.
  static let videos = [
    FactFile("png-never-pairs.mov"),
    FactFile("slomo-framerate.mov", "slomoVideos"),
    FactFile("slomo-capturefps.mp4", "slomoVideos"),
    FactFile("My Timelapse 1.mp4", "timelapseVideos"),
    FactFile("hyperlapse.mkv", "timelapseVideos"),
    FactFile("tl-keyword.mov", "timelapseVideos"),
    FactFile("ScreenRecording_05-01-2024.mov", "screenRecordings"),
    FactFile("author-replaykit.mov", "screenRecordings"),
    FactFile("cinematic-key.mov", "cinematicVideos"),
    FactFile("geotagged.mov", "geotagged"),
  ]

  /// Makes the videos.
  /// - Returns: The bytes of a playable MP4.
  static func makeVideos(in folder: TemporaryFolder) throws -> [UInt8] {
    let workshop = try TemporaryFolder()
    let source = { (rate: Int) in ["-f", "lavfi", "-i", "testsrc=s=64x48:r=\(rate):d=0.5", "-c:v", "mpeg4"] }
    try workshop.run(["ffmpeg"] + source(30) + ["clip.mp4"])
    try workshop.run(["ffmpeg"] + source(120) + ["\(folder.path)/slomo-framerate.mov"])
    let tags = [
      ("png-never-pairs.mov", ""), ("slomo-capturefps.mp4", "com.android.capture.fps=240"),
      ("My Timelapse 1.mp4", ""), ("hyperlapse.mkv", ""),
      ("tl-keyword.mov", "com.apple.quicktime.keywords=timelapse"), ("ScreenRecording_05-01-2024.mov", ""),
      ("author-replaykit.mov", "com.apple.quicktime.author=ReplayKitRecording"),
      ("cinematic-key.mov", "com.apple.quicktime.cinematic-video=1"),
      ("geotagged.mov", "com.apple.quicktime.location.ISO6709=+48.8577+002.2950/"),
    ]
    for (name, tag) in tags {
      let tagging = tag.isEmpty ? [] : ["-movflags", "use_metadata_tags", "-metadata", tag]
      try workshop.run(["ffmpeg", "-i", "clip.mp4", "-c", "copy"] + tagging + ["\(folder.path)/\(name)"])
    }
    try animate(in: folder)
    return try workshop.bytes(of: "clip.mp4")
  }

  private static func animate(in folder: TemporaryFolder) throws {
    let source = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1"]
    try folder.run(["ffmpeg"] + source + ["animated.gif"])
    try folder.run(["ffmpeg"] + source + ["-f", "apng", "-plays", "0", "animated.png"])
    try folder.run(["ffmpeg"] + source + ["animated.webp"])
    try folder.run(["ffmpeg"] + source + ["-c:v", "libaom-av1", "-cpu-used", "8", "animated.avif"])
  }

  /// Pictures by the encoders, and those with tags written by ExifTool.
  static let pictures =
    ["gif", "png", "webp", "avif"].map { FactFile("animated.\($0)", "animated") }
    + tags.map { FactFile($0.name, $0.filter) } + [FactFile("encoded.heic", "favorites", "geotagged")]

  private static let tags: [(name: String, filter: String, tag: String)] = [
    ("panorama-customrendered.jpg", filter: "panoramas", tag: "-EXIF:CustomRendered#=6"),
    ("panorama-gpano.jpg", "panoramas", "-XMP-GPano:ProjectionType=equirectangular"),
    ("hdr-customrendered.jpg", "hdr", "-EXIF:CustomRendered#=3"),
    ("portrait-customrendered.jpg", "depthEffectPhotos", "-EXIF:CustomRendered#=8"),
    ("portrait-gdepth.jpg", "depthEffectPhotos", "-XMP-GDepth:Format=RangeInverse"),
    ("selfie-lens.jpg", "selfies", "-EXIF:LensModel=iPhone 15 front TrueDepth camera 2.69mm f/1.9"),
    ("screenshot-comment.jpg", "screenshots", "-EXIF:UserComment=Screenshot"),
    ("favorite-rating5.jpg", "favorites", "-XMP-xmp:Rating=5"),
    ("geotagged-xmp.jpg", "geotagged", "-XMP-exif:GPSLatitude=48.8577"),
    ("geotagged-exif.jpg", "geotagged", "-EXIF:GPSLatitude=48.8577"),
  ]

  /// Lets ExifTool write all tags in one run, and libheif encode a picture with metadata.
  static func tagPictures(in folder: TemporaryFolder) throws {
    let place = ["-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.295", "-EXIF:GPSLongitudeRef=E"]
    var commands: [[String]] = []
    for (name, _, tag) in tags {
      try folder.write(try FactPhoto.photo(), to: name)
      let more =
        switch name {
        case "geotagged-exif.jpg": place
        case "geotagged-xmp.jpg": ["-XMP-exif:GPSLongitude=2.295"]
        default: [String]()
        }
      commands.append([tag] + more + [name])
    }
    let source = try TemporaryFolder()
    try source.write(try FactPhoto.photo(), to: "a.jpg")
    commands.append(["-XMP-xmp:Rating=5", "-EXIF:GPSLatitude=48.8577"] + place + ["\(source.path)/a.jpg"])
    let arguments = commands.joined(separator: ["-execute"])
    try folder.run(["exiftool"] + arguments + ["-common_args", "-q", "-overwrite_original"])
    try folder.run("heif-enc", "\(source.path)/a.jpg", "-o", "encoded.heic")
  }
}
