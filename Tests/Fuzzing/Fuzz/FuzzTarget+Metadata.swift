import Fixtures
import Metadata
import Pixels

/// The metadata parsers.
extension FuzzTarget {
  static let metadata = [
    FuzzTarget(
      name: "head",
      words: ["Exif\0\0", "8BIM", "http://ns.adobe.com/xap/1.0/\0", "eXIf", "iTXt", "VP8X", "ftyp", "SEFT"],
      memory: { _ in 64 << 20 },
      seeds: {
        try heads() + HostileFiles.all.filter { $0.suffix != "xmp" && $0.bytes.count < 1 << 16 }.map(\.bytes)
      }
    ) { bytes in
      let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
      if case .media(_, let facts?) = reading {
        facts.show()
        if let range = facts.thumbnail { precondition(range.upperBound <= bytes.count) }
        if let range = facts.motionVideo { precondition(range.upperBound <= bytes.count) }
      }
      return true
    },
    FuzzTarget(
      name: "exif", words: ["II*\0", "MM\0*", "Apple iOS\0", "ASCII\0\0\0", "UNICODE\0"],
      seeds: { try structures() + HostileFiles.structures.map(\.1) }
    ) {
      bytes in
      var facts = MediaFacts()
      facts.merge(exif: bytes)
      facts.show()
      return true
    },
    FuzzTarget(
      name: "xmp",
      words: ["<rdf:li>", "</rdf:li>", "<?xpacket end=\"w\"?>", "rdf:parseType=\"Resource\"", "&#x41;"],
      seeds: { packets + HostileFiles.packets.map(\.bytes).filter { $0.count < 1 << 16 } }
    ) { bytes in
      var facts = MediaFacts()
      facts.merge(xmp: bytes)
      facts.merge(sidecar: bytes)
      var missing: Range<Int>?
      _ = MediaReader.motionVideo(
        claimedBy: bytes, from: MemoryByteSource(bytes), byteCount: bytes.count, missing: &missing)
      return true
    },
    FuzzTarget(name: "iptc", words: ["\u{1B}%G", "8BIM"], seeds: { [datasets] }) { bytes in
      var facts = MediaFacts()
      facts.merge(iptc: bytes)
      return true
    },
    FuzzTarget(
      name: "quicktime", words: tagNames + ["+38.7-009.1/", "2024-05-02T14:10:09+0200"], seeds: { [tags] }
    ) {
      bytes in
      // A line is a name and a value.
      var values: [String: String] = [:]
      for line in bytes.split(separator: 10) {
        let parts = line.split(separator: 61, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
        if parts.count == 2 { values[parts[0]] = parts[1] }
      }
      var facts = MediaFacts()
      facts.merge(quickTime: values, frameRate: Double(bytes.count))
      facts.show()
      return true
    },
  ]

  @Sendable static func heads() throws -> [[UInt8]] {
    var photo = TestPhoto(width: 16, height: 12, orientation: .leftBottom, date: .day(3))
    photo.setCamera()
    photo.thumbnail = TestPicture.make(width: 8, height: 6)
    let xmp = MetadataSegments.xmpSegment(packets[0])
    let text = PictureFiles.pngText("XML:com.adobe.xmp", packets[0], isInternational: true)
    let chunks = PictureFiles.pngChunk("eXIf", try structures()[0]) + text
    return [
      try photo.bytes(), MetadataSegments.jpeg(xmp + MetadataSegments.iptcSegment(datasets)),
      MetadataSegments.jpeg(xmp) + MetadataSegments.samsungTrailer(MetadataSegments.video),
      PictureFiles.png(width: 64, height: 48, before: chunks, behind: text),
      PictureFiles.gif(width: 4, height: 3, frames: 2),
      PictureFiles.webp(
        PictureFiles.webpExtended(width: 4, height: 3) + PictureFiles.webpLossy(width: 4, height: 3)
          + PictureFiles.webpChunk("XMP ", packets[0])),
      PictureFiles.webp(PictureFiles.webpLossless(width: 4, height: 3)),
      PictureFiles.bmp(width: 4, height: -3), PictureFiles.bmp(width: 4, height: 3, headerLength: 12),
      PictureFiles.jpegXL(width: 300, height: 200, orientation: 6),
      PictureFiles.jpegXLContainer(
        MediaBytes.box("jxlp", [0, 0, 0, 0] + PictureFiles.jpegXL(width: 300, height: 200))
          + MediaBytes.box("xml ", packets[0])),
      // 64-bit lengths: a mutator would need a length of 1 and an eight-byte number after it, at once.
      PictureFiles.jpegXLContainer(
        MediaBytes.largeBox("free", []) + MediaBytes.largeBox("Exif", [0, 0, 0, 0])
          + MediaBytes.largeBox("jxlc", PictureFiles.jpegXL(width: 300, height: 200))),
      TIFFFile(width: 40, height: 30).bytes(), TIFFFile(width: 40, height: 30).bigBytes, HandmadeDNG().bytes,
      HandmadeHEIC().bytes,
      HandmadeMovie().bytes,
    ]
  }

  @Sendable static func structures() throws -> [[UInt8]] {
    var place = TIFFFile()
    place.text(1, "S")
    place.block(2, [UInt8](repeating: 1, count: 24), type: 5)
    var note = TIFFFile()
    note.text(0x000B, "burst")
    note.text(0x0011, "content")
    note.long(0x000A, 3)
    var camera = TIFFFile()
    camera.text(0x9003, "2024:05:02 14:10:09")
    camera.text(0x9011, "+02:00")
    camera.short(0x8827, 200)
    camera.block(0x927C, Array("Apple iOS\0\0\u{1}II".utf8) + note.bytes().dropFirst(8))
    camera.block(0x9286, Array("UNICODE\0a\0b\0".utf8))
    var tiff = TIFFFile(width: 40, height: 30)
    tiff.text(0x010F, "Apple")
    tiff.block(0x9C9B, Array("t\0i\0\0\0".utf8), type: 1)
    tiff.directory(0x8769, camera)
    tiff.directory(0x8825, place)
    return [tiff.bytes(), Array("Exif\0\0".utf8) + tiff.bytes(), HandmadeDNG().bytes]
  }

  static let packets: [[UInt8]] = [
    MetadataSegments.xmp(
      attributes:
        #"xmp:Rating="4" Camera:MotionPhoto="1" Camera:MicroVideoOffset="64" exif:GPSLatitude="38,42.5N""#,
      elements: MetadataSegments.list("dc:subject", ["a", "b"])
        + "<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>T</rdf:li></rdf:Alt></dc:title>"
        + "<xmp:CreateDate>2024-05-02T14:10:09.5+02:00</xmp:CreateDate>"),
    MetadataSegments.xmp(
      attributes: #"Camera:MotionPhoto="1""#,
      elements: #"<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item "#
        + #"Item:Semantic="MotionPhoto" Item:Length="64" Item:Padding="2"/></rdf:li></rdf:Seq>"#
        + #"</Container:Directory><mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>"#
        + #"<rdf:li><rdf:Description mwg-rs:Name="Ada" mwg-rs:Type="Face"/></rdf:li></rdf:Bag>"#
        + #"</mwg-rs:RegionList></mwg-rs:Regions>"#),
  ]

  static let datasets =
    MetadataSegments.dataset(90, [0x1B, 0x25, 0x47], record: 1) + MetadataSegments.dataset(5, Array("T".utf8))
    + MetadataSegments.dataset(55, Array("20240502".utf8))
    + MetadataSegments.dataset(60, Array("141009+0200".utf8))
    + MetadataSegments.dataset(25, Array("key".utf8))

  private static let tagNames = [
    "com.apple.quicktime.creationdate=", "com.apple.quicktime.location.ISO6709=",
    "com.apple.quicktime.rating.user=",
    "com.apple.quicktime.keywords=", "location=", "creation_time=", "com.android.capture.fps=",
  ]

  private static let tags = Array(
    (zip(
      tagNames,
      [
        "2024-05-02T14:10:09+0200", "+38.7-009.1+10/", "4", "a,b", "+38.7-009.1/", "2024-05-02T14:10:09Z",
        "240",
      ]
    ).map { $0 + $1 }).joined(separator: "\n").utf8)
}
