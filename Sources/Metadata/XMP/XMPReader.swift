import CXML

/// Parses an XMP packet (RDF in XML) as a stream, without building a tree.
///
/// Format: XMP specification part 1, chapter 7: a property is an attribute or a child element of a
/// description; the values of a list are `rdf:li`. Documents that declare a document type, and with it
/// entities, are rejected.
enum XMPReader {
  /// The maximum size of a packet in bytes.
  ///
  /// Extended XMP with a depth map has a few million bytes.
  static let longestPacket = 1 << 24

  /// Adds the properties in `packet` to `facts`; properties before a syntax error count.
  static func read(_ packet: [UInt8], into facts: inout XMPFacts?) {
    guard packet.count <= longestPacket, let last = documentEnd(of: packet) else { return }
    let collector = XMPCollector(facts ?? XMPFacts())
    _ = XMPParser.parse(packet, count: last + 1, handlers, user: collector)
    if !collector.isRefused { facts = collector.facts }
  }

  /// Returns the end of the document, which a few thousand spaces for edits, the end marker of the packet,
  /// and from some writers a NUL may follow.
  private static func documentEnd(of packet: [UInt8]) -> Int? {
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

/// Runs the XML parser on a packet, with a memory limit that valid packets of the same length don't reach.
enum XMPParser {
  typealias StartHandler =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Void
  typealias TextHandler = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32) -> Void

  /// The memory that a parser needs for the shortest packet, with a margin.
  private static let least = 1 << 20

  /// The salt that makes the hashes of names unpredictable; sharing it saves a system call per packet.
  private static let salt = (0..<16).map { _ in UInt8.random(in: 0...UInt8.max) }

  /// Parses the first `count` bytes of a packet as a complete document.
  /// - Parameter user: the object that handlers receive; it is retained until the end.
  /// - Returns: whether the document is valid; the handlers were called for everything before an error.
  static func parse(_ packet: [UInt8], count: Int, _ handlers: xml_handlers, user: AnyObject) -> Bool {
    withExtendedLifetime(user) {
      withUnsafePointer(to: handlers) { handlers in
        packet.withUnsafeBytes { bytes in
          // The text is stored once, in blocks of twice the length; in addition there is an entry for each
          // attribute.
          xml_parse(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 8 * packet.count + least,
            salt, handlers, Unmanaged.passUnretained(user).toOpaque())
        }
      }
    }
  }
}

/// Tracks the elements of an XMP packet and collects its properties.
///
/// A class, because the parser passes a pointer to it; its lifetime is that of one parse.
private final class XMPCollector {
  private(set) var facts: XMPFacts
  /// Whether the document declares a document type, and thus possibly entities.
  private(set) var isRefused = false

  private var depth = 0
  /// The depth of the RDF element; descriptions are one level deeper, their properties two, structures more.
  private var rdfDepth: Int?
  /// The property that is being parsed.
  private var property: XMPName?
  /// The element whose text is being collected.
  private var open: XMPName?
  private var text: [UInt8] = []
  private var isDefaultLanguage = false
  /// The depth of the list item whose structure is being parsed; lists inside it start no new structure.
  private var structureDepth: Int?
  private var region: (name: String?, type: String?)
  private var item = MotionClaim.Item()

  private static let longestText = 1 << 16
  private static let mostValues = 1000

  init(_ facts: XMPFacts) {
    self.facts = facts
  }

  func refuse() {
    isRefused = true
  }

  func start(_ name: XMPName?) {
    depth += 1
    text.removeAll(keepingCapacity: true)
    open = nil
    guard let rdfDepth else {
      if name == .rdf { self.rdfDepth = depth }
      return
    }
    if depth == rdfDepth + 2 { property = name }
    guard property != nil else { return }
    open = name
    guard name == .item else { return }
    isDefaultLanguage = false
    if structureDepth == nil {
      structureDepth = depth
      region = (nil, nil)
      item = MotionClaim.Item()
    }
  }

  func attribute(_ name: XMPName, _ value: UnsafeBufferPointer<UInt8>) {
    guard let rdfDepth else { return }
    if name == .language {
      isDefaultLanguage = value.elementsEqual("x-default".utf8)
    } else if depth == rdfDepth + 1 {
      take(name, value)
    } else if property != nil {
      takeField(name, value)
    }
  }

  func characters(_ letters: UnsafeBufferPointer<UInt8>) {
    guard open != nil, text.count + letters.count <= Self.longestText else { return }
    text.append(contentsOf: letters)
  }

  func end() {
    if let rdfDepth {
      if let open, let property {
        text.withUnsafeBufferPointer { value in
          if depth == rdfDepth + 2 || open == .item {
            take(property, value)
          } else {
            takeField(open, value)
          }
        }
      }
      if depth == structureDepth {
        endStructure()
        structureDepth = nil
      }
      if depth == rdfDepth + 2 { property = nil }
      if depth == rdfDepth { self.rdfDepth = nil }
    }
    open = nil
    text.removeAll(keepingCapacity: true)
    depth -= 1
  }

  private func endStructure() {
    switch property {
    case .regions:
      // Pets, focus points and bar codes have regions too.
      if let name = region.name, region.type == nil || region.type == "Face" { addPerson(name) }
    case .directory where facts.motion.items.count < Self.mostValues:
      facts.motion.items.append(item)
    default: break
    }
  }

  /// Processes the value of a property, or one of several values.
  private func take(_ name: XMPName, _ value: UnsafeBufferPointer<UInt8>) {
    // The presence of these properties is sufficient, regardless of the length of the value.
    if name == .depthMap { facts.hints.insert(.depthMap) }
    if name == .gainMap { facts.hints.insert(.gainMap) }
    guard value.count <= Self.longestText, let text = Self.text(value) else { return }
    switch name {
    case .rating:
      if let stars = Double(text), (-1...5).contains(stars) { facts.rating = Int(stars.rounded()) }
    case .title: if facts.title == nil || isDefaultLanguage { facts.title = text }
    case .description: if facts.caption == nil || isDefaultLanguage { facts.caption = text }
    case .subject: add(text, to: &facts.keywords)
    case .hierarchicalSubject:
      add(text.split(separator: "|").last.map(String.init) ?? text, to: &facts.leafKeywords)
    case .personInImage: addPerson(text)
    case .make: facts.make = text
    case .model: facts.model = text
    case .lens: facts.lens = facts.lens ?? text
    case .originalTime: facts.originalTime = CivilTime(iso8601: text)
    case .createTime: facts.createTime = CivilTime(iso8601: text)
    case .dateCreated: facts.dateCreated = CivilTime(iso8601: text)
    case .satelliteTime: facts.satelliteTime = CivilTime(iso8601: text)
    case .latitude: facts.latitude = XMPFacts.Angle(text)
    case .latitudeSide: facts.latitudeSide = text
    case .longitude: facts.longitude = XMPFacts.Angle(text)
    case .longitudeSide: facts.longitudeSide = text
    case .altitude: facts.altitude = XMPFacts.rational(text)
    case .altitudeReference: facts.isBelowSea = ["1", "3"].contains(text)
    case .panorama: facts.hints.insert(.panorama)
    case .extendedPacket: facts.extendedIdentifier = text
    case .motionPhoto, .microVideo: if text == "1" { facts.motion.isClaimed = true }
    case .microVideoOffset: facts.motion.microVideoOffset = Int(text)
    default: break
    }
  }

  /// Processes a field of a structure.
  private func takeField(_ name: XMPName, _ value: UnsafeBufferPointer<UInt8>) {
    guard structureDepth != nil, value.count <= Self.longestText, let text = Self.text(value) else { return }
    switch (property, name) {
    case (.regions, .regionName): region.name = region.name ?? text
    case (.regions, .regionType): region.type = region.type ?? text
    case (.regionInfo, .personName): addPerson(text)
    case (.directory, .itemSemantic): item.semantic = text
    case (.directory, .itemLength): item.length = max(0, Int(text) ?? 0)
    case (.directory, .itemPadding): item.padding = max(0, Int(text) ?? 0)
    default: break
    }
  }

  private func addPerson(_ name: String) {
    if !facts.people.contains(name) { add(name, to: &facts.people) }
  }

  private func add(_ value: String, to list: inout [String]) {
    if list.count < Self.mostValues { list.append(value) }
  }

  private static func text(_ value: UnsafeBufferPointer<UInt8>) -> String? {
    guard let low = value.firstIndex(where: { $0 > 0x20 }), let high = value.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    return String(decoding: UnsafeBufferPointer(rebasing: value[low...high]), as: UTF8.self)
  }
}
