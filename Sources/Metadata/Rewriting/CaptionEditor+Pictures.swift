// The captions in JPEG, PNG, GIF, and RIFF's WebP and AVI.

// Formats: see `JPEGReader`; the index of further images: CIPA DC-007 (Multi-Picture Format).
extension CaptionEditor {
  private static let xmpMark: StaticString = "http://ns.adobe.com/xap/1.0/\0"
  private static let extendedMark: StaticString = "http://ns.adobe.com/xmp/extension/\0"
  private static let resourcesMark: StaticString = "Photoshop 3.0\0"

  /// A JPEG with its further images, and the video of a Motion Photo.
  mutating func jpeg(from start: Int) {
    for image in segments(from: start) where window.bigEndian16(at: image) == 0xFFD8 {
      _ = segments(from: image)
    }
    if let video = JPEGReader.read(&window)?.motionVideo { boxes(in: video) }
  }

  /// Edits the segments before the pixels.
  /// - Returns: where further images start in the file.
  private mutating func segments(from start: Int) -> [Int] {
    var position = start + 2
    var (strayLeft, segmentsLeft) = (1 << 20, 1 << 14)
    var images: [Int] = []
    var resources: [Range<Int>] = []
    var extended: [[UInt8]: [(offset: Int, range: Range<Int>)]] = [:]
    while let mark = window.byte(at: position), let marker = window.byte(at: position + 1) {
      guard mark == 0xFF, marker != 0xFF, marker != 0 else {
        strayLeft -= 1
        if strayLeft < 0 {
          fail()
          break
        }
        position += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        strayLeft -= 1
        position += 2
        continue
      }
      if marker == 0xD9 || marker == 0xDA { break }
      segmentsLeft -= 1
      if segmentsLeft < 0 {
        fail()
        break
      }
      guard let length = window.bigEndian16(at: position + 2) else { break }
      let payload = position + 4..<max(position + 4, position + 2 + length)
      let place = payload.lowerBound
      switch marker {
      case 0xE1 where payload.count > 6 && window.has("Exif\0", at: place):
        exif(place + 6..<payload.upperBound)
      case 0xE1 where window.has(Self.xmpMark, at: place):
        let first = place + Self.xmpMark.utf8CodeUnitCount
        if first < payload.upperBound { xmp([first..<payload.upperBound]) }
      case 0xE1 where window.has(Self.extendedMark, at: place):
        // An identifier, the length of the packet, and the offset of the part in it.
        let first = place + Self.extendedMark.utf8CodeUnitCount
        guard first + 40 < payload.upperBound, let offset = window.bigEndian32(at: first + 36) else { break }
        extended[window.copy(first..<first + 32), default: []].append(
          (offset, first + 40..<payload.upperBound))
      case 0xE2 where window.has("MPF\0", at: place):
        images += furtherImages(place + 4..<payload.upperBound)
      case 0xED where window.has(Self.resourcesMark, at: place):
        resources.append(
          place
            + Self.resourcesMark.utf8CodeUnitCount..<max(
              place + Self.resourcesMark.utf8CodeUnitCount, payload.upperBound))
      case 0xFE:
        // Fill bytes, which may precede a marker, take its place (ITU-T T.81, B.1.1.2).
        if payload.upperBound <= window.end, hasText(payload) {
          blank(position..<payload.upperBound, with: 0xFF)
        }
      default: break
      }
      position = payload.upperBound
    }
    // A resource may continue in the next segment.
    if !resources.isEmpty { imageResources(resources, from: 0) }
    for parts in extended.values { xmp(parts.sorted { $0.offset < $1.offset }.map(\.range)) }
    return images
  }

  /// Returns where the images start that an index names: their offsets are from its header, 0 for the first one.
  private mutating func furtherImages(_ index: Range<Int>) -> [Int] {
    guard let tiff = TIFFReader(index, in: &window), let directory = tiff.firstDirectory(in: &window) else {
      return []
    }
    var images: [Int] = []
    for line in 0..<directory.count {
      guard let entry = tiff.entry(line, of: directory, in: &window), entry.tag == 0xB002 else { continue }
      // Of each image the attributes, the length and the offset, and two numbers.
      for place in stride(from: entry.offset + 8, to: entry.offset + min(entry.count, 16 * 64), by: 16) {
        let offset = tiff.isLittleEndian ? window.littleEndian32(at: place) : window.bigEndian32(at: place)
        if let offset, offset > 0 { images.append(index.lowerBound + offset) }
      }
    }
    return images
  }
}

// Format: see `PNGReader`.
extension CaptionEditor {
  mutating func png() {
    var position = 8
    // A hostile file must not cause long work; of real ones the largest have some ten thousand chunks.
    for _ in 0..<1 << 18 {
      window.seek(position, 12)
      guard let length = window.bigEndian32(at: position), length < 1 << 31,
        let kind = window.bigEndian32(at: position + 4)
      else { return }
      let payload = position + 8..<position + 8 + length
      guard payload.upperBound + 4 <= window.end else { return }
      switch kind {
      case 0x6558_4966: change(chunk: payload) { $0.exif(payload) }  // eXIf
      case 0x7445_5874, 0x7A54_5874, 0x6954_5874: text(payload, isInternational: kind == 0x6954_5874)
      case 0x4945_4E44: return  // IEND
      default: break
      }
      position = payload.upperBound + 4
    }
    fail()
  }

  /// A keyword, a NUL, and text, which may be compressed.
  private mutating func text(_ payload: Range<Int>, isInternational: Bool) {
    let head = window.peek(payload.prefix(256))
    guard let end = head.prefix(80).firstIndex(of: 0) else { return }
    let keyword = String(decoding: head[..<end], as: UTF8.self)
    if Captions.isKeyword(keyword) { return remove(chunk: payload) }
    if keyword == "XML:com.adobe.xmp", isInternational {
      // A flag for compression, its method, a language, the keyword's translation.
      let fields = end + 3
      guard fields <= head.count, head[end + 1] == 0, let language = head[fields...].firstIndex(of: 0),
        let translation = head[(language + 1)...].firstIndex(of: 0)
      else {
        lose(.xmp)
        return remove(chunk: payload)
      }
      let packet = payload.lowerBound + translation + 1..<payload.upperBound
      return change(chunk: payload) { $0.xmp([packet]) }
    }
    // ImageMagick's blocks in hexadecimal digits, usually compressed.
    let mark = "Raw profile type "
    guard keyword.hasPrefix(mark) else { return }
    switch keyword.dropFirst(mark.count).lowercased() {
    case "exif", "app1": lose(.exif)
    case "xmp": lose(.xmp)
    case "iptc", "8bim": lose(.iptc)
    default: return
    }
    remove(chunk: payload)
  }

  private mutating func remove(chunk payload: Range<Int>) {
    replace(payload.lowerBound - 8..<payload.upperBound + 4, by: [])
  }

  /// Changes the content of a chunk, and its checksum.
  private mutating func change(chunk payload: Range<Int>, _ make: (inout CaptionEditor) -> Void) {
    guard let data = changed(payload, make) else { return }
    let sum = Self.checksum(window.peek(payload.lowerBound - 4..<payload.lowerBound) + data)
    replace(
      payload.lowerBound..<payload.upperBound + 4,
      by: data + (0..<4).reversed().map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
  }

  /// The CRC-32 of ISO 3309, as in PNG.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }
}

// Format: GIF89a specification, chapters 17 to 26; XMP specification part 3, 1.1.2.
extension CaptionEditor {
  /// The length of the bytes after an XMP packet that lead readers of blocks to its end.
  private static let trailerLength = 258

  mutating func gif() {
    guard let flags = window.byte(at: 10) else { return }
    var position = 13 + Self.colorTable(flags)
    var blocksLeft = 1 << 22
    while let kind = window.byte(at: position), let label = window.byte(at: position + 1) {
      switch kind {
      case 0x2C:
        guard let flags = window.byte(at: position + 9) else { return }
        position = end(ofBlocks: position + 11 + Self.colorTable(flags), &blocksLeft)
      case 0x21:
        let next = end(ofBlocks: position + 2, &blocksLeft)
        let packet = position + 14..<max(position + 14, next - Self.trailerLength)
        if label == 0xFE {
          replace(position..<min(next, window.end), by: [])
        } else if label == 0xFF, window.has("XMP DataXMP", at: position + 3), !packet.isEmpty {
          xmp([packet])
        }
        position = next
      default: return
      }
      if blocksLeft <= 0 { return fail() }
    }
  }

  private static func colorTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  /// Returns the end of the data blocks from `start`.
  private mutating func end(ofBlocks start: Int, _ blocksLeft: inout Int) -> Int {
    var position = start
    while blocksLeft > 0, let length = window.byte(at: position) {
      blocksLeft -= 1
      position += 1 + Int(length)
      if length == 0 { break }
    }
    return position
  }
}

// Formats: RFC 9649; Microsoft's AVI RIFF File Reference, with OpenDML's further RIFF lists.
extension CaptionEditor {
  /// Title, comment and subject in the list INFO of a video.
  private static let information: Set<Int> = [0x494E_414D, 0x4943_4D54, 0x4953_424A]

  mutating func riff(isVideo: Bool) {
    var position = 0
    for _ in 0..<100 where window.has("RIFF", at: position) {
      guard let length = window.littleEndian32(at: position + 4) else { return }
      let end = min(window.end, position + 8 + length)
      chunks(in: position + 12..<max(position + 12, end), isVideo: isVideo)
      if !isVideo { return }
      position = end + length & 1
    }
  }

  /// - Parameter isInformation: whether it is the list INFO of a video, which contains no further one.
  private mutating func chunks(in range: Range<Int>, isVideo: Bool, isInformation: Bool = false) {
    var position = range.lowerBound
    for _ in 0..<1 << 16 where position + 8 <= range.upperBound {
      window.seek(position, 12)
      guard let kind = window.bigEndian32(at: position), let length = window.littleEndian32(at: position + 4)
      else { return }
      let content = position + 8..<position + 8 + length
      guard content.upperBound <= range.upperBound else { return }
      switch kind {
      case 0x4558_4946 where !isVideo:  // EXIF
        exif(
          (window.has("Exif\0\0", at: content.lowerBound) ? content.lowerBound + 6 : content.lowerBound)..<content
            .upperBound)
      case 0x584D_5020 where !isVideo, 0x5F50_4D58 where isVideo: xmp([content])  // "XMP " and _PMX
      case 0x4C49_5354 where isVideo && !isInformation && window.has("INFO", at: content.lowerBound):  // LIST
        chunks(in: content.lowerBound + 4..<content.upperBound, isVideo: isVideo, isInformation: true)
      case let kind where isVideo && Self.information.contains(kind) && hasText(content):
        replace(position..<position + 4, by: Array("JUNK".utf8))
        blank(content)
      default: break
      }
      position = content.upperBound + length & 1
    }
  }
}
