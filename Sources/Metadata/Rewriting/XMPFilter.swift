import CXML

/// Writes an XMP packet again, with the properties that may stay.
///
/// Where the place goes, the qualifiers and fields of a property stay only if they are known as well. Format: XMP specification part 1,
/// chapter 7.
package enum XMPFilter {
  /// The packet with its wrapper; empty where nothing is left, or where it can't be read.
  static func filtered(_ packet: [UInt8], by policy: MetadataPolicy) -> [UInt8] {
    filtered([packet], by: policy).packet
  }

  /// One packet of several, and whether all of them could be read; what can't be read is left out as a whole.
  static func filtered(
    _ packets: [[UInt8]], by policy: MetadataPolicy
  ) -> (packet: [UInt8], isWhole: Bool) {
    let writer = XMPWriter(policy)
    var isWhole = true
    for packet in packets {
      let count = writer.properties.count
      if read(packet, writer) { continue }
      isWhole = false
      writer.properties.removeSubrange(count...)
      writer.reset()
    }
    return (writer.packet, isWhole)
  }

  /// A packet in two: one that a segment of a JPEG has room for, and what is in no segment of its own.
  /// - Parameters:
  ///   - most: the bytes of the first.
  ///   - digest: the letters that name the second one in the first.
  /// - Returns: nil where the packet can't be read.
  package static func split(
    _ packet: [UInt8], most: Int, digest: ([UInt8]) -> String
  ) -> (standard: [UInt8], extended: [UInt8])? {
    let writer = XMPWriter(MetadataPolicy())
    guard read(packet, writer) else { return nil }
    let all = writer.properties
    writer.properties = []
    // What names the other packet stands among the properties.
    var room = most - writer.wrapper(of: "").count - 200
    var (first, second): ([String], [String]) = ([], [])
    for property in all {
      if property.utf8.count <= room {
        room -= property.utf8.count
        first.append(property)
      } else {
        second.append(property)
      }
    }
    let extended = Array(writer.document(of: second.joined()).utf8)
    let space = "http://ns.adobe.com/xmp/note/"
    let link =
      "<xmpNote:HasExtendedXMP xmlns:xmpNote=\"\(space)\">\(digest(extended))</xmpNote:HasExtendedXMP>"
    return (writer.wrapper(of: first.joined() + link), extended)
  }

  /// Has a writer take what may stay of a packet.
  /// - Returns: whether all of it could be read.
  private static func read(_ packet: [UInt8], _ writer: XMPWriter) -> Bool {
    guard !packet.isEmpty, packet.count <= XMPReader.longestPacket else { return packet.isEmpty }
    let end = packet.lastIndex { $0 > 0x20 } ?? packet.count - 1
    return XMPParser.parse(packet, count: end + 1, handlers, user: writer)
  }

  private static var handlers: xml_handlers {
    // Entities would have to be written again.
    xml_handlers(
      start: start, end: { user, _ in XMPFilter.writer(user)?.end() }, characters: characters,
      document_type: { _ in xml_stop() })
  }

  private static func writer(_ user: UnsafeMutableRawPointer?) -> XMPWriter? {
    user.map { Unmanaged<XMPWriter>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let start: XMPParser.StartHandler = { user, name, attributes in
    guard let writer = writer(user), let name else { return }
    var found: [(String, String)] = []
    var next = attributes
    while let pair = next, let name = pair[0], let value = pair[1] {
      found.append((String(cString: name), String(cString: value)))
      next = pair + 2
    }
    writer.start(String(cString: name), found)
  }

  private static let characters: XMPParser.TextHandler = { user, text, count in
    guard let text, count > 0 else { return }
    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
      writer(user)?.characters(
        String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self))
    }
  }
}

/// Puts the properties of a packet together that may stay.
///
/// A class because the parser hands out a pointer to it; it lives as long as one parse.
private final class XMPWriter {
  private let policy: MetadataPolicy
  /// The properties that stay, each as an element.
  var properties: [String] = []
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

  var packet: [UInt8] { properties.isEmpty ? [] : wrapper(of: properties.joined()) }

  /// What was begun of a packet that can't be read is none of the next one's.
  func reset() { (body, depth, rdfDepth, open, skippedDepth) = ("", 0, nil, [], nil) }

  /// Properties with all that a packet has around them.
  func wrapper(of body: String) -> [UInt8] {
    Array(
      ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\(document(of: body))<?xpacket end=\"r\"?>")
        .utf8)
  }

  /// The same without the marks of a packet.
  func document(of body: String) -> String {
    let spaces = prefixes.sorted { $0.value < $1.value }
      .map { " xmlns:\($0.value)=\"\(Self.escaped($0.key))\"" }.joined()
    return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(Self.rdf)\">"
      + "<rdf:Description rdf:about=\"\"\(spaces)>\(body)</rdf:Description></rdf:RDF></x:xmpmeta>"
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
        properties.append("<\(tag)>\(Self.escaped(value))</\(tag)>")
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
      if open.isEmpty {
        properties.append(body)
        body = ""
      }
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

/// A property of XMP by its namespace and name: whether it may go along with a picture.
private struct XMPProperty: Hashable {
  var space: String
  var name: String

  /// Takes a name as the parser gives it: the namespace, a blank, the name within it.
  init?(_ name: String) {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    space = String(name[..<blank])
    self.name = String(name[name.index(after: blank)...])
  }

  static func prefix(of space: String) -> String? { plain[space]?.prefix }

  func mayStay(under policy: MetadataPolicy) -> Bool {
    if Self.isRDF(space) || isOfFile || policy.newSize != nil && isOfPixels { return false }
    switch policy.stripping {
    case .nothing: return true
    case .location: return Self.plain[space]?.mayStay(name) ?? false
    case .all: return false
    }
  }

  /// Whether it may stay as a qualifier or a field of one that does.
  func mayStayWithin(under policy: MetadataPolicy) -> Bool {
    policy.stripping == .nothing || Self.isRDF(space) || mayStay(under: policy)
      || space == "http://ns.adobe.com/exif/1.0/" && Self.fieldsOfFlash.contains(name)
  }

  private static let fieldsOfFlash: Set<String> = ["Fired", "Return", "Mode", "Function", "RedEyeMode"]

  private static func isRDF(_ space: String) -> Bool {
    space == "http://www.w3.org/1999/02/22-rdf-syntax-ns#" || space == "http://www.w3.org/XML/1998/namespace"
  }

  /// What it says of other pictures and videos in the same file, which don't go along, and how packets hang together.
  private var isOfFile: Bool {
    switch space {
    case "http://ns.google.com/photos/1.0/camera/", "http://ns.google.com/photos/1.0/container/",
      "http://ns.google.com/photos/dd/1.0/container/", "http://ns.google.com/photos/1.0/depthmap/",
      "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/1.0/audio/",
      "http://ns.google.com/photos/dd/1.0/device/", "http://ns.adobe.com/hdr-gain-map/1.0/",
      "http://ns.apple.com/HDRGainMap/1.0/", "http://ns.adobe.com/xmp/note/",
      "http://ns.adobe.com/camera-raw-settings/1.0/", "http://ns.adobe.com/xap/1.0/g/img/":
      true
    case "http://ns.adobe.com/xap/1.0/": name == "Thumbnails"
    default: false
    }
  }

  /// What is no longer true once the pixels are others.
  private var isOfPixels: Bool {
    switch space {
    case "http://ns.adobe.com/tiff/1.0/":
      !["Make", "Model", "Artist", "Copyright", "Software", "DateTime", "ImageDescription"].contains(name)
    case "http://ns.adobe.com/exif/1.0/":
      ["PixelXDimension", "PixelYDimension", "ColorSpace", "NativeDigest"].contains(name)
    case "http://ns.adobe.com/photoshop/1.0/": ["ColorMode", "ICCProfile"].contains(name)
    case "http://ns.google.com/photos/1.0/panorama/":
      !["ProjectionType", "UsePanoramaViewer"].contains(name)
    default: false
    }
  }

  private struct Space: Sendable {
    var prefix: String
    /// The properties that may stay; nil = all but `left`.
    var kept: Set<String>?
    var left: Set<String> = []

    func mayStay(_ name: String) -> Bool {
      if let kept { return kept.contains(name) }
      return !left.contains(name)
    }
  }

  /// The namespaces of which is known what in them can say where a picture was taken.
  private static let plain: [String: Space] = [
    "http://purl.org/dc/elements/1.1/": Space(prefix: "dc", left: ["coverage"]),
    "http://ns.adobe.com/xap/1.0/": Space(
      prefix: "xmp", kept: ["Rating", "Label", "CreateDate", "ModifyDate", "MetadataDate", "CreatorTool"]),
    "http://ns.adobe.com/xap/1.0/rights/": Space(prefix: "xmpRights"),
    "http://ns.adobe.com/photoshop/1.0/": Space(
      prefix: "photoshop",
      kept: [
        "DateCreated", "Headline", "Credit", "Source", "AuthorsPosition", "CaptionWriter", "Instructions",
        "TransmissionReference", "Urgency", "ColorMode", "ICCProfile",
      ]),
    "http://ns.adobe.com/lightroom/1.0/": Space(
      prefix: "lr", kept: ["hierarchicalSubject", "weightedFlatSubject"]),
    "http://ns.adobe.com/tiff/1.0/": Space(prefix: "tiff"),
    "http://ns.adobe.com/exif/1.0/aux/": Space(prefix: "aux"),
    "http://cipa.jp/exif/1.0/": Space(prefix: "exifEX"),
    "http://ns.adobe.com/exif/1.0/": Space(
      prefix: "exif",
      kept: [
        "ApertureValue", "BrightnessValue", "ColorSpace", "Contrast", "CustomRendered", "DateTimeDigitized",
        "DateTimeOriginal", "DigitalZoomRatio", "ExifVersion", "ExposureBiasValue", "ExposureMode",
        "ExposureProgram", "ExposureTime", "Flash", "FNumber", "FocalLength", "FocalLengthIn35mmFilm",
        "ISOSpeedRatings", "LightSource", "MaxApertureValue", "MeteringMode", "PixelXDimension",
        "PixelYDimension", "Saturation", "SceneCaptureType", "SensingMethod", "Sharpness",
        "ShutterSpeedValue", "SubjectDistance", "SubjectDistanceRange", "WhiteBalance",
      ]),
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": Space(
      prefix: "Iptc4xmpCore", kept: ["IntellectualGenre", "Scene", "SubjectCode", "AltTextAccessibility"]),
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": Space(
      prefix: "Iptc4xmpExt", kept: ["PersonInImage", "DigitalSourceType", "Event"]),
    "http://ns.google.com/photos/1.0/panorama/": Space(
      prefix: "GPano",
      left: ["PoseHeadingDegrees", "InitialViewHeadingDegrees", "FirstPhotoDate", "LastPhotoDate"]),
  ]
}
