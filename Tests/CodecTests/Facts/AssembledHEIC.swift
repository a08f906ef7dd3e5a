import Fixtures
import Pixels
import Synchronization

/// A HEIC file put together from pictures that libheif's encoder coded: one with chosen properties, or a grid of
/// several (ISO/IEC 23008-12, 6.6.2.3).
struct AssembledHEIC {
  let bytes: [UInt8]

  /// How the pictures are coded.
  struct Coding: Hashable, Sendable {
    /// Whether it is an AVIF file.
    var isAV1 = false
    /// Bits per sample.
    var bits = 8
  }

  /// - Parameters:
  ///   - tiles: Stored pictures of one size, from left to right and top to bottom.
  ///   - properties: Further property boxes, in the order in which they apply.
  ///   - exifOrientation: The orientation in a separate EXIF block.
  ///   - thumbnails: Smaller pictures that are declared to show the same.
  ///   - turnsThumbnails: Whether `properties` apply to those, too.
  init(
    tiles: [PixelBuffer], columns: Int = 1, properties: [UInt8] = [], exifOrientation: UInt16? = nil,
    thumbnails: [PixelBuffer] = [], turnsThumbnails: Bool = false, coding: Coding = Coding()
  ) throws {
    let coded = try tiles.map { try Coded($0, coding) }
    let type = coding.isAV1 ? "av01" : "hvc1"
    guard let first = coded.first, let size = tiles.first?.size else { throw FixtureError("no tiles") }
    let rows = tiles.count / columns
    let isGrid = tiles.count > 1
    let whole = PixelSize(width: size.width * columns, height: size.height * rows)

    func ispe(_ size: PixelSize) -> [UInt8] {
      Boxes.full("ispe", Boxes.number(UInt32(size.width)), Boxes.number(UInt32(size.height)))
    }
    // Item 1 is the picture; a grid's tiles are 10 and following, the EXIF block is 2.
    let tileItems = isGrid ? (0..<coded.count).map { UInt16(10 + $0) } : [1]
    let grid: [UInt8] =
      [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + Boxes.number(UInt16(whole.width))
      + Boxes.number(UInt16(whole.height))
    let tiff: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
      + Boxes.number(exifOrientation ?? 1) + [0, 0] + Boxes.zeros(4)
    var items = zip(tileItems, coded).map { (identifier: $0, type: type, data: $1.data) }
    if isGrid { items.append((1, "grid", grid)) }
    if exifOrientation != nil { items.append((2, "Exif", Boxes.number(UInt32(0)) + tiff)) }
    let small = try thumbnails.map { (coded: try Coded($0, coding), size: $0.size) }
    for (index, thumbnail) in small.enumerated() {
      items.append((UInt16(100 + index), type, thumbnail.coded.data))
    }

    let further = Self.boxCount(properties)
    let extra = (0..<further).map { UInt8(4 + $0) }
    var associations = tileItems.map { (item: $0, properties: [1, 2] + (isGrid ? [] : extra)) }
    if isGrid { associations.append((1, [3] + extra)) }
    for index in small.indices {
      let first = UInt8(4 + further + 2 * index)
      associations.append((UInt16(100 + index), [first, first + 1] + (turnsThumbnails ? extra : [])))
    }
    let iprp = Boxes.box(
      "iprp",
      Boxes.box(
        "ipco", first.configuration, ispe(size), ispe(whole), properties,
        small.flatMap { $0.coded.configuration + ispe($0.size) }),
      Boxes.full(
        "ipma", Boxes.number(UInt32(associations.count)),
        associations.flatMap { Boxes.number($0.item) + [UInt8($0.properties.count)] + $0.properties }))
    let information = Boxes.full(
      "iinf", Boxes.number(UInt16(items.count)),
      items.flatMap { item in
        Boxes.full(
          "infe", version: 2, flags: item.identifier == 1 ? 0 : 1, Boxes.number(item.identifier), [0, 0],
          Array(item.type.utf8), [0])
      })
    var references: [UInt8] = []
    if isGrid {
      references += Boxes.box(
        "dimg", [0, 1], Boxes.number(UInt16(tileItems.count)), tileItems.flatMap { Boxes.number($0) })
    }
    if exifOrientation != nil { references += Boxes.box("cdsc", [0, 2, 0, 1, 0, 1]) }
    for index in small.indices {
      references += Boxes.box("thmb", Boxes.number(UInt16(100 + index)), [0, 1, 0, 1])
    }

    let brand = coding.isAV1 ? "avif" : "heic"
    func head(dataFrom start: Int) -> [UInt8] {
      var offset = start
      let places = items.flatMap { item in
        defer { offset += item.data.count }
        return Boxes.number(item.identifier) + [0, 0, 0, 1] + Boxes.number(UInt32(offset))
          + Boxes.number(UInt32(item.data.count))
      }
      return Boxes.fileType(brand, "mif1", brand)
        + Boxes.full(
          "meta", Boxes.full("hdlr", Boxes.zeros(4), Array("pict".utf8), Boxes.zeros(13)),
          Boxes.full("pitm", [0, 1]),
          Boxes.full("iloc", [0x44, 0], Boxes.number(UInt16(items.count)), places), information,
          references.isEmpty ? [] : Boxes.full("iref", references), iprp)
    }
    let start = head(dataFrom: 0).count + 8
    bytes = head(dataFrom: start) + Boxes.box("mdat", items.flatMap(\.data))
  }

  /// The number of consecutive boxes.
  private static func boxCount(_ boxes: [UInt8]) -> Int {
    var (count, place) = (0, 0)
    while place + 8 <= boxes.count {
      place += max(8, boxes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) })
      count += 1
    }
    return count
  }

  /// The encoder's output for one picture: the decoder's configuration and the coded picture.
  private struct Coded {
    var configuration: [UInt8]
    var data: [UInt8]

    private struct Key: Hashable {
      var size: PixelSize
      var bytes: [UInt8]
      var coding: Coding
    }

    /// Encoders take most of the time of these tests, and many files contain the same pictures.
    private static let known = Mutex<[Key: Coded]>([:])

    init(_ picture: PixelBuffer, _ coding: Coding) throws {
      let key = Key(size: picture.size, bytes: Array(picture.bytes), coding: coding)
      if let known = Self.known.withLock({ $0[key] }) {
        self = known
        return
      }
      let folder = try ToolFolder()
      try folder.write(picture, to: "a.ppm")
      try folder.run(["convert", "a.ppm"] + (coding.bits > 8 ? ["-depth", "16"] : []) + ["a.png"])
      try folder.run(
        ["heif-enc", "-q", "90", "-b", "\(coding.bits)"] + (coding.isAV1 ? ["-A"] : [])
          + ["a.png", "-o", "a.heif"])
      let file = try folder.bytes(of: "a.heif")
      guard let configuration = Self.box(coding.isAV1 ? "av1C" : "hvcC", in: file),
        let data = Self.box("mdat", in: file)
      else {
        throw FixtureError("libheif's encoder wrote another kind of file")
      }
      self.configuration = Array(file[configuration])
      self.data = Array(file[data].dropFirst(8))
      Self.known.withLock { $0[key] = self }
    }

    /// The position of the box, found by its type.
    private static func box(_ type: String, in file: [UInt8]) -> Range<Int>? {
      guard let name = file.firstRange(of: Array(type.utf8)), name.lowerBound >= 4 else { return nil }
      let start = name.lowerBound - 4
      let length = file[start..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      return length >= 8 && start + length <= file.count ? start..<start + length : nil
    }
  }
}
