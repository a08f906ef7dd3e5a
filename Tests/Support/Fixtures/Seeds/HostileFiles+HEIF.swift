// Items of HEIF and AVIF files (ISO/IEC 23008-12; ISO/IEC 14496-12, 8.11), which can be derived from each other.
extension HostileFiles {
  static let heif: [SeedFile] = {
    let picture = HandmadeHEIC(auxiliaryTypes: ["urn:mpeg:hevc:2015:auxid:1"]).bytes
    let start = picture.firstRange(of: Array("meta".utf8)).map { $0.lowerBound - 4 } ?? 0
    let head = Array(picture[..<start])
    let towers = ["meta", "iprp", "ipco", "grpl"].map { type in
      SeedFile(
        "\(type) in \(type)", "heic",
        head + (type == "meta" ? boxTower(type, skipping: 4) : Boxes.full("meta", boxTower(type))))
    }
    return lengthForms(picture, head: head, start: start) + towers + items + [
      SeedFile("2^32 pixels a side", "heic", HandmadeHEIC(width: .max, height: .max).bytes),
      SeedFile("no pixels a side", "avif", HandmadeHEIC(width: 0, height: 0, brand: "avif").bytes),
      SeedFile("boxes of nothing", "heic", head + repeated(Boxes.box("free"), 3000) + picture[start...]),
      SeedFile(
        "groups of nothing", "heic",
        head + Boxes.full("meta", Boxes.box("grpl", repeated(Boxes.box("ster"), 3000)))),
      SeedFile("sequence of 2^32 pictures", "heic", head + sequence + picture[start...]),
      SeedFile(
        "a camera's movie of nothing", "cr3",
        Boxes.fileType("crx ", "crx ", "isom") + Boxes.box("moov", Boxes.box("uuid", Boxes.zeros(16)))),
    ]
  }()

  private static func lengthForms(_ picture: [UInt8], head: [UInt8], start: Int) -> [SeedFile] {
    let length = picture[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let (content, rest) = (Array(picture[(start + 8)..<start + length]), picture[(start + length)...])
    let lies: [(String, [UInt8])] = [
      ("meta of 64 bits", MediaBytes.largeBox("meta", content)),
      ("meta to the end", [0, 0, 0, 0] + Array("meta".utf8) + content),
      ("meta of its head alone", [0, 0, 0, 8] + Array("meta".utf8) + content),
      ("meta of 2^63", MediaBytes.largeBox("meta", content, length: 1 << 63)),
      ("meta of 2^64 - 1", MediaBytes.largeBox("meta", content, length: .max)),
    ]
    return lies.map { SeedFile($0, "heic", head + $1 + rest) }
  }

  /// A track that claims more pictures than any file has.
  private static let sequence = Boxes.box(
    "moov",
    Boxes.box(
      "trak",
      Boxes.box(
        "mdia", Boxes.full("mdhd", Boxes.zeros(8), [0, 0, 0, 1], [255, 255, 255, 255], Boxes.zeros(4)),
        Boxes.full("hdlr", Boxes.zeros(4), Array("pict".utf8), Boxes.zeros(13)),
        Boxes.box("minf", Boxes.box("stbl", Boxes.full("stsz", Boxes.zeros(4), [255, 255, 255, 255]))))))

  // MARK: Items

  private static let items: [SeedFile] = [
    file("a grid of itself", type: "grid", references: [("dimg", 1, [1])], data: grid),
    file(
      "two grids of each other", type: "grid", others: [(2, "grid")],
      references: [("dimg", 1, [2]), ("dimg", 2, [1])], data: grid),
    file(
      "a grid of 65,536 times the same", type: "grid", others: [(2, "hvc1")],
      references: [("dimg", 1, [Int](repeating: 2, count: 1000))], data: [0, 0, 255, 255, 1, 0, 1, 0]),
    file(
      "a picture laid over itself", type: "iovl", references: [("dimg", 1, [1])],
      data: Boxes.zeros(2) + Boxes.zeros(8) + [1, 0, 1, 0] + Boxes.zeros(4)),
    file("a picture that is itself", type: "iden", references: [("dimg", 1, [1])]),
    file(
      "a thumbnail of itself", type: "hvc1",
      references: [("thmb", 1, [1]), ("auxl", 1, [1]), ("cdsc", 1, [1])]),
    file(
      "two thumbnails of each other", type: "hvc1", others: [(2, "hvc1")],
      references: [("thmb", 1, [2]), ("thmb", 2, [1]), ("auxl", 1, [2]), ("auxl", 2, [1])]),
    file("a reference to a missing item", type: "hvc1", references: [("dimg", 1, [99]), ("thmb", 98, [1])]),
    file("data that is an item's own", type: "hvc1", location: located(method: 2, extents: [(0, 1 << 30)])),
    file("2^16 pieces of the same data", type: "hvc1", location: located(extents: [(0, 16)], count: 0xFFFF)),
    file(
      "pieces over each other", type: "hvc1",
      location: located(extents: [(Int, Int)](repeating: (0, 0x7FFF_FFFF), count: 500))),
    file(
      "data of no length", type: "hvc1",
      location: located(extents: [(Int, Int)](repeating: (0, 0), count: 500))),
  ]

  private static let grid: [UInt8] = [0, 0, 0, 0, 1, 0, 1, 0]

  /// Locations of the first item's data.
  private static func located(method: Int = 0, extents: [(Int, Int)], count: Int? = nil) -> [UInt8] {
    Boxes.full(
      "iloc", version: 1, [0x44, 0, 0, 1, 0, 1], MediaBytes.big(method, 2), [0, 0],
      MediaBytes.big(count ?? extents.count, 2),
      extents.flatMap { MediaBytes.big($0.0, 4) + MediaBytes.big($0.1, 4) })
  }

  /// A file with individually specified items; the first is the primary one.
  private static func file(
    _ name: String, type: String, others: [(Int, String)] = [], references: [(String, Int, [Int])] = [],
    data: [UInt8] = [], location: [UInt8]? = nil
  ) -> SeedFile {
    let all = [(1, type)] + others
    let entries = all.flatMap { item in
      Boxes.full("infe", version: 2, MediaBytes.big(item.0, 2), [0, 0], Array(item.1.utf8), [0])
    }
    let boxes = references.flatMap { kind, from, to in
      Boxes.box(
        kind, MediaBytes.big(from, 2), MediaBytes.big(to.count, 2), to.flatMap { MediaBytes.big($0, 2) })
    }
    let size = Boxes.full("ispe", [0, 0, 1, 0], [0, 0, 1, 0])
    let places = Boxes.full(
      "iloc", version: 1, [0x44, 0], MediaBytes.big(all.count, 2),
      all.flatMap {
        MediaBytes.big($0.0, 2) + [0, 1, 0, 0, 0, 1, 0, 0, 0, 0] + MediaBytes.big(data.count, 4)
      })
    return SeedFile(
      name, "heic",
      Boxes.fileType("heic", "mif1", "heic")
        + Boxes.full(
          "meta", Boxes.full("hdlr", Boxes.zeros(4), Array("pict".utf8), Boxes.zeros(13)),
          Boxes.full("pitm", [0, 1]),
          location ?? places, Boxes.full("iinf", MediaBytes.big(all.count, 2), entries),
          Boxes.full("iref", boxes),
          Boxes.box(
            "iprp", Boxes.box("ipco", size),
            Boxes.full(
              "ipma", MediaBytes.big(all.count, 4), all.flatMap { MediaBytes.big($0.0, 2) + [1, 1] })),
          Boxes.box("idat", data)))
  }
}
