import Fixtures
import Foundation

/// A folder with one photo or video of each kind, full of metadata, made by common programs.
struct RepresentationFolder {
  let input: String

  /// Data in every file, in each place that its format has for it.
  static let secrets = ["Atlantis", "48.8577", "48 deg 51"]

  /// The names of the pictures, and whether they have transparency.
  static let pictures: [(name: String, isTransparent: Bool)] = [
    ("jpeg.jpg", false), ("turned.jpg", false), ("png.png", false), ("clear.png", true), ("webp.webp", false),
    ("clear.webp", true), ("gif.gif", false), ("tiff.tif", false), ("bmp.bmp", false), ("heic.heic", false),
    ("avif.avif", false), ("jxl.jxl", false), ("raw.dng", false),
  ]

  init() throws {
    let folder = try SharedFolders.make()
    input = "\(folder.path)/in"
    let target = input
    try folder.makeFolder("in")
    let workshop = try TemporaryFolder()
    try workshop.run(
      "convert", "-size", "320x200", "gradient:red-blue", "(", "-size", "100x80", "xc:lime", ")", "-gravity",
      "northwest", "-composite", "-quality", "92", "a.jpg")
    // An embedded thumbnail, locations in EXIF, XMP and IPTC, a comment, and another picture after the picture.
    let place = [
      "-EXIF:GPSLatitude=48.8577", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.295",
      "-EXIF:GPSLongitudeRef=E", "-XMP-exif:GPSLatitude=48.8577", "-XMP-exif:GPSLongitude=2.295",
      "-XMP-photoshop:City=Atlantis", "-XMP-iptcExt:LocationShownCity=Atlantis",
      "-XMP-iptcCore:Location=Atlantis",
    ]
    let words = [
      "-EXIF:Make=Acme", "-EXIF:Model=Box", "-EXIF:DateTimeOriginal=2023:05:01 12:00:00", "-EXIF:Artist=Ann",
      "-XMP-dc:Title=Harbour", "-XMP-dc:Subject=boats", "-XMP-xmp:Rating=4", "-EXIF:ISO=200",
    ]
    let iptc = ["-IPTC:City=Atlantis", "-IPTC:Caption-Abstract=Boats", "-IPTC:Sub-location=Atlantis"]
    try workshop.run("convert", "a.jpg", "-resize", "64x40", "thumb.jpg")
    let thumbnail = ["-ThumbnailImage<=thumb.jpg"]
    let write = { (options: [String], name: String) in
      try workshop.run(["exiftool", "-q", "-overwrite_original"] + options + [name])
    }
    try write(place + words + iptc + thumbnail + ["-Comment=Atlantis"], "a.jpg")
    try workshop.run("cp", "a.jpg", "\(target)/jpeg.jpg")
    let whole = try workshop.bytes(of: "a.jpg")
    try folder.write(whole + whole, to: "in/jpeg.jpg")
    try workshop.run("cp", "a.jpg", "turned.jpg")
    try write(["-EXIF:Orientation#=6"], "turned.jpg")
    try workshop.run("cp", "turned.jpg", "\(target)/turned.jpg")
    for (name, options) in [
      ("png.png", []), ("webp.webp", ["-quality", "90"]), ("tiff.tif", []),
    ] as [(String, [String])] {
      try workshop.run(["convert", "a.jpg", "-strip"] + options + [name])
    }
    try workshop.run(
      "convert", "a.jpg", "-strip", "-fuzz", "20%", "-transparent", "lime", "-set", "comment", "Atlantis",
      "clear.png")
    try workshop.run("convert", "clear.png", "-strip", "-define", "webp:lossless=true", "clear.webp")
    let written = ["png.png", "webp.webp", "tiff.tif", "clear.png", "clear.webp"]
    try workshop.run(["exiftool", "-q", "-overwrite_original"] + place + words + written)
    for name in written { try folder.write(workshop.bytes(of: name), to: "in/\(name)") }
    try workshop.run("convert", "a.jpg", "-strip", "-set", "comment", "Atlantis", "\(target)/gif.gif")
    try workshop.run("convert", "a.jpg", "-strip", "\(target)/bmp.bmp")
    // Any quality will do, and the best settings take seconds.
    try workshop.run("heif-enc", "-q", "90", "-p", "preset=ultrafast", "a.jpg", "-o", "\(target)/heic.heic")
    try workshop.run("heif-enc", "-q", "90", "-A", "-p", "speed=9", "a.jpg", "-o", "\(target)/avif.avif")
    try workshop.run("cjxl", "a.jpg", "\(target)/jxl.jxl", "--lossless_jpeg=0", "--container=1", "--quiet")
    try folder.write(HandmadeDNG().bytes, to: "in/raw.dng")
    try makeVideos(target, workshop)
  }

  /// H.264 in an MP4 and in other containers, HEVC, and a Live Photo.
  private func makeVideos(_ target: String, _ workshop: TemporaryFolder) throws {
    let source = [
      "-f", "lavfi", "-i", "testsrc=s=320x240:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-pix_fmt",
      "yuv420p",
    ]
    let tags = [
      "-movflags", "use_metadata_tags", "-metadata",
      "com.apple.quicktime.location.ISO6709=+48.8577+002.2950/", "-metadata", "location=+48.8577+002.2950/",
      "-metadata", "com.apple.quicktime.make=Acme", "-metadata", "comment=Boats",
    ]
    let ffmpeg = { (words: [String]) in try workshop.run(["ffmpeg", "-v", "error"] + words) }
    try ffmpeg(source + ["-c:v", "libx264", "-c:a", "aac"] + tags + ["\(target)/playable.mp4"])
    try ffmpeg(["-i", "\(target)/playable.mp4", "-c", "copy"] + tags + ["\(target)/other-box.mov"])
    // As in a camcorder: the location is in a message within the stream, under Sony's identifier.
    let message = "h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+MDPMAtlantis"
    for name in ["camcorder.mts", "camcorder.mov", "camcorder.mkv"] {
      try ffmpeg(["-i", "\(target)/playable.mp4", "-c", "copy", "-bsf:v", message, "\(target)/\(name)"])
    }
    try ffmpeg(
      ["-i", "\(target)/playable.mp4", "-c:v", "copy", "-c:a", "pcm_s16le"] + tags + ["\(target)/sound.mov"])
    try ffmpeg(
      source + [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1",
      ] + tags + [
        "\(target)/hevc.mov"
      ])
    try ffmpeg(source + ["-c:v", "mpeg4", "\(target)/old.avi"])
    try workshop.run("cp", "\(target)/heic.heic", "\(target)/live.heic")
    try workshop.run("cp", "\(target)/other-box.mov", "\(target)/live.mov")
  }
}
