import CXML

/// Reads an XMP packet: RDF in XML, as it comes, without a tree.
///
/// Format: XMP specification part 1, chapter 7: a property is an attribute of a description or an element in
/// it, a list's values are `rdf:li`. Documents that declare a type of their own, and with it entities, are
/// refused.
enum XMPReader {
  /// Longer packets are left alone; extended XMP with a depth map takes a few million bytes.
  static let longestPacket = 1 << 24

  /// Adds what `packet` says to `facts`; what stands before a defect of it counts.
  static func read(_ packet: [UInt8], into facts: inout XMPFacts?) {
    guard packet.count <= longestPacket, let last = lastLetter(of: packet) else { return }
    let collector = XMPCollector(facts ?? XMPFacts())
    _ = XMPParser.parse(packet, count: last + 1, handlers, user: collector)
    if !collector.isRefused { facts = collector.facts }
  }

  /// Where the document ends: behind it come a few thousand blanks as room for changes, the mark of the
  /// packet's end, and with some writers a NUL.
  private static func lastLetter(of packet: [UInt8]) -> Int? {
    guard let last = packet.lastIndex(where: { $0 > 0x20 }) else { return nil }
    guard let mark = packet[...last].lastIndex(of: UInt8(ascii: "<")),
      packet[mark...].starts(with: "<?xpacket end".utf8)
    else { return last }
    return packet[..<mark].lastIndex { $0 > 0x20 }
  }

  private static func collector(_ user: UnsafeMutableRawPointer?) -> XMPCollector? {
    user.map { Unmanaged<XMPCollector>.fromOpaque($0).takeUnretainedValue() }
  }

  private static var handlers: xml_handlers {
    xml_handlers(
      start: startElement, end: { user, _ in XMPReader.collector(user)?.end() }, characters: characters,
      document_type: { user in
        XMPReader.collector(user)?.refuse()
        xml_stop()
      })
  }

  private static let startElement: XMPParser.StartHandler = { user, name, attributes in
    guard let collector = collector(user), let name else { return }
    collector.start(XMPName(letters(name)))
    guard var next = attributes else { return }
    while let name = next[0], let value = next[1] {
      if let name = XMPName(letters(name)) {
        collector.attribute(name, letters(value))
      }
      next += 2
    }
  }

  private static let characters: XMPParser.TextHandler = { user, text, count in
    guard let text, count > 0 else { return }
    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
      collector(user)?.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }

  private static func letters(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
    var count = 0
    while text[count] != 0 { count += 1 }
    return UnsafeRawBufferPointer(start: text, count: count).assumingMemoryBound(to: UInt8.self)
  }
}
