// Directories of TIFF 6.0 and BigTIFF, as in files, EXIF and raw formats.
extension HostileFiles {
  static let tiff: [SeedFile] = {
    let files = structures
    let inside = files.map { name, bytes in
      SeedFile(
        "EXIF: \(name)", "jpg",
        MetadataSegments.jpeg(MetadataSegments.segment(0xE1, Array("Exif\0\0".utf8) + bytes)))
    }
    return files.map { SeedFile($0, "tif", $1) } + inside + big + makers
  }()

  /// One directory after the header, with the given entries.
  private static func file(
    _ entries: [(tag: Int, type: Int, count: Int, value: Int)], next: Int = 0, count: Int? = nil,
    _ data: [UInt8] = []
  ) -> [UInt8] {
    let little = MediaBytes.little
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + little(count ?? entries.count, 2)
      + entries.flatMap { little($0.tag, 2) + little($0.type, 2) + little($0.count, 4) + little($0.value, 4) }
      + little(next, 4) + data
  }

  private typealias Entry = (tag: Int, type: Int, count: Int, value: Int)

  /// The size of a picture of bytes.
  private static let size: [Entry] = [(0x0100, 4, 1, 40), (0x0101, 4, 1, 30)]
  private static let gray: [Entry] = [(0x0102, 3, 1, 8), (0x0103, 3, 1, 1), (0x0106, 3, 1, 1)]

  /// Structures that are valid as files and as EXIF.
  package static let structures: [(String, [UInt8])] = [
    ("a directory that is followed by itself", file(size, next: 8)),
    (
      "two directories that follow each other",
      file(size, next: 38, MediaBytes.little(0, 2) + MediaBytes.little(8, 4))
    ),
    ("a directory that is the header", [0x49, 0x49, 42, 0, 0, 0, 0, 0]),
    ("a directory below itself", file(size + [(0x8769, 4, 1, 8), (0x8825, 4, 1, 8)])),
    (
      "pictures below themselves",
      file(
        size + [(0x014A, 4, 3, 62), (0x8769, 4, 1, 8)],
        MediaBytes.little(8, 4) + MediaBytes.little(8, 4) + MediaBytes.little(62, 4))
    ),
    ("65,535 entries", file(size, count: 0xFFFF)),
    ("no entries", file([], next: 8)),
    (
      "values of 2^32 items",
      file(size + [(0x010F, 2, 0xFFFF_FFFF, 8), (0x02BC, 1, 0xFFFF_FFFF, 8), (0x83BB, 4, 0xFFFF_FFFF, 8)])
    ),
    (
      "values of 2^30 items of 8 bytes",
      file(size + [(0x829A, 5, 0x4000_0000, 8), (0x0112, 12, 0x2000_0000, 8)])
    ),
    ("values of nothing", file(size + [(0x010F, 2, 0, 8), (0x0112, 3, 0, 8), (0x02BC, 1, 0, 8)])),
    (
      "values of unknown types",
      file(size + [(0x010F, 0, 5, 8), (0x0112, 99, 5, 8), (0x010E, 0xFFFF, 0xFFFF_FFFF, 8)])
    ),
    (
      "values that are the directory",
      file(size + [(0x010F, 2, 60, 8), (0x02BC, 1, 60, 8), (0x83BB, 1, 60, 8), (0x8773, 7, 60, 8)])
    ),
    ("values behind the end", file(size + [(0x010F, 2, 100, 0xFFFF_FFFF), (0x02BC, 1, 100, 0xFFFF_FFF0)])),
    ("a size of 2^32", file([(0x0100, 4, 1, 0xFFFF_FFFF), (0x0101, 4, 1, 0xFFFF_FFFF)] + gray)),
    (
      "strips of 2^32",
      file(size + gray + [(0x0111, 4, 0xFFFF_FFFF, 8), (0x0116, 4, 1, 1), (0x0117, 4, 0xFFFF_FFFF, 8)])
    ),
    (
      "strips that are the file",
      file(size + gray + [(0x0111, 4, 1, 0), (0x0116, 4, 1, 0xFFFF_FFFF), (0x0117, 4, 1, 0xFFFF_FFFF)])
    ),
    (
      "tiles of no size",
      file(size + gray + [(0x0142, 4, 1, 0), (0x0143, 4, 1, 0), (0x0144, 4, 1, 8), (0x0145, 4, 1, 8)])
    ),
    (
      "tiles of 2^31 pixels",
      file(
        size + gray + [
          (0x0142, 4, 1, 0x7FFF_FFF0), (0x0143, 4, 1, 0x7FFF_FFF0), (0x0144, 4, 1, 8), (0x0145, 4, 1, 8),
        ])
    ),
    (
      "65,535 samples a pixel",
      file(
        size + [
          (0x0102, 3, 1, 8), (0x0106, 3, 1, 2), (0x0111, 4, 1, 8), (0x0115, 3, 1, 0xFFFF), (0x0117, 4, 1, 8),
        ])
    ),
    (
      "a note that is the structure",
      file(
        size + [(0x8769, 4, 1, 50)],
        MediaBytes.little(1, 2) + MediaBytes.little(0x927C, 2) + MediaBytes.little(7, 2)
          + MediaBytes.little(60, 4) + MediaBytes.little(8, 4) + Boxes.zeros(4))
    ),
    ("an Apple note whose values are itself", apple),
  ]

  private static let apple: [UInt8] = {
    let note =
      Array("Apple iOS\0\0\u{1}II".utf8) + MediaBytes.little(3, 2)
      + [0x000A, 0x000B, 0x0011].flatMap {
        MediaBytes.little($0, 2) + MediaBytes.little($0 == 0x000A ? 4 : 2, 2) + MediaBytes.little(0xFFFF, 4)
          + MediaBytes.little(0, 4)
      }
    var camera = TIFFFile()
    camera.block(0x927C, note)
    var main = TIFFFile()
    main.directory(0x8769, camera)
    return main.bytes()
  }()

  /// BigTIFF, whose counts and offsets have 64 bits.
  private static let big: [SeedFile] = {
    func file(
      _ name: String, count: Int = 2, _ entries: [(tag: Int, type: Int, count: Int, value: Int)],
      next: Int = 0
    ) -> SeedFile {
      let little = MediaBytes.little
      return SeedFile(
        name, "tif",
        [0x49, 0x49, 43, 0, 8, 0, 0, 0] + little(16, 8) + little(count, 8)
          + entries.flatMap {
            little($0.tag, 2) + little($0.type, 2) + little($0.count, 8) + little($0.value, 8)
          }
          + little(next, 8))
    }
    let size: [(tag: Int, type: Int, count: Int, value: Int)] = [(0x0100, 4, 1, 40), (0x0101, 4, 1, 30)]
    return [
      file("big: followed by itself", size, next: 16),
      file("big: 2^63 entries", count: .max, size),
      file("big: 2^64 entries", count: -1, size),
      file("big: values of 2^63 items", count: 4, size + [(0x010F, 2, .max, 16), (0x02BC, 16, .max, .max)]),
      file("big: values of 2^60 items of 8 bytes", count: 3, size + [(0x0111, 16, 1 << 61, 16)]),
      file("big: followed by 2^63", size, next: .max),
    ]
  }()

  /// Raw formats by their signatures; none has sensor data.
  private static let makers: [SeedFile] = {
    func raw(
      _ suffix: String, _ make: String, _ compression: Int, mark: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    ) -> SeedFile {
      var tiff = TIFFFile(width: 64, height: 48)
      tiff.long(0x00FE, 0)
      tiff.short(0x0102, 14)
      tiff.short(0x0103, compression)
      tiff.short(0x0106, 32803)
      tiff.text(0x010F, make)
      tiff.text(0x0110, "\(make) 1")
      tiff.long(0x0111, 400)
      tiff.long(0x0117, 6144)
      return SeedFile("raw of \(make)", suffix, tiff.bytes(mark: mark) + repeated([0x20, 0x03], 3200))
    }
    var canon: [UInt8] = [0x49, 0x49, 42, 0, 16, 0, 0, 0] + Array("CR".utf8) + [2, 0]
    canon += [0, 0, 0, 0]
    let fuji =
      Array("FUJIFILMCCD-RAW 0201FF129502FinePix S1\0".utf8) + Boxes.zeros(45) + MediaBytes.big(148, 4)
      + MediaBytes.big(600, 4) + MediaBytes.big(800, 4) + MediaBytes.big(100, 4) + MediaBytes.big(1000, 4)
      + MediaBytes.big(0xFFFF_FFFF, 4) + Boxes.zeros(1400)
    return [
      raw("nef", "NIKON CORPORATION", 34713), raw("arw", "SONY", 32767), raw("pef", "PENTAX", 65535),
      raw("srw", "SAMSUNG", 32770), raw("orf", "OLYMPUS", 1, mark: Array("IIRO".utf8) + [8, 0, 0, 0]),
      raw("rw2", "Panasonic", 34316, mark: Array("IIU\0".utf8) + [8, 0, 0, 0]),
      raw("cr2", "Canon", 6, mark: canon),
      SeedFile("raw of Fujifilm", "raf", fuji),
      SeedFile("a negative", "dng", HandmadeDNG(width: 32, height: 24).bytes),
    ]
  }()
}
