import Pixels

/// Reads the metadata of a JPEG 2000 image, a bare codestream or in its container.
///
/// Format: ISO/IEC 15444-1, A.5.1 for the size at the start of a codestream, and annex I for the boxes.
/// Metadata is in `uuid` boxes: XMP according to the XMP specification part 3, 1.1.4, EXIF and IPTC as
/// written by Adobe, ExifTool and Exiv2. Some programs write XMP into an `xml ` box.
struct JPEG2000Reader {
  private var blocks = MetadataBlocks()
  /// The size in the container, and the size in the codestream, which decoders use.
  private var statedSize: PixelSize?
  private var codedSize: PixelSize?
  /// The first XML document, which may be XMP.
  private var document: Range<Int>?

  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    var reader = JPEG2000Reader()
    reader.codedSize = codestreamSize(at: 0, in: &window)
    if reader.codedSize == nil { reader.walk(&window) }
    guard let size = reader.codedSize ?? reader.statedSize, !size.isEmpty else { return nil }
    reader.readDocument(&window)
    reader.blocks.facts.storedSize = size
    return reader.blocks.resolved()
  }

  private mutating func walk(_ window: inout ByteWindow) {
    var position = 0
    for _ in 0..<1000 {
      window.seek(position, Box.longestHeader)
      // Metadata may follow the image. Once EXIF was read, further boxes are not downloaded.
      let isComplete = codedSize != nil && blocks.facts.captureTime != nil
      let found = isComplete ? window.optional { $0.box(at: position) } : window.box(at: position)
      guard let box = found else { return }
      switch box.type {
      case "jp2h": readHeader(box.content, &window)
      case "jp2c":
        codedSize = codedSize ?? Self.codestreamSize(at: box.content.lowerBound, in: &window)
      case "uuid" where isComplete: window.optional { readBlock(box.content, &$0) }
      case "uuid": readBlock(box.content, &window)
      case "xml ": document = document ?? box.content
      default: break
      }
      if box.isOpenEnded { return }
      position = box.content.upperBound
    }
  }

  /// Reads the image header box, the first one in the header (I.5.3.1): height, width.
  private mutating func readHeader(_ content: Range<Int>, _ window: inout ByteWindow) {
    guard let header = window.box(at: content.lowerBound), header.type == "ihdr",
      let height = window.bigEndian32(at: header.content.lowerBound),
      let width = window.bigEndian32(at: header.content.lowerBound + 4)
    else { return }
    statedSize = statedSize ?? PixelSize(width: width, height: height)
  }

  /// The UUIDs of the boxes in which programs store metadata.
  private static let exif = Array("JpgTiffExif->JP2".utf8)
  /// The UUID of Photoshop's first plugin.
  private static let oldEXIF: [UInt8] = [
    0x05, 0x37, 0xCD, 0xAB, 0x9D, 0x0C, 0x44, 0x31, 0xA7, 0x2A, 0xFA, 0x56, 0x1F, 0x2A, 0x11, 0x3E,
  ]
  private static let xmp: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  private static let iptc: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  /// The suffix of the namespace of RDF, in which XMP is written.
  private static let rdf = Array("rdf-syntax-ns#".utf8)

  private mutating func readBlock(_ content: Range<Int>, _ window: inout ByteWindow) {
    guard content.count > 16, let at = window.index(of: content.lowerBound, 16) else { return }
    let name = Array(window.bytes[at..<at + 16])
    let block = content.dropFirst(16)
    switch name {
    case Self.exif, Self.oldEXIF:
      // Some programs write the prefix of a JPEG segment before the EXIF structure.
      let start = block.count > 6 && window.has("Exif\0\0", at: block.lowerBound) ? 6 : 0
      blocks.readEXIF(block.dropFirst(start), in: &window)
    case Self.xmp: blocks.readXMP(block, in: &window)
    case Self.iptc: blocks.readIPTC(block, in: &window)
    default: break
    }
  }

  /// Reads the XML document if there is no other XMP packet and it is XMP: programs may store arbitrary XML
  /// there.
  private mutating func readDocument(_ window: inout ByteWindow) {
    guard let document, blocks.xmp == nil, document.count <= XMPReader.longestPacket else { return }
    let packet = window.copy(document)
    if packet.firstRange(of: Self.rdf) != nil { blocks.readXMP(packet, in: &window) }
  }

  private static func codestreamSize(at start: Int, in window: inout ByteWindow) -> PixelSize? {
    // The SOC and SIZ markers, the length and the capabilities, followed by the end and the start of the
    // image on the reference grid.
    guard window.bigEndian32(at: start) == 0xFF4F_FF51, let right = window.bigEndian32(at: start + 8),
      let bottom = window.bigEndian32(at: start + 12), let left = window.bigEndian32(at: start + 16),
      let top = window.bigEndian32(at: start + 20), left < right, top < bottom
    else { return nil }
    return PixelSize(width: right - left, height: bottom - top)
  }
}
