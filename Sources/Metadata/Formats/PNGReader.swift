import Pixels

/// Reads the chunks of a PNG, including animated ones.
///
/// Format: PNG specification, third edition (W3C 2025), with APNG's acTL and with eXIf; XMP in iTXt according
/// to the XMP specification part 3, 1.1.4. Compressed texts are ignored.
struct PNGReader {
  private var blocks = MetadataBlocks()
  private var size: PixelSize?
  /// The length of the first chunk of image data.
  private var dataLength: Int?

  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    var reader = PNGReader()
    reader.walk(from: 8, &window)
    guard let size = reader.size, !size.isEmpty else { return nil }
    reader.blocks.facts.storedSize = size
    return reader.blocks.resolved()
  }

  private mutating func walk(from start: Int, _ window: inout ByteWindow) {
    var position = start
    // An image that is stored in small chunks has thousands of them, which are skipped; a hostile file must
    // not cause long reads.
    for _ in 0..<1000 {
      window.seek(position, 12)
      guard let length = window.bigEndian32(at: position), length < 1 << 31,
        let kind = window.bigEndian32(at: position + 4)
      else { return }
      let payload = position + 8..<position + 8 + length
      switch kind {
      case 0x4948_4452:  // IHDR
        guard let width = window.bigEndian32(at: payload.lowerBound),
          let height = window.bigEndian32(at: payload.lowerBound + 4),
          max(width, height) < 1 << 31
        else { return }
        // The first one counts, as in libspng.
        size = size ?? PixelSize(width: width, height: height)
      case 0x4944_4154:  // IDAT
        if dataLength == nil {
          dataLength = length
          if blocks.facts.captureTime != nil {
            // What follows the image is optional now and not downloaded.
            window.optional { walk(from: lastChunk(like: position, length, in: &$0), &$0) }
            return
          }
          position = lastChunk(like: position, length, in: &window)
          continue
        }
      case 0x6163_544C:  // acTL
        if let frames = window.bigEndian32(at: payload.lowerBound), frames > 1 {
          blocks.facts.hints.insert(.animated)
        }
      case 0x6558_4966: blocks.readEXIF(payload, in: &window)  // eXIf
      case 0x7445_5874: readText(payload, isInternational: false, &window)  // tEXt
      case 0x6954_5874: readText(payload, isInternational: true, &window)  // iTXt
      case 0x4945_4E44: return  // IEND
      default: if size == nil { return }
      }
      position = payload.upperBound + 4
    }
  }

  /// Finds the last of a series of equal chunks with a binary search, to reach what follows the image without
  /// reading the chunks in between.
  private func lastChunk(like position: Int, _ length: Int, in window: inout ByteWindow) -> Int {
    let stride = length + 12
    guard stride > 12, window.end < .max else { return position }
    var place = position
    var leaps = max(0, (window.end - position) / stride - 1)
    while leaps > 0 {
      let next = place + leaps * stride
      let head = window.peek(next..<next + 8)
      let mark = head.reduce(0) { $0 << 8 | UInt64($1) }
      if head.count == 8, mark == UInt64(length) << 32 | 0x4944_4154 {
        place = next
      }
      leaps /= 2
    }
    return place
  }

  private static let longestText = 1 << 20

  /// Parses a keyword, a NUL and Latin-1, or a keyword, four fields and UTF-8.
  private mutating func readText(
    _ payload: Range<Int>, isInternational: Bool, _ window: inout ByteWindow
  ) {
    guard payload.count <= (isInternational ? XMPReader.longestPacket : Self.longestText) else { return }
    let bytes = window.copy(payload)
    guard let nul = bytes.prefix(80).firstIndex(of: 0) else { return }
    let keyword = String(decoding: bytes[..<nul], as: UTF8.self)
    var start = nul + 1
    if isInternational {
      guard start + 2 <= bytes.count, bytes[start] == 0,
        let language = bytes[(start + 2)...].firstIndex(of: 0),
        let translated = bytes[(language + 1)...].firstIndex(of: 0)
      else { return }
      start = translated + 1
    }
    let text = bytes[start...]
    if keyword == "XML:com.adobe.xmp" {
      blocks.readXMP(Array(text), in: &window)
    } else if text.count <= Self.longestText {
      record(
        keyword,
        isInternational
          ? String(decoding: text, as: UTF8.self)
          : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
    }
  }

  private mutating func record(_ keyword: String, _ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return }
    switch keyword {
    case "Title": blocks.words.title = blocks.words.title ?? text
    case "Description": blocks.words.caption = blocks.words.caption ?? text
    case "Comment": blocks.words.comment = blocks.words.comment ?? text
    case "Creation Time":
      blocks.words.changeTime = CivilTime(iso8601: text) ?? CivilTime(exif: text) ?? CivilTime(rfc1123: text)
    default: break
    }
  }
}

extension CivilTime {
  /// Parses "Thu, 02 May 2024 14:10:09 +0200" (RFC 1123, 5.2.14), which PNG recommends for its creation time.
  fileprivate init?(rfc1123 text: String) {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var fields = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    if let first = fields.first, Int(first) == nil { fields.removeFirst() }
    guard fields.count >= 4, let day = Int(fields[0]), let year = Int(fields[2]),
      let month = names.firstIndex(of: String(fields[1].prefix(3)))
    else { return nil }
    let clock = fields[3].split(separator: ":").map { Int($0) }
    guard clock.count >= 2, let hour = clock[0], let minute = clock[1] else { return nil }
    let second = clock.count > 2 ? clock[2] ?? 0 : 0
    self.init(checked: year, month + 1, day, hour, minute, second)
    guard fields.count > 4 else { return }
    let zone = fields[4]
    if zone == "GMT" || zone == "UT" || zone == "Z" {
      utcOffset = 0
    } else if zone.count == 5 {
      utcOffset = Self.seconds(fromOffset: zone.prefix(3) + ":" + zone.suffix(2))
    }
  }
}
