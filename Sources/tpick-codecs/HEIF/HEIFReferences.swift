import CodecProtocol

/// Which pictures of a HEIC or AVIF file are made of which, grids of their tiles, overlays and copies of their parts, and which
/// are small versions of others.
///
/// libheif 1.15 goes from a picture to its parts by calling itself, and looks neither whether it comes back to where it
/// was nor how deep it is. Format: the references `dimg` and `thmb` in a file's `iref` box (ISO/IEC 14496-12, 8.11.12; ISO/IEC
/// 23008-12, 6.4 and 6.6).
struct HEIFReferences {
  /// A grid of rotated copies of crops is as deep as encoders go.
  private static let deepest = 16
  /// Bytes of the box: a grid of 65,536 tiles, and others.
  private static let longest = 1 << 20

  /// The parts of each picture that has some.
  private var parts: [Int: [Int]] = [:]
  /// The pictures that are small versions of others.
  private(set) var thumbnails: Set<Int> = []

  init(_ file: InputFile) {
    let reader = BoxReader(file: file)
    for meta in reader.topLevel where meta.type == "meta" {
      for box in reader.children(of: meta, skipping: 4) where box.type == "iref" {
        read(reader.bytes(of: box, count: Self.longest))
      }
    }
  }

  /// Whether no picture is made of itself, or of parts of parts without an end.
  var isFinite: Bool {
    // Every round takes away the pictures of which all parts are whole.
    var rest = parts
    for _ in 0..<Self.deepest where !rest.isEmpty {
      let whole = rest.filter { _, parts in parts.allSatisfy { rest[$0] == nil } }
      for item in whole.keys { rest[item] = nil }
    }
    return rest.isEmpty
  }

  /// Takes a version, flags, and a box for each picture with its number, a count and the numbers of its parts, which
  /// have 16 bits in version 0 and 32 in others.
  private mutating func read(_ bytes: [UInt8]) {
    guard let version = bytes.first else { return }
    let width = version == 0 ? 2 : 4
    func number(_ place: Int, _ count: Int) -> Int? {
      place + count <= bytes.count ? Int(BoxReader.integer(bytes[place..<place + count])) : nil
    }
    /// Takes the reference at a place.
    /// - Returns: where its numbers end; nil where there is none.
    func take(at place: Int, header: Int) -> Int? {
      guard let item = number(place + header, width), let count = number(place + header + width, 2) else {
        return nil
      }
      let first = place + header + width + 2
      let type = bytes[place + 4..<place + 8]
      if type.elementsEqual("dimg".utf8) {
        parts[item, default: []] += (0..<count).compactMap { number(first + $0 * width, width) }
      } else if type.elementsEqual("thmb".utf8) {
        thumbnails.insert(item)
      }
      return first + count * width
    }
    var place = 4
    while let length = number(place, 4), length >= 8 {
      _ = take(at: place, header: 8)
      place += length
    }
    // libheif takes no notice of a box's length: the next one begins where the numbers end.
    place = 4
    while let length = number(place, 4), place + 8 <= bytes.count {
      let extended = bytes[place + 4..<place + 8].elementsEqual("uuid".utf8) ? 16 : 0
      guard let end = take(at: place, header: (length == 1 ? 16 : 8) + extended) else { return }
      place = end
    }
  }
}
