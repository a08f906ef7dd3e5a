// Containers of other families, which libavformat reads.
extension HostileFiles {
  static let otherContainers: [SeedFile] =
    matroska + avi + [
      SeedFile("packets of nothing", "mts", repeated([0x47, 0x1F, 0xFF, 0x10] + repeated([255], 184), 100)),
      SeedFile(
        "a program that is its own table", "mts",
        repeated(
          [0x47, 0x40, 0, 0x10, 0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE0, 0, 0, 0, 0, 0]
            + repeated([255], 167), 40)),
    ]

  /// EBML (RFC 8794): an identifier, and a length of one to eight bytes, where all ones mean unknown.
  private static let matroska: [SeedFile] = {
    let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88] + Array("matroska".utf8)
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    let unknown: [UInt8] = [0x01, 255, 255, 255, 255, 255, 255, 255]
    let most: [UInt8] = [0x01, 255, 255, 255, 255, 255, 255, 254]
    func file(_ name: String, _ bytes: [UInt8]) -> SeedFile { SeedFile(name, "mkv", head + bytes) }
    return [
      file("a segment of unknown length", segment + unknown),
      file("a segment of 2^56", segment + most),
      file("a segment of nothing", segment + [0x80]),
      file("segments in segments", repeated(segment + unknown, 4000)),
      file(
        "tags in tags",
        segment + unknown + [0x12, 0x54, 0xC3, 0x67] + unknown + repeated([0x67, 0xC8] + unknown, 4000)),
      file(
        "chapters in chapters",
        segment + unknown + [0x10, 0x43, 0xA7, 0x70] + unknown + [0x45, 0xB9] + unknown
          + repeated([0xB6] + unknown, 4000)),
      file(
        "a place that is its own list",
        segment + unknown + [
          0x11, 0x4D, 0x9B, 0x74, 0x8E, 0x4D, 0xBB, 0x8B, 0x53, 0xAB, 0x84, 0x11, 0x4D, 0x9B, 0x74, 0x53,
          0xAC, 0x81, 0,
        ]),
      file(
        "a private field of 2^32 bytes",
        segment + unknown + [0x16, 0x54, 0xAE, 0x6B] + unknown + [0xAE] + unknown + [
          0x63, 0xA2, 0x08, 255, 255, 255, 255,
        ]),
      file("an element without an end", [0]),
    ]
  }()

  private static let avi: [SeedFile] = {
    func list(_ type: String, _ length: Int, _ content: [UInt8] = []) -> [UInt8] {
      Array("LIST".utf8) + MediaBytes.little(length, 4) + Array(type.utf8) + content
    }
    func file(_ name: String, _ content: [UInt8], length: Int? = nil) -> SeedFile {
      SeedFile(
        name, "avi",
        Array("RIFF".utf8) + MediaBytes.little(length ?? content.count + 4, 4) + Array("AVI ".utf8) + content)
    }
    return [
      file("a file of length 0", list("hdrl", 4), length: 0),
      file("a list of length 0", repeated(list("hdrl", 0), 500)),
      file("a list of 2^32 bytes", list("hdrl", 0xFFFF_FFFF, list("strl", 0xFFFF_FFFF))),
      file("lists in lists", (0..<3000).flatMap { list("hdrl", (3000 - $0) * 12 - 8) }),
      file(
        "an index of 2^32 entries",
        list("hdrl", 4) + Array("idx1".utf8) + [255, 255, 255, 255] + Boxes.zeros(64)),
    ]
  }()
}
