import Pixels

/// Reads the header of a JPEG XL image, a bare codestream or in its container.
///
/// Format: ISO/IEC 18181-1, annex D (SizeHeader, ImageMetadata), and 18181-2 for the boxes. The orientation
/// in the codestream takes precedence; EXIF's is a copy. Compressed boxes are ignored.
enum JPEGXLReader {
  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    if window.byte(at: 0) == 0xFF { return header(at: 0, in: &window) }
    var blocks = MetadataBlocks()
    var picture: MediaFacts?
    var position = 12
    for _ in 0..<1000 {
      window.seek(position, 16)
      // EXIF may follow the image. Once it was read, further boxes are not downloaded.
      let isComplete = picture != nil && blocks.facts.captureTime != nil
      let found = isComplete ? window.optional { $0.box(at: position) } : window.box(at: position)
      guard let box = found else { break }
      let payload = box.content
      switch box.type {
      case "jxlc": picture = picture ?? header(at: payload.lowerBound, in: &window)
      case "jxlp": picture = picture ?? header(at: payload.lowerBound + 4, in: &window)
      case "Exif" where payload.count > 4:
        if let skip = window.bigEndian32(at: payload.lowerBound), skip < payload.count - 4 {
          blocks.readEXIF(payload.lowerBound + 4 + skip..<payload.upperBound, in: &window)
        }
      case "xml ": blocks.readXMP(payload, in: &window)
      default: break
      }
      if box.isOpenEnded { break }
      position = payload.upperBound
    }
    guard let picture else { return nil }
    blocks.facts.storedSize = picture.storedSize
    blocks.facts.orientation = picture.orientation
    blocks.facts.hints = picture.hints
    return blocks.resolved()
  }

  private static func header(at start: Int, in window: inout ByteWindow) -> MediaFacts? {
    guard window.byte(at: start) == 0xFF, window.byte(at: start + 1) == 0x0A else { return nil }
    var bits = BitReader(offset: start + 2)
    guard let size = size(&bits, &window) else { return nil }
    var facts = MediaFacts(storedSize: size)
    // all_default, then extra_fields.
    guard bits.take(1, &window) == 0, bits.take(1, &window) == 1, let turn = bits.take(3, &window)
    else { return facts }
    facts.orientation = Orientation(rawValue: UInt8(turn + 1)) ?? .topLeft
    // have_intrinsic_size; have_preview, after which parsing stops; have_animation.
    if bits.take(1, &window) == 1, Self.size(&bits, &window) == nil { return facts }
    if bits.take(1, &window) == 0, bits.take(1, &window) == 1 { facts.hints.insert(.animated) }
    return facts
  }

  /// Parses SizeHeader: a height, and a width or the aspect ratio.
  private static func size(_ bits: inout BitReader, _ window: inout ByteWindow) -> PixelSize? {
    guard let isSmall = bits.take(1, &window), let height = side(isSmall == 1, &bits, &window),
      let ratio = bits.take(3, &window)
    else { return nil }
    let width: Int? =
      switch ratio {
      case 0: side(isSmall == 1, &bits, &window)
      case 1: height
      case 2: height * 12 / 10
      case 3: height * 4 / 3
      case 4: height * 3 / 2
      case 5: height * 16 / 9
      case 6: height * 5 / 4
      default: height * 2
      }
    return width.map { PixelSize(width: $0, height: height) }
  }

  private static func side(_ isSmall: Bool, _ bits: inout BitReader, _ window: inout ByteWindow) -> Int? {
    if isSmall { return bits.take(5, &window).map { ($0 + 1) * 8 } }
    guard let selector = bits.take(2, &window) else { return nil }
    return bits.take([9, 13, 18, 30][selector], &window).map { $0 + 1 }
  }

  /// Reads bits, the lowest of each byte first.
  private struct BitReader {
    private let offset: Int
    private var position = 0

    init(offset: Int) {
      self.offset = offset
    }

    mutating func take(_ count: Int, _ window: inout ByteWindow) -> Int? {
      var value = 0
      for bit in 0..<count {
        guard let byte = window.byte(at: offset + position / 8) else { return nil }
        value |= Int(byte >> (position % 8) & 1) << bit
        position += 1
      }
      return value
    }
  }
}
