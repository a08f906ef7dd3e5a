package import Pixels

/// Small files of every format that is decoded here, made once for all tests.
package enum SmallPictures {
  package static let size = PixelSize(width: 48, height: 32)

  /// A format and a variant of it, as arguments for `convert`.
  package static let kinds = [
    "a.jpg", "-interlace JPEG b.jpg", "-colorspace CMYK c.jpg", "PNG24:a.png", "-interlace PNG PNG32:b.png",
    "PNG48:c.png", "PNG8:d.png", "a.gif", "-interlace GIF b.gif", "-quality 80 a.webp",
    "-define webp:lossless=true b.webp", "BMP3:a.bmp", "-colors 100 -compress RLE BMP3:b.bmp",
    "-define bmp:subtype=RGB565 BMP:c.bmp",
  ]

  private static let files = Result {
    let folder = try TemporaryFolder()
    try folder.write(TestScene.make(size, hasAlpha: true).pam, to: "scene.pam")
    return try Dictionary(
      uniqueKeysWithValues: kinds.map { kind in
        let words = kind.split(separator: " ").map(String.init)
        try folder.run(["convert", "scene.pam"] + words)
        let name = words.last?.split(separator: ":").last.map(String.init) ?? ""
        return (kind, try folder.bytes(of: name))
      })
  }

  /// The file of a variant.
  package static func bytes(_ kind: String) throws -> [UInt8] {
    guard let bytes = try files.get()[kind] else { throw FixtureError("no \(kind)") }
    return bytes
  }
}
