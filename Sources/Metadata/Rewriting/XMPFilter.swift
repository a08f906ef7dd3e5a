import CXML

/// Rewrites an XMP packet with the properties that a policy keeps.
///
/// If locations are removed, the qualifiers and fields of a property are kept only if they are also known to
/// be harmless. Format: XMP specification part 1, chapter 7.
package enum XMPFilter {
  /// Returns the packet with its wrapper; empty if no property is left, or if it can't be parsed.
  static func filtered(_ packet: [UInt8], by policy: MetadataPolicy) -> [UInt8] {
    filtered([packet], by: policy).packet
  }

  /// Merges several packets, and returns whether all of them could be parsed; a packet that can't be parsed
  /// is dropped completely.
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

  /// Splits a packet in two: a standard packet that fits into a JPEG segment, and an extended packet.
  /// - Parameters:
  ///   - most: the maximum size of the standard packet in bytes.
  ///   - digest: returns the digest by which the standard packet refers to the extended one.
  /// - Returns: nil if the packet can't be parsed.
  package static func split(
    _ packet: [UInt8], most: Int, digest: ([UInt8]) -> String
  ) -> (standard: [UInt8], extended: [UInt8])? {
    let writer = XMPWriter(MetadataPolicy())
    guard read(packet, writer) else { return nil }
    let all = writer.properties
    writer.properties = []
    // Leave room for the property that refers to the extended packet.
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

  /// Returns a packet that also says that the file ends with an MP4: Google's Motion Photo format 1.0, and the
  /// offset of its predecessor, which older programs read.
  /// - Parameters:
  ///   - packet: the properties of the still image; empty = there are none.
  ///   - byteCount: the length of the MP4.
  ///   - time: the time of the frame of the MP4 that is the still image, in microseconds; nil = none is.
  static func packet(_ packet: [UInt8], announcingVideoOf byteCount: Int, at time: Int? = nil) -> [UInt8] {
    let writer = XMPWriter(MetadataPolicy())
    if !read(packet, writer) {
      writer.properties = []
      writer.reset()
    }
    func camera(_ name: String, _ value: Int) -> String {
      "<GCamera:\(name) xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\">\(value)</GCamera:\(name)>"
    }
    func item(_ type: String, _ semantic: String, _ length: Int) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"\(type)\" Item:Semantic=\"\(semantic)\""
        + " Item:Length=\"\(length)\" Item:Padding=\"0\"/></rdf:li>"
    }
    let spaces =
      "xmlns:Container=\"http://ns.google.com/photos/1.0/container/\""
      + " xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\""
    // They come first, so that they stay in the standard packet.
    writer.properties.insert(
      contentsOf: [
        camera("MotionPhoto", 1), camera("MotionPhotoVersion", 1),
        camera("MotionPhotoPresentationTimestampUs", time ?? -1), camera("MicroVideo", 1),
        camera("MicroVideoVersion", 1), camera("MicroVideoOffset", byteCount),
        time.map { camera("MicroVideoPresentationTimestampUs", $0) } ?? "",
        "<Container:Directory \(spaces)><rdf:Seq>\(item("image/jpeg", "Primary", 0))"
          + "\(item("video/mp4", "MotionPhoto", byteCount))</rdf:Seq></Container:Directory>",
      ], at: 0)
    return writer.packet
  }

  /// Passes the properties of a packet to a writer.
  /// - Returns: whether the whole packet could be parsed.
  private static func read(_ packet: [UInt8], _ writer: XMPWriter) -> Bool {
    guard !packet.isEmpty, packet.count <= XMPReader.longestPacket else { return packet.isEmpty }
    let end = packet.lastIndex { $0 > 0x20 } ?? packet.count - 1
    return XMPParser.parse(packet, count: end + 1, handlers, user: writer)
  }

  private static var handlers: xml_handlers {
    // Reject document types: their entities would have to be rewritten.
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

/// Collects the properties of a packet that are kept.
///
/// A class, because the parser passes a pointer to it; its lifetime is that of one parse.
private final class XMPWriter {
  private let policy: MetadataPolicy
  /// The properties that are kept, each as an element.
  var properties: [String] = []
  private var body = ""
  private var prefixes: [String: String] = [:]
  private var depth = 0
  private var rdfDepth: Int?
  /// The names of the open elements.
  private var open: [String] = []
  /// The depth of a removed element inside a property that is kept.
  private var skippedDepth: Int?

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let xml = "http://www.w3.org/XML/1998/namespace"

  init(_ policy: MetadataPolicy) {
    self.policy = policy
  }

  var packet: [UInt8] { properties.isEmpty ? [] : wrapper(of: properties.joined()) }

  /// Discards the partial state of a packet that can't be parsed.
  func reset() { (body, depth, rdfDepth, open, skippedDepth) = ("", 0, nil, [], nil) }

  /// Returns a complete packet around properties.
  func wrapper(of body: String) -> [UInt8] {
    Array(
      ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\(document(of: body))<?xpacket end=\"r\"?>")
        .utf8)
  }

  /// Returns the document of a packet, without the packet's processing instructions.
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
      // Simple properties may be attributes of the description.
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
    } else if !mayRemainInside(name) {
      skippedDepth = depth
      return
    }
    let tag = tag(of: name)
    open.append(tag)
    body += "<\(tag)"
    for (name, value) in attributes where mayRemainInside(name) {
      body += " \(self.tag(of: name))=\"\(Self.escaped(value))\""
    }
    body += ">"
  }

  private func mayRemainInside(_ name: String) -> Bool {
    XMPProperty(name)?.mayRemainInside(under: policy) ?? (policy.stripping == .nothing)
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

  /// Returns the name with the prefix of its namespace in this packet.
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

/// An XMP property, given by its namespace and name, and whether it may be copied.
private struct XMPProperty: Hashable {
  var space: String
  var name: String

  /// Splits a name as the parser passes it: the namespace, a space, the local name.
  init?(_ name: String) {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    space = String(name[..<blank])
    self.name = String(name[name.index(after: blank)...])
  }

  static func prefix(of space: String) -> String? { plain[space]?.prefix }

  func mayStay(under policy: MetadataPolicy) -> Bool {
    if Self.isRDF(space) || isOfFile || policy.newSize != nil && isOfPixels { return false }
    if policy.removesCaptions, isCaption { return false }
    switch policy.stripping {
    case .nothing: return true
    case .location: return Self.plain[space]?.mayStay(name) ?? false
    case .all: return false
    }
  }

  /// Whether it may be kept as a qualifier or a field of a property that is kept.
  func mayRemainInside(under policy: MetadataPolicy) -> Bool {
    if policy.removesCaptions, isCaption { return false }
    return policy.stripping == .nothing || Self.isRDF(space) || mayStay(under: policy)
      || space == "http://ns.adobe.com/exif/1.0/" && Self.fieldsOfFlash.contains(name)
  }

  private var isCaption: Bool { Captions.properties.contains("\(space) \(name)") }

  private static let fieldsOfFlash: Set<String> = ["Fired", "Return", "Mode", "Function", "RedEyeMode"]

  private static func isRDF(_ space: String) -> Bool {
    space == "http://www.w3.org/1999/02/22-rdf-syntax-ns#" || space == "http://www.w3.org/XML/1998/namespace"
  }

  /// Whether it describes other images and videos in the same file, which are not copied, or links packets.
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

  /// Whether it is no longer true for new pixels.
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
    /// The properties that are kept; nil = all except `left`.
    var kept: Set<String>?
    var left: Set<String> = []

    func mayStay(_ name: String) -> Bool {
      if let kept { return kept.contains(name) }
      return !left.contains(name)
    }
  }

  /// The namespaces whose properties are known well enough to tell which ones can contain a location.
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
