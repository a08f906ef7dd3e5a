import CExpat

/// Writes an XMP packet again, with the properties that may stay.
///
/// Where the place goes, the qualifiers and fields of a property stay only if they are known as well. Format: XMP specification part 1,
/// chapter 7.
enum XMPFilter {
  /// The packet with its wrapper; empty where nothing is left, or where it can't be read.
  static func filtered(_ packet: [UInt8], by policy: MetadataPolicy) -> [UInt8] {
    guard !packet.isEmpty, packet.count <= XMPReader.longestPacket,
      let parser = XMPParser(for: packet)
    else { return [] }
    let writer = XMPWriter(policy)
    writer.parser = parser.handle
    let end = packet.lastIndex { $0 > 0x20 } ?? packet.count - 1
    let isWhole = withExtendedLifetime(writer) {
      XML_SetUserData(parser.handle, Unmanaged.passUnretained(writer).toOpaque())
      XML_SetElementHandler(parser.handle, start) { user, _ in XMPFilter.writer(user)?.end() }
      XML_SetCharacterDataHandler(parser.handle, characters)
      XML_SetStartDoctypeDeclHandler(parser.handle) { user, _, _, _, _ in
        // Entities would have to be written again.
        if let writer = XMPFilter.writer(user) { XML_StopParser(writer.parser, 0) }
      }
      return parser.parse(packet, count: end + 1)
    }
    return isWhole ? writer.packet : []
  }

  private static func writer(_ user: UnsafeMutableRawPointer?) -> XMPWriter? {
    user.map { Unmanaged<XMPWriter>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let start: XML_StartElementHandler = { user, name, attributes in
    guard let writer = writer(user), let name else { return }
    var found: [(String, String)] = []
    var next = attributes
    while let pair = next, let name = pair[0], let value = pair[1] {
      found.append((String(cString: name), String(cString: value)))
      next = pair + 2
    }
    writer.start(String(cString: name), found)
  }

  private static let characters: XML_CharacterDataHandler = { user, text, count in
    guard let text, count > 0 else { return }
    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
      writer(user)?.characters(
        String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self))
    }
  }
}

/// Puts the properties of a packet together that may stay.
///
/// A class because expat hands out a pointer to it; it lives as long as one parse.
private final class XMPWriter {
  private let policy: MetadataPolicy
  var parser: OpaquePointer?
  private var body = ""
  private var prefixes: [String: String] = [:]
  private var depth = 0
  private var rdfDepth: Int?
  /// The names of the elements that are written and not yet closed.
  private var open: [String] = []
  /// How deep an element stands that does not stay within a property that does.
  private var skippedDepth: Int?

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let xml = "http://www.w3.org/XML/1998/namespace"

  init(_ policy: MetadataPolicy) {
    self.policy = policy
  }

  var packet: [UInt8] {
    if body.isEmpty { return [] }
    let spaces = prefixes.sorted { $0.value < $1.value }
      .map { " xmlns:\($0.value)=\"\(Self.escaped($0.key))\"" }.joined()
    return Array(
      ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
        + "<rdf:RDF xmlns:rdf=\"\(Self.rdf)\"><rdf:Description rdf:about=\"\"\(spaces)>\(body)</rdf:Description>"
        + "</rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>").utf8)
  }

  func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    depth += 1
    guard let rdfDepth else {
      if name == "\(Self.rdf) RDF" { self.rdfDepth = depth }
      return
    }
    if depth == rdfDepth + 1 {
      // Simple properties may stand as attributes of the description.
      for (name, value) in attributes {
        guard let property = XMPProperty(name), property.mayStay(under: policy) else { continue }
        let tag = tag(of: name)
        body += "<\(tag)>\(Self.escaped(value))</\(tag)>"
      }
      return
    }
    if skippedDepth != nil { return }
    if open.isEmpty {
      guard depth == rdfDepth + 2, XMPProperty(name)?.mayStay(under: policy) ?? false else { return }
    } else if !mayStayWithin(name) {
      skippedDepth = depth
      return
    }
    let tag = tag(of: name)
    open.append(tag)
    body += "<\(tag)"
    for (name, value) in attributes where mayStayWithin(name) {
      body += " \(self.tag(of: name))=\"\(Self.escaped(value))\""
    }
    body += ">"
  }

  private func mayStayWithin(_ name: String) -> Bool {
    XMPProperty(name)?.mayStayWithin(under: policy) ?? (policy.stripping == .nothing)
  }

  func characters(_ text: String) {
    if !open.isEmpty, skippedDepth == nil { body += Self.escaped(text) }
  }

  func end() {
    if let skipped = skippedDepth {
      if skipped == depth { skippedDepth = nil }
    } else if let tag = open.popLast() {
      body += "</\(tag)>"
    }
    if depth == rdfDepth { rdfDepth = nil }
    depth -= 1
  }

  /// The name with the prefix that its namespace has here.
  private func tag(of name: String) -> String {
    guard let blank = name.lastIndex(of: " ") else { return name }
    let (space, local) = (String(name[..<blank]), name[name.index(after: blank)...])
    if space == Self.rdf { return "rdf:\(local)" }
    if space == Self.xml { return "xml:\(local)" }
    let prefix = prefixes[space] ?? XMPProperty.prefix(of: space) ?? "ns\(prefixes.count)"
    prefixes[space] = prefix
    return "\(prefix):\(local)"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\r", "\t", "\n": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
