import Pixels

/// Small complete files of every format with an available encoder, each in the variants that are read differently.
///
/// Made by ImageMagick, FFmpeg, and the encoders of libheif and libjxl, which the tests need anyway.
package enum EncodedFiles {
  /// All of them.
  package static func all() throws -> [SeedFile] {
    try jpeg() + png() + gif() + webp() + bmp() + heif() + jpegXL() + tiff() + raw() + movies() + animations()
  }

  package static func jpeg() throws -> [SeedFile] {
    try convert([
      "a.jpg", "-interlace JPEG b.jpg", "-colorspace CMYK c.jpg", "-colorspace gray -quality 20 d.jpg",
    ])
  }

  package static func png() throws -> [SeedFile] {
    try convert([
      "PNG24:a.png", "-interlace PNG PNG32:b.png", "PNG48:c.png", "PNG8:d.png", "-colors 4 PNG8:e.png",
    ])
  }

  package static func gif() throws -> [SeedFile] { try convert(["a.gif", "-interlace GIF b.gif"]) }

  package static func webp() throws -> [SeedFile] {
    try convert(["-quality 80 a.webp", "-define webp:lossless=true b.webp", "-alpha off c.webp"])
  }

  package static func bmp() throws -> [SeedFile] {
    try convert([
      "BMP3:a.bmp", "-colors 100 -compress RLE BMP3:b.bmp", "-define bmp:subtype=RGB565 BMP:c.bmp",
      "BMP2:d.bmp",
      "BMP:e.bmp", "-colors 2 BMP3:f.bmp",
    ])
  }

  package static func heif() throws -> [SeedFile] {
    try run(["heif-enc a.png -o a.heic", "heif-enc -A a.png -o a.avif"])
  }

  package static func jpegXL() throws -> [SeedFile] {
    try run(["cjxl a.png a.jxl -e 3 --container=1", "cjxl a.png b.jxl -d 0 -e 1"])
  }

  package static func tiff() throws -> [SeedFile] {
    try run([
      "convert a.png -compress lzw a.tif", "convert a.png -compress none TIFF64:b.tif",
      "convert a.png -compress jpeg -define tiff:tile-geometry=16x16 c.tif",
      "convert a.png -compress zip -interlace plane d.tif",
      "convert a.png -monochrome -compress group4 e.tif",
    ])
  }

  /// DNG files that LibRaw accepts: none with fewer than 22 rows or columns.
  package static func raw() throws -> [SeedFile] {
    var negative = HandmadeDNG(width: 32, height: 24)
    let sensor = negative.bytes
    var photo = TestPhoto(width: 24, height: 18)
    photo.hasEXIF = false
    negative.preview = (try photo.bytes(), 24, 18)
    // Floating-point numbers can be anything.
    var tame = HandmadeDNG(width: 32, height: 24)
    tame.floats = (exposure: 0.004, aperture: 2.8, focalLength: 35)
    var wild = tame
    wild.floats = (exposure: 1e-37, aperture: 1e30, focalLength: 35)
    return [
      ("sensor", sensor), ("preview", negative.bytes), ("floats", tame.bytes), ("wild floats", wild.bytes),
    ]
    .map { SeedFile($0.0, "dng", $0.1) }
  }

  package static func movies() throws -> [SeedFile] {
    let still = "ffmpeg -loop 1 -framerate 5 -t 0.6 -i a.png -vf scale=32:32"
    return [
      SeedFile(
        "turned", "mov",
        HandmadeMovie(rotation: 90, timedKeys: ["com.apple.quicktime.cinematic-video.x"]).bytes)
    ]
      + (try run([
        "\(still) -c:v mpeg4 a.mp4", "\(still) -c:v libx264 -pix_fmt yuv420p b.mp4",
        "\(still) -c:v mpeg4 a.mkv",
        "\(still) -c:v mjpeg a.avi", "\(still) -f mpegts a.mts", "\(still) -c:v mpeg4 a.m4v",
        "\(still) -c:v mpeg4 a.3gp",
        "\(still) -c:v libvpx a.webm",
      ]))
  }

  /// Animations other than videos.
  package static func animations() throws -> [SeedFile] {
    let source = "ffmpeg -f lavfi -i testsrc=s=16x12:r=5:d=1"
    return try run([
      "\(source) -lossless 1 -loop 3 m.webp", "\(source) -f apng -plays 0 m.png", "\(source) m.gif",
    ])
  }

  /// Pictures with transparency, by arguments for `convert`.
  package static func convert(_ kinds: [String]) throws -> [SeedFile] {
    try made(
      from: TestScene.make(PixelSize(width: 24, height: 17), hasAlpha: true),
      kinds.map { "convert a.pam -strip \($0)" })
  }

  private static func run(_ commands: [String]) throws -> [SeedFile] {
    try made(
      from: TestScene.make(PixelSize(width: 40, height: 34)), ["convert a.pam -alpha off a.png"] + commands
    )
    .filter { $0.name != "a.png" }
  }

  /// Pictures made by commands; the last argument with a file's name is the file.
  private static func made(from scene: PixelBuffer, _ commands: [String]) throws -> [SeedFile] {
    let folder = try TemporaryFolder()
    try folder.write(scene.pam, to: "a.pam")
    return try commands.map { command in
      let words = command.split(separator: " ").map(String.init)
      try folder.run(words)
      let name = words.dropFirst().last { $0.contains(".") && Double($0) == nil && !$0.contains("=") } ?? ""
      let file = name.split(separator: ":").last.map(String.init) ?? ""
      let suffix = file.split(separator: ".").last.map(String.init) ?? ""
      return SeedFile(file, suffix, try folder.bytes(of: file))
    }
  }
}
