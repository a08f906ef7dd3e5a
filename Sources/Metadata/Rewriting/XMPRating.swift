/// Reads and sets the rating in the text of an XMP sidecar, and keeps every other byte.
///
/// Other programs wrote the text: parsing and serializing it would reorder or drop their data. So only the
/// values of `xmp:Rating` are located and replaced, or a position for a new one. This code runs in tpick
/// itself, where no library written in C may parse foreign bytes; hence the small scanner below. Format: XMP
/// specification part 1, chapter 7, and XML 1.0 without a document type.
package enum XMPRating {
  /// The maximum size of a sidecar in bytes; longer ones are refused.
  package static let maximumLength = 1 << 24

  /// Why the rating can't be set.
  package enum Failure: Error, Hashable {
    /// The text is not well formed, declares a document type, or is not in a superset of ASCII.
    case notXML
    /// The text has no RDF description to which a rating could be added.
    case noDescription
  }

  /// Returns the text with another rating.
  ///
  /// Replaces the value of every rating, whether it is an attribute or an element. If there is none, adds an
  /// attribute to the first description.
  /// - Parameters:
  ///   - rating: from -1 (rejected) to 5.
  ///   - sidecar: the bytes of the file; nil = create a new sidecar.
  /// - Throws: `Failure` if the text is invalid, or has no place for a rating.
  package static func setting(_ rating: Int, in sidecar: [UInt8]?) throws(Failure) -> [UInt8] {
    guard let sidecar else { return Array(newSidecar(rating).utf8) }
    guard sidecar.count <= maximumLength, !sidecar.contains(0) else { throw .notXML }
    let places = try places(in: sidecar)
    var text = sidecar
    let value = Array("\(rating)".utf8)
    if places.values.isEmpty {
      guard let (place, prefix, isDeclared) = places.insertion else { throw .noDescription }
      let declaration = isDeclared ? "" : " xmlns:\(prefix)=\"\(xmpSpace)\""
      text.insert(contentsOf: Array("\(declaration) \(prefix):Rating=\"\(rating)\"".utf8), at: place)
    } else {
      for range in places.values.reversed() { text.replaceSubrange(range, with: value) }
    }
    return text
  }

  /// Returns the rating in a sidecar; nil if there is none, or it is not a number from -1 to 5.
  ///
  /// The last one counts, as in the metadata reader.
  /// - Throws: `Failure` if the text is invalid, or has no place for a rating.
  package static func rating(in sidecar: [UInt8]) throws(Failure) -> Int? {
    guard sidecar.count <= maximumLength, !sidecar.contains(0) else { throw .notXML }
    return try places(in: sidecar).values.last.flatMap { range in
      let text = String(decoding: sidecar[range], as: UTF8.self).filter { !$0.isWhitespace }
      return Double(text).flatMap { (-1...5).contains($0) ? Int($0.rounded()) : nil }
    }
  }

  private static let xmpSpace = "http://ns.adobe.com/xap/1.0/"
  private static let rdfSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private static func newSidecar(_ rating: Int) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(rdfSpace)">
      <rdf:Description rdf:about="" xmlns:xmp="\(xmpSpace)" xmp:Rating="\(rating)"/>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>

    """
  }

  /// The positions of the ratings in the text, and where one can be inserted.
  private struct Places {
    /// The values of the ratings, in the order of the text.
    var values: [Range<Int>] = []
    /// The end of the first description's attributes, a prefix for XMP's namespace, and whether the prefix is
    /// declared there.
    var insertion: (place: Int, prefix: String, isDeclared: Bool)?
  }

  /// An open element, with the namespaces of its prefixes.
  private struct Element {
    var name: String
    var prefixes: [String: String]
  }

  private static func places(in text: [UInt8]) throws(Failure) -> Places {
    var scanner = XMLTags(text)
    var places = Places()
    var open: [Element] = []
    var rdfDepth: Int?
    /// The start of the value in the open rating element; nil outside of one.
    var valueStart: Int?
    var hasRoot = false
    while let tag = try nextTag(of: &scanner) {
      switch tag.kind {
      case .end:
        guard let element = open.popLast(), element.name == tag.name else { throw .notXML }
        if let start = valueStart {
          places.values.append(start..<tag.range.lowerBound)
          valueStart = nil
        }
        if rdfDepth == open.count { rdfDepth = nil }
      case .start, .empty:
        if open.isEmpty {
          if hasRoot { throw .notXML }
          hasRoot = true
        }
        // A rating is a number: an element inside is an error.
        if valueStart != nil { throw .notXML }
        var prefixes = open.last?.prefixes ?? [:]
        for attribute in tag.attributes {
          let uri = String(decoding: text[attribute.value], as: UTF8.self)
          if attribute.name == "xmlns" { prefixes[""] = uri }
          if attribute.name.hasPrefix("xmlns:") { prefixes[String(attribute.name.dropFirst(6))] = uri }
        }
        // Reject undeclared prefixes: the declaration that is inserted for the rating could give them a
        // meaning.
        for name in [tag.name] + tag.attributes.map(\.name) {
          let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
          if parts.count == 2, !["xml", "xmlns"].contains(parts[0]), prefixes[String(parts[0])] == nil {
            throw .notXML
          }
        }
        let depth = open.count
        if rdfDepth == nil, name(tag.name, prefixes, is: "RDF", in: rdfSpace) { rdfDepth = depth }
        if let rdfDepth, depth == rdfDepth + 1 {
          // Attributes without a prefix are in no namespace.
          for attribute in tag.attributes
          where attribute.name.contains(":") && name(attribute.name, prefixes, is: "Rating", in: xmpSpace) {
            places.values.append(attribute.value)
          }
          if places.insertion == nil, name(tag.name, prefixes, is: "Description", in: rdfSpace) {
            // Of several always the same, so that equal sidecars get equal edits.
            let declared = prefixes.filter { $0.value == xmpSpace && !$0.key.isEmpty }.keys.min()
            let free = ["xmp", "xap", "tpickxmp"].first { prefixes[$0] == nil } ?? "xmprating"
            places.insertion = (tag.attributesEnd, declared ?? free, declared != nil)
          }
        }
        if let rdfDepth, depth == rdfDepth + 2, name(tag.name, prefixes, is: "Rating", in: xmpSpace) {
          // An empty element has no place for a value.
          if tag.kind == .empty { throw .noDescription }
          valueStart = tag.range.upperBound
        }
        if tag.kind == .start { open.append(Element(name: tag.name, prefixes: prefixes)) }
      }
    }
    if !open.isEmpty || !hasRoot { throw .notXML }
    return places
  }

  private static func nextTag(of tags: inout XMLTags) throws(Failure) -> XMLTags.Tag? {
    do throws(XMLTags.Malformed) { return try tags.next() } catch { throw .notXML }
  }

  /// Whether a qualified name stands for the local name in the namespace.
  private static func name(
    _ name: String, _ prefixes: [String: String], is local: String, in space: String
  ) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.last.map(String.init) == local
      && prefixes[parts.count == 2 ? String(parts[0]) : ""] == space
  }
}
