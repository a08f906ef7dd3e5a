import CodecProtocol

/// Where in a HEIC or AVIF file the items lie that are coded pictures.
///
/// libheif 1.15 copies every item when it opens a file; of a file of which only parts are there nobody wants them all.
/// Format: the boxes `iinf` and `iloc` (ISO/IEC 14496-12, 8.11.6 and 8.11.3).
struct HEIFItems {
  /// Where the parts of coded pictures lie, by the pictures' numbers, in bytes from the file's first.
  private var coded: [Int: [Range<Int>]] = [:]

  /// Where parts of coded pictures begin.
  var codedPlaces: Set<Int> { Set(coded.values.joined().map(\.lowerBound)) }

  /// Metadata, and what says how a picture is made of others (ISO/IEC 23008-12, 6.6).
  private static let uncoded: Set<String> = ["Exif", "mime", "uri ", "grid", "iovl", "iden", "tmap"]
  /// Bytes of a table that are read: those of a grid of 65,536 tiles.
  private static let longest = 2 << 20

  /// - Parameter meta: the file's `meta` box.
  init(in meta: BoxReader.Box, _ file: InputFile) {
    let reader = BoxReader(file: file)
    let boxes = reader.children(of: meta, skipping: 4)
    guard let information = boxes.first(where: { $0.type == "iinf" }),
      let locations = boxes.first(where: { $0.type == "iloc" })
    else { return }
    let items = Self.codedItems(reader.bytes(of: information, count: Self.longest))
    readPlaces(reader.bytes(of: locations, count: Self.longest), of: items)
  }

  /// Has the small versions of pictures be there, and counts them among what is read when the file is opened.
  /// - Throws: `CodecError` where they are not: the file knows what is missing; or where there is none.
  func requireThumbnails(_ thumbnails: Set<Int>, _ file: InputFile) throws(CodecError) {
    // Who lies about one may name the whole file.
    let places = thumbnails.sorted().compactMap { coded[$0] }.joined().filter { $0.count <= Self.longest }
    guard !places.isEmpty else { throw .nothingEmbedded }
    for place in places where !file.requires(place.lowerBound, place.count) { throw .notThere }
    file.codedPlaces.subtract(places.map(\.lowerBound))
  }

  /// The numbers of the items whose type is that of a coded picture.
  private static func codedItems(_ bytes: [UInt8]) -> Set<Int> {
    var fields = Fields(bytes)
    guard let version = fields.next(1), fields.next(3) != nil, fields.next(version == 0 ? 2 : 4) != nil
    else { return [] }
    var items: Set<Int> = []
    while let length = fields.next(4), length >= 8, fields.next(4) != nil, let entry = fields.take(length - 8)
    {
      var entry = Fields(entry)
      // Earlier versions have no types, and no coded pictures.
      guard let version = entry.next(1), version >= 2, entry.next(3) != nil,
        let item = entry.next(version == 2 ? 2 : 4), entry.next(2) != nil, let type = entry.take(4)
      else { continue }
      if !uncoded.contains(String(decoding: type, as: UTF8.self)) { items.insert(item) }
    }
    return items
  }

  private mutating func readPlaces(_ bytes: [UInt8], of items: Set<Int>) {
    var fields = Fields(bytes)
    guard let version = fields.next(1), fields.next(3) != nil, let sizes = fields.next(2),
      let count = fields.next(version < 2 ? 2 : 4)
    else { return }
    let hasMethod = version == 1 || version == 2
    for _ in 0..<count {
      guard let item = fields.next(version < 2 ? 2 : 4), let method = hasMethod ? fields.next(2) : 0,
        fields.next(2) != nil, let base = fields.next(sizes >> 4 & 15), let extents = fields.next(2)
      else { return }
      for _ in 0..<extents {
        guard fields.next(hasMethod ? sizes & 15 : 0) != nil, let offset = fields.next(sizes >> 12),
          let length = fields.next(sizes >> 8 & 15)
        else { return }
        let (place, overflow) = base.addingReportingOverflow(offset)
        let (end, isBeyond) = place.addingReportingOverflow(length)
        // Other methods count from elsewhere than the file's first byte.
        if method & 15 == 0, !overflow, items.contains(item) {
          coded[item, default: []].append(place..<(isBeyond ? .max : end))
        }
      }
    }
  }

  /// Big-endian numbers one after the other.
  private struct Fields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
      rest = Array(bytes)[...]
    }

    /// The next bytes; nil where there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// The next number of so many bytes, which is 0 where it has none; nil where it is cut or has more than 63 bits.
    mutating func next(_ count: Int) -> Int? {
      guard count <= 8, let bytes = take(count) else { return nil }
      return Int(exactly: BoxReader.integer(bytes))
    }
  }
}
