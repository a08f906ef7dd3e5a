// XMP packets, in sidecars and in pictures (XMP specification part 1, chapter 7).
extension HostileFiles {
  /// The packets as sidecars, and the first, short ones as PNG chunks.
  static let packetFiles =
    packets.map { SeedFile($0, "xmp", $1) }
    + packets.filter { $1.count < 1 << 17 }.map { name, packet in
      SeedFile(
        "packet: \(name)", "png",
        PictureFiles.png(
          width: 8, height: 8,
          before: PictureFiles.pngText("XML:com.adobe.xmp", packet, isInternational: true)))
    }

  /// Packets that cost more than their size suggests.
  package static let packets: [(name: String, bytes: [UInt8])] = [
    ("entities of entities", loops), ("an entity of itself", loop),
    ("elements in elements", rdf(text("<dc:subject><rdf:Bag>") + repeated(text("<rdf:li>"), depth))),
    ("elements that end", rdf(nestedElements)),
    (
      "a list without an end", rdf(text("<dc:subject><rdf:Bag>") + repeated(text("<rdf:li>a</rdf:li>"), 3000))
    ),
    (
      "people without an end",
      rdf(
        text("<Iptc4xmpExt:PersonInImage><rdf:Bag>") + (0..<3000).flatMap { text("<rdf:li>\($0)</rdf:li>") })
    ),
    ("attributes without an end", rdf((0..<3000).flatMap { text("<dc:a\($0) ") + text("x=\"1\"/>") })),
    ("namespaces without an end", rdf((0..<1000).flatMap { text("<a:b xmlns:a=\"n\($0)\">") })),
    ("a long namespace of many elements", rdf(longSpace + repeated(text("<n:a/>"), 5000))),
    (
      "a long namespace of many attributes",
      rdf(longSpace + text("<n:a ") + (0..<2800).flatMap { text("n:b\($0)=\"\" ") } + text("/>"))
    ),
    ("character references", rdf(text("<dc:title><rdf:Alt><rdf:li>") + repeated(text("&#x10FFFF;"), 4000))),
    ("a comment without an end", rdf(text("<!--") + repeated([0x20], 4000))),
    ("UTF-16", [0xFF, 0xFE] + MetadataSegments.xmp(attributes: "xmp:Rating=\"4\"").flatMap { [$0, 0] }),
    (
      "numbers",
      MetadataSegments.xmp(
        attributes:
          "xmp:Rating=\"1e999\" exif:GPSLatitude=\"1e308,1e308,1e308N\" exif:GPSLongitude=\"nanE\" exif:GPSAltitude=\"1/0\""
      )
    ),
    ("blanks", [UInt8](repeating: 0x20, count: 60_000)),
    ("marks of the end", repeated(text("<?xpacket end"), 4000)),
  ]

  /// Packets of a million bytes that use a namespace name of half that length as often as possible: read naively they
  /// would take gigabytes, or quadratic time.
  package static let longPackets: [(name: String, bytes: [UInt8])] = {
    let space = text("<rdf:Description xmlns:n=\"") + repeated(text("u"), 500_000) + text("\"")
    return [
      ("elements of a long namespace", rdf(space + text(">") + repeated(text("<n:a/>"), 80_000))),
      (
        "attributes of a long namespace",
        rdf(space + (0..<50_000).flatMap { text(" n:b\($0)=\"\"") } + text("/>"))
      ),
    ]
  }()

  private static let longSpace =
    text("<rdf:Description xmlns:n=\"") + repeated(text("u"), 24_000) + text("\">")

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The beginning of a packet, with content in its description.
  private static func rdf(_ content: [UInt8]) -> [UInt8] {
    let packet = MetadataSegments.xmp(attributes: "xmp:Rating=\"4\"", elements: "@")
    guard let place = packet.lastIndex(of: UInt8(ascii: "@")) else { return packet }
    return packet[..<place] + content + packet[(place + 1)...]
  }

  private static let nestedElements =
    text("<dc:title>") + repeated(text("<rdf:li>"), depth) + text("x") + repeated(text("</rdf:li>"), depth)
    + text("</dc:title>")

  /// Each entity expands to ten of the previous one.
  private static let loops: [UInt8] = {
    let entities = (1...9).map { level in
      "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
    }
    return text("<!DOCTYPE x [<!ENTITY e0 \"lol\">\(entities.joined())]><x>&e9;</x>")
  }()

  private static let loop = text("<!DOCTYPE x [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><x>&a;</x>")
}
