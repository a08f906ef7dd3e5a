import CHEIF
import CodecProtocol
import HelperMetadata
import Metadata

/// An open HEIC or AVIF file; owns libheif's context and its input.
///
/// Used by one thread. Its pictures keep it alive.
final class HEIFFile {
  let context: OpaquePointer
  /// libheif keeps a pointer to the callbacks until the context is freed.
  private let reader: UnsafeMutablePointer<heif_reader>
  private let file: InputFile

  init(_ file: InputFile) throws(CodecError) {
    if file.isPartial, let meta = try file.requirePicture() {
      let items = HEIFItems(in: meta, file)
      file.codedPlaces = items.codedPlaces
      // Only thumbnails are decoded of a partly fetched file.
      if file.wantsPictures { try items.requireThumbnails(HEIFReferences(file).thumbnails, file) }
    }
    guard let context = heif_context_alloc() else { throw .noMemory }
    self.context = context
    self.file = file
    reader = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)
    reader.initialize(to: Self.callbacks)
    // From here on, `deinit` frees everything.
    let pointer = Unmanaged.passUnretained(file).toOpaque()
    try Self.check(heif_context_read_from_reader(context, reader, pointer, nil))
  }

  deinit {
    heif_context_free(context)
    reader.deallocate()
  }

  /// Returns how a picture is rotated, mirrored and cropped.
  func transformations(of item: heif_item_id) -> HEIFTransformations {
    HEIFTransformations(of: item, in: file)
  }

  /// libheif's input callbacks; the file's `position` is its stream position.
  ///
  /// Fields that later versions of libheif add stay unset: the API version tells it which ones to use.
  private static let callbacks: heif_reader = {
    var reader = heif_reader()
    reader.reader_api_version = 1
    reader.get_position = { Int64(InputFile.from($0)?.position ?? 0) }
    reader.read = { buffer, count, pointer in
      guard let file = InputFile.from(pointer), (0...file.byteCount).contains(file.position),
        (0...file.byteCount - file.position).contains(count)
      else { return 1 }
      defer { file.position += count }
      guard let buffer, count > 0, isWanted(file, count) else { return 0 }
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: count)
      if file.read(at: file.position, into: room) == count { return 0 }
      guard file.position != file.optionalPlace, !file.isThere(file.position, count) else { return 1 }
      // libheif asserts that items within the file can be read. Its result from these zeros is discarded, because
      // the file records that something is missing.
      room.initializeMemory(as: UInt8.self, repeating: 0)
      return 0
    }
    reader.seek = { position, pointer in
      guard let file = InputFile.from(pointer), position >= 0 else { return 1 }
      file.position = Int(position)
      return 0
    }
    reader.wait_for_file_size = { size, pointer in
      guard let file = InputFile.from(pointer), size <= file.byteCount else {
        return heif_reader_grow_status_size_beyond_eof
      }
      return heif_reader_grow_status_size_reached
    }
    return reader
  }()

  /// Whether a read by libheif needs the actual bytes: libheif copies every item when it opens a file, including
  /// the coded pictures, which metadata does not need.
  ///
  /// Metadata items are recognized by their first bytes: XMP as a text, EXIF by a TIFF header. In a partly fetched
  /// file, the file's own tables identify them, so that nothing of the pictures is fetched.
  private static func isWanted(_ file: InputFile, _ count: Int) -> Bool {
    if file.isPartial { return !file.codedPlaces.contains(file.position) }
    guard !file.wantsPictures else { return true }
    guard count > 512 else { return true }
    let head = file.bytes(at: file.position, count: 64)
    let isText = head.starts(with: [0xEF, 0xBB, 0xBF]) || head.first { !" \t\r\n".utf8.contains($0) } == 0x3C
    return isText
      || [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains { head.firstRange(of: $0) != nil }
  }

  static func check(_ error: heif_error) throws(CodecError) {
    if let failure = CodecError(error) { throw failure }
  }
}

extension CodecError {
  /// Creates an error from libheif's; nil for success.
  init?(_ error: heif_error) {
    guard error.code != heif_error_Ok else { return nil }
    let words = error.message.map { String(cString: $0) } ?? ""
    let reason = String(words.prefix { $0 != "\n" })
    if error.subcode == heif_suberror_Security_limit_exceeded {
      self = .tooLarge(reason)
    } else {
      self = .unreadable(reason.isEmpty ? "a damaged file" : reason)
    }
  }
}

/// Reads the metadata of a HEIC or AVIF file with libheif, and from the boxes what libheif does not expose.
enum HEIFReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    let opened = try HEIFFile(file)
    let primary = try opened.primary()
    var facts = CodecFacts()
    facts.width = primary.width
    facts.height = primary.height
    guard facts.width > 0, facts.height > 0 else { throw .unreadable("a picture without a size") }
    facts.auxiliaryTypes = primary.auxiliaryTypes
    (facts.exif, facts.xmp) = primary.metadata
    HEIFBoxes(file).fill(&facts)
    return facts
  }
}

/// Locates the items of a HEIC or AVIF file that are coded pictures.
///
/// libheif 1.15 copies every item when it opens a file; those of a partly fetched file must not all be fetched.
/// Format: the boxes `iinf` and `iloc` (ISO/IEC 14496-12, 8.11.6 and 8.11.3).
private struct HEIFItems {
  /// Byte ranges of coded pictures by item number.
  private var coded: [Int: [Range<Int>]] = [:]

  /// Offsets of the parts of coded pictures.
  var codedPlaces: Set<Int> { Set(coded.values.joined().map(\.lowerBound)) }

  /// Metadata, and derived images (ISO/IEC 23008-12, 6.6).
  private static let uncoded: Set<String> = ["Exif", "mime", "uri ", "grid", "iovl", "iden", "tmap"]
  /// Upper bound of the bytes read of a table: that of a grid of 65,536 tiles.
  private static let longest = 2 << 20

  /// - Parameter meta: the file's `meta` box.
  init(in meta: Box, _ file: InputFile) {
    let reader = BoxReader(file)
    let boxes = reader.children(of: meta, skipping: 4)
    guard let information = boxes.first(where: { $0.type == "iinf" }),
      let locations = boxes.first(where: { $0.type == "iloc" })
    else { return }
    let items = Self.codedItems(reader.bytes(of: information, count: Self.longest))
    readPlaces(reader.bytes(of: locations, count: Self.longest), of: items)
  }

  /// Requires the thumbnails to be fetched, and lets libheif read them when it opens the file.
  /// - Throws: `CodecError` if a part is missing, which the file records, or if there is no thumbnail.
  func requireThumbnails(_ thumbnails: Set<Int>, _ file: InputFile) throws(CodecError) {
    // A forged entry may span the whole file.
    let places = thumbnails.sorted().compactMap { coded[$0] }.joined().filter { $0.count <= Self.longest }
    guard !places.isEmpty else { throw .nothingEmbedded }
    for place in places where !file.requires(place.lowerBound, place.count) { throw .partsMissing }
    file.codedPlaces.subtract(places.map(\.lowerBound))
  }

  /// Returns the numbers of the items whose type is a coded picture.
  private static func codedItems(_ bytes: [UInt8]) -> Set<Int> {
    var fields = Fields(bytes)
    guard let version = fields.next(1), fields.next(3) != nil, fields.next(version == 0 ? 2 : 4) != nil
    else { return [] }
    var items: Set<Int> = []
    let reader = BoxReader(bytes)
    let first = bytes.count - fields.count
    for entry in reader.boxes(in: first..<bytes.count, most: .max) {
      var entry = Fields(bytes[entry.content])
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
        // Other construction methods use offsets that do not count from the start of the file.
        if method & 15 == 0, !overflow, items.contains(item) {
          coded[item, default: []].append(place..<(isBeyond ? .max : end))
        }
      }
    }
  }

  /// Reads consecutive big-endian numbers.
  private struct Fields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
      rest = Array(bytes)[...]
    }

    /// Number of remaining bytes.
    var count: Int { rest.count }

    /// Consumes the next bytes; nil if fewer remain.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// Consumes a number of `count` bytes (0 for no bytes); nil if it is truncated or has more than 63 bits.
    mutating func next(_ count: Int) -> Int? {
      guard count <= 8, let bytes = take(count) else { return nil }
      return Int(exactly: BoxReader.integer(bytes))
    }
  }
}

/// The references between pictures of a HEIC or AVIF file: which ones are composed of others (grids, overlays,
/// derived copies), and which are thumbnails.
///
/// libheif 1.15 resolves the parts of a picture recursively and checks neither for cycles nor for depth. Format:
/// the references `dimg` and `thmb` in a file's `iref` box (ISO/IEC 14496-12, 8.11.12; ISO/IEC 23008-12, 6.4 and
/// 6.6).
struct HEIFReferences {
  /// Upper bound of the nesting; encoders go no deeper than a grid of rotated copies of crops.
  private static let deepest = 16
  /// Upper bound of the box in bytes: a grid of 65,536 tiles, and more.
  private static let longest = 1 << 20

  /// The parts of each composed picture.
  private var parts: [Int: [Int]] = [:]
  /// The pictures that are thumbnails of others.
  private(set) var thumbnails: Set<Int> = []

  init(_ file: InputFile) {
    let reader = BoxReader(file)
    for meta in reader.topLevel where meta.type == "meta" {
      for box in reader.children(of: meta, skipping: 4) where box.type == "iref" {
        read(reader.bytes(of: box, count: Self.longest))
      }
    }
  }

  /// Whether the references have no cycle and are nested no deeper than the limit.
  var isFinite: Bool {
    // Each round removes the pictures whose parts are all resolved.
    var rest = parts
    for _ in 0..<Self.deepest where !rest.isEmpty {
      let whole = rest.filter { _, parts in parts.allSatisfy { rest[$0] == nil } }
      for item in whole.keys { rest[item] = nil }
    }
    return rest.isEmpty
  }

  /// Reads the content of `iref`: a version, flags, and for each picture a box with its number, a count and the
  /// numbers of its parts, which have 16 bits in version 0 and 32 bits otherwise.
  private mutating func read(_ bytes: [UInt8]) {
    guard let version = bytes.first else { return }
    let width = version == 0 ? 2 : 4
    func number(_ place: Int, _ count: Int) -> Int? {
      place + count <= bytes.count ? Int(BoxReader.integer(bytes[place..<place + count])) : nil
    }
    /// Reads the reference at an offset.
    /// - Returns: the end of its numbers; nil if there is none.
    func take(at place: Int, content: Int) -> Int? {
      guard let item = number(content, width), let count = number(content + width, 2) else { return nil }
      let first = content + width + 2
      let type = bytes[place + 4..<place + 8]
      if type.elementsEqual("dimg".utf8) {
        parts[item, default: []] += (0..<count).compactMap { number(first + $0 * width, width) }
      } else if type.elementsEqual("thmb".utf8) {
        thumbnails.insert(item)
      }
      return first + count * width
    }
    var place = 4
    let reader = BoxReader(bytes)
    while let box = reader.box(at: place, end: bytes.count) {
      _ = take(at: place, content: box.content.lowerBound)
      place = box.content.upperBound
    }
    // libheif ignores the box's length: the next reference starts where the numbers end.
    place = 4
    while let length = number(place, 4), place + 8 <= bytes.count {
      let extended = bytes[place + 4..<place + 8].elementsEqual("uuid".utf8) ? 16 : 0
      guard let end = take(at: place, content: place + (length == 1 ? 16 : 8) + extended) else { return }
      place = end
    }
  }
}
