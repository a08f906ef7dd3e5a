import CodecProtocol
import Testing

@testable import Metadata

/// Captions that are removed from files of each format, while everything else stays in its place.
@Suite struct CaptionEditsTests {
  /// A file with the word "Secret" in each place for a caption, if it has some, and "Kept" in others.
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    /// Whether the length of the file stays.
    var staysInPlace = true
    var file: @Sendable (_ hasCaptions: Bool) -> [UInt8]

    var testDescription: String { name }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Blocks

  private typealias Line = (tag: Int, type: Int, value: [UInt8])

  private static func directory(_ lines: [Line], at start: Int, next: Int = 0) -> [UInt8] {
    var table = little(lines.count, 2)
    var values: [UInt8] = []
    let end = start + 2 + 12 * lines.count + 4
    for line in lines {
      let count = line.type == 4 ? line.value.count / 4 : line.value.count
      table += little(line.tag, 2) + little(line.type, 2) + little(count, 4)
      if line.value.count > 4 {
        table += little(end + values.count, 4)
        values += line.value + [UInt8](repeating: 0, count: line.value.count % 2)
      } else {
        table += line.value + [UInt8](repeating: 0, count: 4 - line.value.count)
      }
    }
    return table + little(next, 4) + values
  }

  /// EXIF, or a TIFF file of one pixel.
  private static func tiff(_ hasCaptions: Bool, xmp: [UInt8]? = nil) -> [UInt8] {
    var main: [Line] = [(0x0100, 4, little(1, 4)), (0x0101, 4, little(1, 4))]
    if hasCaptions { main.append((0x010E, 2, text("Secret caption\0"))) }
    main.append((0x010F, 2, text("Kept make\0")))
    if let xmp { main.append((0x02BC, 1, xmp)) }
    main.append((0x8769, 4, little(2000, 4)))
    if hasCaptions { main.append((0x9C9B, 1, text("S\0e\0c\0r\0e\0t\0\0\0"))) }
    var photo: [Line] = [(0x9003, 2, text("2024:05:03 10:11:12\0"))]
    // A comment of blanks is none.
    photo.append((0x9286, 7, text("ASCII\0\0\0" + (hasCaptions ? "Secret" : "      "))))
    let head = text("II") + [42, 0] + little(8, 4) + directory(main, at: 8)
    return head + [UInt8](repeating: 0, count: 2000 - head.count) + directory(photo, at: 2000)
  }

  private static func xmp(_ hasCaptions: Bool) -> [UInt8] {
    let secrets = """
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Secret</rdf:li></rdf:Alt></dc:title>
      <d:description xmlns:d="http://purl.org/dc/elements/1.1/">Secret</d:description>
      """
    return text(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(hasCaptions ? "photoshop:Headline=\"Secret\"" : "")>
      \(hasCaptions ? secrets : "")<dc:rights>Kept</dc:rights>
      </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """)
  }

  private static func iptc(_ hasCaptions: Bool) -> [UInt8] {
    func dataset(_ number: UInt8, _ words: String) -> [UInt8] {
      [0x1C, 2, number] + big(words.utf8.count, 2) + text(words)
    }
    let secrets = [5, 105, 120, 122].flatMap { dataset($0, "Secret") }
    return dataset(25, "Kept") + (hasCaptions ? secrets : []) + dataset(80, "Kept")
  }

  // MARK: Files

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(payload.count + 2, 2) + payload
  }

  private static func jpeg(_ hasCaptions: Bool) -> [UInt8] {
    let datasets = iptc(hasCaptions)
    let resource =
      text("Photoshop 3.0\0" + "8BIM") + [4, 4, 0, 0] + big(datasets.count, 4) + datasets
      + [UInt8](repeating: 0, count: datasets.count % 2)
    let head =
      [0xFF, 0xD8] + segment(0xE1, text("Exif\0\0") + tiff(hasCaptions))
      + segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0") + xmp(hasCaptions)) + segment(0xED, resource)
    return head + (hasCaptions ? segment(0xFE, text("Secret")) : [])
      + segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [
        0x11, 0xFF, 0xD9,
      ]
      + text("Kept behind the picture")
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    big(data.count, 4) + text(kind) + data + big(Int(checksum(text(kind) + data)), 4)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  private static func png(_ hasCaptions: Bool) -> [UInt8] {
    let secrets =
      chunk("tEXt", text("Title\0Secret")) + chunk("zTXt", text("Comment\0\0Secret"))
      + chunk("iTXt", text("Description\0\0\0\0\0Secret"))
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", big(1, 4) + big(1, 4) + [8, 0, 0, 0, 0])
      + chunk("eXIf", tiff(hasCaptions)) + (hasCaptions ? secrets : []) + chunk("tEXt", text("Author\0Kept"))
      + chunk("iTXt", text("XML:com.adobe.xmp\0\0\0\0\0") + xmp(hasCaptions))
      + chunk("IDAT", [0x78, 1]) + chunk("IEND", [])
  }

  private static func gif(_ hasCaptions: Bool) -> [UInt8] {
    let trailer = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    return text("GIF89a") + [1, 0, 1, 0, 0, 0, 0]
      + (hasCaptions ? [0x21, 0xFE, 6] + text("Secret") + [0] : [])
      + [0x21, 0xFF, 11] + text("XMP DataXMP") + xmp(hasCaptions) + trailer
      + [0x21, 0xFF, 11] + text("NETSCAPE2.0") + [3, 1, 0, 0, 0]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0] + [0x21, 0x01, 4] + text("Kept") + [0, 0x3B]
  }

  private static func riff(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    text(kind) + little(data.count, 4) + data + [UInt8](repeating: 0, count: data.count % 2)
  }

  private static func webp(_ hasCaptions: Bool) -> [UInt8] {
    riff(
      "RIFF",
      text("WEBP") + riff("VP8X", [0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + riff("VP8L", [0x2F, 0, 0, 0, 0])
        + riff("EXIF", tiff(hasCaptions)) + riff("XMP ", xmp(hasCaptions)))
  }

  private static func avi(_ hasCaptions: Bool) -> [UInt8] {
    let secrets = riff("INAM", text("Secret")) + riff("ICMT", text("Secret"))
    return riff(
      "RIFF",
      text("AVI ") + riff("LIST", text("hdrlKept")) + riff("LIST", text("movi"))
        + riff("LIST", text("INFO") + (hasCaptions ? secrets : []) + riff("ISFT", text("Kept"))))
  }

  private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + kind.unicodeScalars.map { UInt8($0.value) } + content
  }

  private static func heic(_ hasCaptions: Bool) -> [UInt8] {
    func entry(_ item: Int, _ kind: String, _ rest: [UInt8]) -> [UInt8] {
      box("infe", [2, 0, 0, 0] + big(item, 2) + [0, 0] + text(kind) + rest)
    }
    let head = box("ftyp", text("heic") + big(0, 4) + text("mif1heic"))
    let (exif, packet) = (big(0, 4) + tiff(hasCaptions), xmp(hasCaptions))
    func file(_ start: Int) -> [UInt8] {
      let information = box(
        "iinf",
        [0, 0, 0, 0] + big(2, 2) + entry(1, "Exif", [0])
          + entry(2, "mime", [0] + text("application/rdf+xml\0")))
      func place(_ item: Int, _ parts: [(Int, Int)]) -> [UInt8] {
        big(item, 2) + [0, 0] + big(parts.count, 2) + parts.flatMap { big($0.0, 4) + big($0.1, 4) }
      }
      // The packet is in two parts.
      let second = start + exif.count
      let locations = box(
        "iloc",
        [0, 0, 0, 0, 0x44, 0] + big(2, 2) + place(1, [(start, exif.count)])
          + place(2, [(second, 300), (second + 300, packet.count - 300)]))
      let words = hasCaptions ? "en\0Secret\0Secret\0Kept\0" : "en\0\0\0Kept\0"
      let properties = box("iprp", box("ipco", box("udes", [0, 0, 0, 0] + text(words))))
      let handler = box("hdlr", [0, 0, 0, 0] + big(0, 4) + text("pict") + [UInt8](repeating: 0, count: 13))
      return head + box("meta", [0, 0, 0, 0] + handler + information + locations + properties)
        + box("mdat", exif + packet)
    }
    return file(file(0).count - exif.count - packet.count)
  }

  private static func movie(_ hasCaptions: Bool) -> [UInt8] {
    func value(_ words: String) -> [UInt8] { box("data", big(1, 4) + big(0, 4) + text(words)) }
    func key(_ name: String) -> [UInt8] { box("mdta", text(name)) }
    let handler = box(
      "hdlr", [UInt8](repeating: 0, count: 8) + text("mdta") + [UInt8](repeating: 0, count: 13))
    let keys = box(
      "keys",
      big(0, 4) + big(2, 4) + key("com.apple.quicktime.description") + key("com.apple.quicktime.make"))
    let described = hasCaptions ? box("\0\0\0\u{1}", value("Secret")) : []
    let list = box("meta", handler + keys + box("ilst", described + box("\0\0\0\u{2}", value("Kept"))))
    let free = box(
      "----", box("mean", big(0, 4) + text("x")) + box("name", big(0, 4) + text("COMMENT")) + value("Secret"))
    let tunes = box(
      "meta",
      [0, 0, 0, 0] + handler
        + box(
          "ilst",
          (hasCaptions ? box("\u{A9}nam", value("Secret")) + free : []) + box("\u{A9}too", value("Kept"))))
    let data = box(
      "udta", tunes + (hasCaptions ? box("\u{A9}cmt", text("Secret")) : []) + box("\u{A9}mod", text("Kept")))
    return box("ftyp", text("qt  ") + big(0, 4) + text("qt  ")) + box("moov", data + list)
      + box("mdat", text("Kept"))
  }

  private static func element(_ identifier: Int, _ content: [UInt8]) -> [UInt8] {
    let length = identifier < 0x100 ? 1 : identifier < 0x10000 ? 2 : identifier < 0x100_0000 ? 3 : 4
    return big(identifier, length) + [0x10 | UInt8(content.count >> 24), UInt8(content.count >> 16 & 255)]
      + big(content.count & 0xFFFF, 2) + content
  }

  private static func matroska(_ hasCaptions: Bool) -> [UInt8] {
    func tag(_ name: String, _ words: String) -> [UInt8] {
      element(0x7373, element(0x67C8, element(0x45A3, text(name)) + element(0x4487, text(words))))
    }
    let sum = element(0xBF, [1, 2, 3, 4])
    let secrets =
      tag("DESCRIPTION", "Secret \(String(repeating: ".", count: 200))") + tag("COMMENT", "Secret")
    return element(0x1A45_DFA3, element(0x4282, text("matroska")))
      + element(
        0x1853_8067,
        element(
          0x1549_A966,
          sum + (hasCaptions ? element(0x7BA9, text("Secret")) : []) + element(0x4D80, text("Kept")))
          + element(0x1F43_B675, text("\u{1}"))
          + element(0x1254_C367, sum + (hasCaptions ? secrets : []) + tag("ARTIST", "Kept")))
  }

  static let samples = [
    Sample(name: "JPEG", file: jpeg), Sample(name: "PNG", staysInPlace: false, file: png),
    Sample(name: "GIF", staysInPlace: false, file: gif), Sample(name: "WebP", file: webp),
    Sample(name: "TIFF", file: { tiff($0, xmp: xmp($0)) }), Sample(name: "HEIC", file: heic),
    Sample(name: "QuickTime", file: movie), Sample(name: "Matroska", file: matroska),
    Sample(name: "AVI", file: avi),
  ]

  // MARK: Tests

  private func edits(_ bytes: [UInt8]) -> CaptionEdits {
    CaptionEdits(in: MemoryByteSource(bytes), byteCount: bytes.count)
  }

  private func edited(_ bytes: [UInt8], _ captions: CaptionEdits) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for edit in captions.edits {
      result += bytes[position..<edit.range.lowerBound] + edit.bytes
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  private func count(_ word: String, in bytes: [UInt8]) -> Int {
    let word = Array(word.utf8)
    return bytes.indices.count { bytes[$0...].starts(with: word) }
  }

  @Test(arguments: samples) func `Captions are gone, all else is in its place`(sample: Sample) {
    let bytes = sample.file(true)
    #expect(count("Secret", in: bytes) > 0)
    let captions = edits(bytes)
    let result = edited(bytes, captions)
    #expect(captions.isComplete && captions.losses.isEmpty)
    #expect(count("Secret", in: result) == 0 && count("S\0e\0c\0r\0e\0t", in: result) == 0)
    #expect(count("Kept", in: result) == count("Kept", in: bytes))
    #expect(!sample.staysInPlace || result.count == bytes.count)
    // It is a file without captions.
    #expect(edits(result) == CaptionEdits())
    let before = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
    let after = MediaReader.read(from: MemoryByteSource(result), byteCount: result.count)
    guard case .media(let format, let old) = before, case .media(format, let new) = after else {
      Issue.record("\(after) in place of \(before)")
      return
    }
    #expect(new?.title == nil && new?.caption == nil && new?.userComment == nil)
    #expect(new?.captureTime == old?.captureTime && new?.storedSize == old?.storedSize)
    #expect(new?.make == old?.make && new?.rating == old?.rating && new?.keywords == old?.keywords)
  }

  @Test(arguments: samples) func `A file without captions is not changed`(sample: Sample) {
    #expect(edits(sample.file(false)) == CaptionEdits())
  }

  @Test(arguments: samples) func `A file that ends early is no danger`(sample: Sample) {
    let bytes = sample.file(true)
    for length in stride(from: 0, to: bytes.count, by: 37) {
      let part = Array(bytes[..<length])
      let captions = edits(part)
      var end = 0
      for edit in captions.edits {
        #expect(edit.range.lowerBound >= end && edit.range.upperBound <= length)
        end = edit.range.upperBound
      }
    }
  }

  @Test func `Boxes and lists inside each other without end are no danger`() {
    let depth = 200_000
    let boxes: [UInt8] = (0..<depth).flatMap { Self.big(8 * (depth - $0), 4) + Self.text("mpvd") }
    let head = Self.box("ftyp", Self.text("heic") + Self.big(0, 4) + Self.text("mif1heic"))
    #expect(edits(head + boxes) == CaptionEdits())
    let lists: [UInt8] = (0..<depth).flatMap {
      Self.text("LIST") + Self.little(12 * (depth - $0) - 8, 4) + Self.text("INFO")
    }
    #expect(edits(Self.riff("RIFF", Self.text("AVI ") + lists)) == CaptionEdits())
  }

  @Test func `Items of millions of parts are given up`() {
    func file(_ parts: Int) -> [UInt8] {
      let handler = Self.box(
        "hdlr", [0, 0, 0, 0] + Self.big(0, 4) + Self.text("pict") + [UInt8](repeating: 0, count: 13))
      let entry = Self.box("infe", [2, 0, 0, 0] + Self.big(1, 2) + [0, 0] + Self.text("Exif") + [0])
      // Offsets and lengths take no bytes: each part is the whole file.
      let places: [UInt8] = (1...41).flatMap {
        Self.big($0, 2) + [0, 0] + Self.big($0 == 1 ? 1 : parts, 2)
      }
      return Self.box("ftyp", Self.text("heic") + Self.big(0, 4) + Self.text("mif1heic"))
        + Self.box(
          "meta",
          [0, 0, 0, 0] + handler + Self.box("iinf", [0, 0, 0, 0] + Self.big(1, 2) + entry)
            + Self.box("iloc", [0, 0, 0, 0, 0, 0] + Self.big(41, 2) + places))
    }
    #expect(edits(file(1)).isComplete)
    #expect(!edits(file(65_535)).isComplete)
  }

  @Test func `More changes than can be transmitted are given up`() {
    let head = Self.text("GIF89a") + [1, 0, 1, 0, 0, 0, 0]
    let comments = [[UInt8]](repeating: [0x21, 0xFE, 0], count: 1_100_000).joined()
    let captions = edits(head + comments + [0x3B])
    #expect(!captions.isComplete)
    var wire = WireWriter()
    captions.write(to: &wire)
    #expect(wire.bytes.count <= CaptionEdits.mostBytes + 100)
  }

  @Test func `The checksums of changed chunks are true`() throws {
    let bytes = Self.png(true)
    let result = edited(bytes, edits(bytes))
    var position = 8
    while position < result.count {
      let length = result[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let sum = Self.checksum(Array(result[position + 4..<position + 8 + length]))
      #expect(Array(result[position + 8 + length..<position + 12 + length]) == Self.big(Int(sum), 4))
      position += 12 + length
    }
  }

  @Test func `A packet that can't be read is removed, and that is said`() {
    let packet = Array("<x:xmpmeta><dc:title>Secret</dc:title>".utf8)
    let bytes =
      [0xFF, 0xD8] + Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
      + Self.jpeg(false).dropFirst(2)
    let captions = edits(bytes)
    #expect(captions.losses == [.xmp] && captions.isComplete)
    #expect(count("Secret", in: edited(bytes, captions)) == 0)
  }

  @Test func `Changes are transmitted unchanged, and none reach beyond the file`() throws {
    var captions = edits(Self.jpeg(true))
    (captions.losses, captions.isComplete) = ([.xmp, .iptc], false)
    var wire = WireWriter()
    captions.write(to: &wire)
    func received(_ byteCount: Int) -> CaptionEdits? {
      var reader = WireReader(wire.bytes)
      return try? CaptionEdits(from: &reader, byteCount: byteCount)
    }
    let end = try #require(captions.edits.last).range.upperBound
    #expect(received(end) == captions)
    #expect(received(end - 1) == nil)
  }

  @Test(arguments: [MetadataPolicy.Stripping.nothing, .location])
  func `Metadata that is copied loses its captions if that is asked for`(stripping: MetadataPolicy.Stripping)
  {
    let file = Self.jpeg(true)
    let copy = MediaReader.metadata(from: MemoryByteSource(file), byteCount: file.count)
    for removes in [false, true] {
      let output = copy.output(MetadataPolicy(stripping: stripping, removesCaptions: removes))
      for block in [output.exif, output.xmp, output.iptc] {
        #expect((count("Secret", in: block) == 0) == removes)
        #expect(count("Kept", in: block) > 0)
      }
    }
  }
}
