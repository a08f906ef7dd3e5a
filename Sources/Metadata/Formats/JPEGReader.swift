import Pixels

/// Reads the segments of a JPEG up to its frame header.
///
/// Format: ITU-T T.81 Annex B; EXIF 2.32, 4.7.2 (APP1); XMP specification part 3, 1.1.3 (APP1, also extended
/// packets); Photoshop's image resources with IPTC in APP13.
struct JPEGReader {
  private var blocks = MetadataBlocks()
  private var extended = ExtendedXMP()

  /// Reads the metadata of a JPEG; nil if there is no frame header.
  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    var reader = JPEGReader()
    guard let size = reader.walk(&window) else { return nil }
    reader.blocks.facts.storedSize = size
    if let identifier = reader.blocks.xmp?.extendedIdentifier {
      // The extended packet contains what did not fit into the first one, mainly depth maps: it is not
      // downloaded.
      let packet = window.optional { reader.extended.packet(identifier, in: &$0) }
      if packet.isEmpty {
        window.blocks?.isXMPCut = true
      } else {
        window.blocks?.extendedXMP = packet
        reader.blocks.readXMP(packet, in: &window)
      }
    }
    let claim = reader.blocks.xmp?.motion
    var facts = reader.blocks.resolved()
    facts.motionVideo = MotionPhoto.video(claim, make: facts.make, in: &window)
    return facts
  }

  private mutating func walk(_ window: inout ByteWindow) -> PixelSize? {
    var position = 2
    var strayLeft = Self.mostStray
    var isHierarchical = false
    // Real files have a few dozen segments; a hostile one must not cause long reads.
    for _ in 0..<2000 {
      window.seek(position, 4)
      guard var at = window.index(of: position, 4) else { return nil }
      if window.bytes[at] != 0xFF || window.bytes[at + 1] == 0xFF || window.bytes[at + 1] == 0 {
        guard let next = Self.nextMarker(from: position, &strayLeft, in: &window),
          let place = window.index(of: next, 4)
        else { return nil }
        (position, at) = (next, place)
      }
      let marker = window.bytes[at + 1]
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
        continue
      }
      // A segment with a length below 2 is treated as empty, as in libjpeg.
      let length = max(2, Int(window.bytes[at + 2]) << 8 | Int(window.bytes[at + 3]))
      let payload = position + 4..<position + 2 + length
      switch marker {
      case 0xE1: readAPP1(payload, &window)
      case 0xED: readAPP13(payload, &window)
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        guard let height = window.bigEndian16(at: position + 5),
          let width = window.bigEndian16(at: position + 7), width > 0, height > 0,
          window.byte(at: position + 9) != nil
        else { return nil }
        if isHierarchical || Self.isRare(marker, at: position, in: &window) {
          blocks.facts.hints.insert(.rareJPEG)
        }
        return PixelSize(width: width, height: height)
      case 0xDE: isHierarchical = true
      case 0xDA, 0xD9:
        return nil
      default:
        break
      }
      position = payload.upperBound
    }
    return nil
  }

  /// Whether a frame uses a coding that some programs can't decode.
  ///
  /// All programs decode Huffman-coded DCT, baseline or progressive, with 8 bits, in gray or three colors
  /// (T.81, table B.1 and B.2.2).
  private static func isRare(_ marker: UInt8, at position: Int, in window: inout ByteWindow) -> Bool {
    let (precision, components) = (window.byte(at: position + 4), window.byte(at: position + 9))
    return !(0xC0...0xC2).contains(marker) || precision != 8 || components != 1 && components != 3
  }

  /// The maximum number of bytes between segments that are skipped, including fill bytes.
  private static let mostStray = 1 << 20

  /// Returns the position of the next marker.
  ///
  /// As in libjpeg, which decodes such files, everything up to a 0xFF that is followed by a byte other than 0
  /// is skipped. Of several 0xFF, all but the last are fill bytes.
  private static func nextMarker(
    from start: Int, _ left: inout Int, in window: inout ByteWindow
  ) -> Int? {
    var position = start
    while left > 0, let byte = window.byte(at: position), let next = window.byte(at: position + 1) {
      if byte == 0xFF, next != 0xFF, next != 0 { return position }
      position += 1
      left -= 1
    }
    return nil
  }

  /// Whether a marker with which a JPEG can start follows after stray bytes.
  static func hasMarkerAfterStrayBytes(_ window: inout ByteWindow) -> Bool {
    var left = 512
    guard let place = nextMarker(from: 2, &left, in: &window), let marker = window.byte(at: place + 1)
    else { return false }
    return (0xE0...0xEF).contains(marker) || [0xDB, 0xFE, 0xC0, 0xC1, 0xC2, 0xC4, 0xDD].contains(marker)
  }

  private static let xmpMark: StaticString = "http://ns.adobe.com/xap/1.0/\0"
  private static let extendedMark: StaticString = "http://ns.adobe.com/xmp/extension/\0"

  private mutating func readAPP1(_ payload: Range<Int>, _ window: inout ByteWindow) {
    let start = payload.lowerBound
    if payload.count > 6, window.has("Exif\0", at: start) {
      blocks.readEXIF(start + 6..<payload.upperBound, in: &window)
    } else if payload.count > Self.xmpMark.utf8CodeUnitCount, window.has(Self.xmpMark, at: start) {
      blocks.readXMP(start + Self.xmpMark.utf8CodeUnitCount..<payload.upperBound, in: &window)
    } else if payload.count > Self.extendedMark.utf8CodeUnitCount, window.has(Self.extendedMark, at: start) {
      extended.add(start + Self.extendedMark.utf8CodeUnitCount..<payload.upperBound, in: &window)
    }
  }

  private mutating func readAPP13(_ payload: Range<Int>, _ window: inout ByteWindow) {
    let mark: StaticString = "Photoshop 3.0\0"
    guard blocks.iptc == nil, window.has(mark, at: payload.lowerBound) else { return }
    let resources = window.copy(payload)
    let datasets = IPTCFacts.datasets(inPhotoshopResources: resources, from: mark.utf8CodeUnitCount)
    if let datasets { blocks.readIPTC(datasets, in: &window) }
  }
}

/// The parts of an extended XMP packet.
///
/// Format: XMP specification part 3, 1.1.3.1: an identifier of 32 letters, the length of the packet, the
/// offset of the part in it, and the part.
private struct ExtendedXMP {
  private struct Part {
    var identifier: [UInt8]
    var byteCount: Int
    var offset: Int
    var range: Range<Int>
  }

  private var parts: [Part] = []

  mutating func add(_ payload: Range<Int>, in window: inout ByteWindow) {
    guard payload.count > 40, let byteCount = window.bigEndian32(at: payload.lowerBound + 32),
      let offset = window.bigEndian32(at: payload.lowerBound + 36)
    else { return }
    let identifier = window.copy(payload.lowerBound..<payload.lowerBound + 32)
    let range = payload.lowerBound + 40..<payload.upperBound
    parts.append(Part(identifier: identifier, byteCount: byteCount, offset: offset, range: range))
  }

  /// Joins the parts of the packet; empty if a part is missing or the packet is too long.
  func packet(_ identifier: String, in window: inout ByteWindow) -> [UInt8] {
    let parts = parts.filter { $0.identifier.elementsEqual(identifier.utf8) }.sorted { $0.offset < $1.offset }
    guard let byteCount = parts.first?.byteCount, byteCount <= XMPReader.longestPacket else { return [] }
    var packet: [UInt8] = []
    for part in parts where part.offset <= packet.count {
      guard part.offset + part.range.count <= byteCount else { return [] }
      packet.removeSubrange(part.offset...)
      packet += window.copy(part.range)
    }
    return packet.count == byteCount ? packet : []
  }
}
