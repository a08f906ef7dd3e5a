import CodecProtocol

/// Which pictures of a HEIC or AVIF file are made of which: grids of their tiles, overlays and copies of their parts.
///
/// libheif 1.15 goes from a picture to its parts by calling itself, and looks neither whether it comes back to where it
/// was nor how deep it is. Format: the references `dimg` in a file's `iref` box (ISO/IEC 14496-12, 8.11.12; ISO/IEC
/// 23008-12, 6.4 and 6.6).
struct HEIFReferences {
  /// A grid of rotated copies of crops is as deep as encoders go.
  private static let deepest = 16
  /// Bytes of the box: a grid of 65,536 tiles, and others.
  private static let longest = 1 << 20

  /// The parts of each picture that has some.
  private var parts: [Int: [Int]] = [:]

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
    var place = 4
    while let length = number(place, 4), length >= 8 {
      if bytes[place + 4..<min(bytes.count, place + 8)].elementsEqual("dimg".utf8),
        let item = number(place + 8, width), let count = number(place + 8 + width, 2)
      {
        let first = place + 10 + width
        parts[item, default: []] += (0..<count).compactMap { number(first + $0 * width, width) }
      }
      place += length
    }
  }
}
