// Boxes of ISO/IEC 14496-12, 4.2: HEIF (ISO/IEC 23008-12), JPEG XL (ISO/IEC 18181-2) and movies.
extension HostileFiles {
  /// Unusual lengths of a box that change how the following bytes are read.
  private static func lengths(_ type: String, _ content: [UInt8]) -> [(String, [UInt8])] {
    func box(_ length: Int) -> [UInt8] { MediaBytes.big(length, 4) + Array(type.utf8) + content }
    func large(_ length: UInt64) -> [UInt8] { MediaBytes.largeBox(type, content, length: length) }
    return [
      ("\(type) of 64 bits", MediaBytes.largeBox(type, content)),
      ("\(type) to the end", box(0)),
      ("\(type) shorter than its head", box(7)),
      ("\(type) of its head alone", box(8)),
      ("\(type) of 2^32", box(0xFFFF_FFFF)),
      ("\(type) of 64 bits shorter than its head", large(15)),
      ("\(type) of 64 bits and nothing", large(0)),
      ("\(type) of 2^63", large(1 << 63)),
      ("\(type) of 2^63 - 1", large(1 << 63 - 1)),
      ("\(type) of 2^64 - 1", large(.max)),
      ("\(type) cut in its length", MediaBytes.big(1, 4) + Array(type.utf8) + [0, 0, 0]),
    ]
  }

  static let jpegXL: [SeedFile] = {
    let code = PictureFiles.jpegXL(width: 300, height: 200)
    let picture = MediaBytes.box("jxlc", code)
    func file(_ name: String, _ boxes: [UInt8]) -> SeedFile {
      SeedFile(name, "jxl", PictureFiles.jpegXLContainer(boxes))
    }
    let before = ["free", "jxlc", "jxlp", "Exif", "xml "].flatMap { lengths($0, [0, 0, 0, 0] + code) }
    return before.map { file("\($0) first", $1 + picture) } + before.map { file("\($0) last", picture + $1) }
      + [
        file("boxes of nothing", repeated(MediaBytes.box("free", []), 3000) + picture),
        file("boxes in boxes", boxTower("free") + picture),
        file("parts of nothing", repeated(MediaBytes.box("jxlp", [0, 0, 0, 0]), 1500)),
        file("parts of one number", repeated(MediaBytes.box("jxlp", [0, 0, 0, 0] + code), 500)),
        file(
          "EXIF 2^32 bytes on", picture + MediaBytes.box("Exif", [255, 255, 255, 255, 0x49, 0x49, 42, 0])),
        file("a compressed box", picture + MediaBytes.box("brob", Array("xml ".utf8) + repeated([255], 100))),
        file("2^30 pixels a side", MediaBytes.box("jxlc", [0xFF, 0x0A] + repeated([0xFE], 20))),
        SeedFile("bare, 2^30 pixels a side", "jxl", [0xFF, 0x0A] + repeated([0xFE], 40)),
        SeedFile("bare, moving", "jxl", PictureFiles.jpegXL(width: 8, height: 8, isAnimated: true)),
      ]
  }()

  static let movies: [SeedFile] = {
    let movie = HandmadeMovie(timedKeys: ["com.apple.quicktime.cinematic-video.x"]).bytes
    let start = movie.firstRange(of: Array("moov".utf8)).map { $0.lowerBound - 4 } ?? 0
    let (head, content) = (Array(movie[..<start]), Array(movie[(start + 8)...]))
    let files = lengths("moov", content).map { SeedFile($0, "mov", head + $1) }
    let towers = ["moov", "trak", "udta", "meta", "moof", "ilst"].map { type in
      SeedFile(
        "\(type) in \(type)", "mov",
        head
          + (type == "moov"
            ? boxTower(type) : MediaBytes.box("moov", boxTower(type, skipping: type == "meta" ? 4 : 0))))
    }
    /// The movie with other numbers after a table's name, version and flags.
    func table(_ name: String, _ type: String, _ numbers: [UInt8], at offset: Int = 8) -> SeedFile {
      var bytes = movie
      if let place = movie.firstRange(of: Array(type.utf8)) {
        let from = place.lowerBound + offset
        bytes.replaceSubrange(from..<min(bytes.count, from + numbers.count), with: numbers)
      }
      return SeedFile(name, "mov", bytes)
    }
    let most: [UInt8] = [255, 255, 255, 255]
    return files + towers + [
      table("2^32 samples of one size", "stsz", [0, 0, 0, 4] + most),
      table("2^32 samples of their own sizes", "stsz", [0, 0, 0, 0] + most),
      table("2^32 times", "stts", most),
      table("2^32 samples of no time", "stts", [0, 0, 0, 1] + most + [0, 0, 0, 0]),
      table("2^32 places", "stco", most),
      table("2^32 runs of chunks", "stsc", most),
      table("2^32 samples a chunk", "stsc", [0, 0, 0, 1, 0, 0, 0, 1] + most),
      table("2^32 descriptions", "stsd", most),
      table("a clock of no ticks", "mdhd", [0, 0, 0, 0] + most, at: 16),
      table("chunks that are the file", "stco", [0, 0, 0, 1, 0, 0, 0, 0]),
      SeedFile(
        "boxes of nothing", "mov",
        head + repeated(MediaBytes.box("free", []), 3000) + MediaBytes.box("moov", content)),
      SeedFile(
        "a compressed moov of 2^32 bytes", "mov",
        head
          + MediaBytes.box(
            "moov",
            MediaBytes.box(
              "cmov",
              MediaBytes.box("dcom", Array("zlib".utf8))
                + MediaBytes.box("cmvd", most + [0x78, 0x9C] + repeated([0], 40))))),
      SeedFile(
        "an index that is its own part", "mp4",
        MediaBytes.ftyp("isom", ["isom"])
          + repeated(
            MediaBytes.box(
              "sidx",
              Boxes.zeros(8) + MediaBytes.big(600, 4) + Boxes.zeros(8) + [0, 0, 0, 1] + MediaBytes.big(0, 4)
                + Boxes.zeros(8)), 50)
          + MediaBytes.box("moov", content)),
      SeedFile(
        "a movie without boxes", "mov", MediaBytes.box("wide", []) + [0, 0, 0, 0] + Array("moov".utf8)),
    ]
  }()
}
