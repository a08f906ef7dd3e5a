/// Finds the tags of an XML text and their places, one after the other.
///
/// For texts of which everything else must stay as it is; `XMPReader` reads what they mean.
struct XMLTags {
  /// The text is no XML, or has a document type, which may define entities.
  struct Malformed: Error {}

  struct Tag {
    enum Kind { case start, end, empty }

    var kind: Kind
    var name: String
    /// The range of the whole tag, including `<` and `>`.
    var range: Range<Int>
    /// The attributes; the ranges of the values exclude the quotes, `range` is that of the whole attribute.
    var attributes: [(name: String, value: Range<Int>, range: Range<Int>)] = []
    /// The position after the last attribute, or after the name if there is none.
    var attributesEnd: Int
  }

  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  /// Returns the next tag; nil at the end.
  ///
  /// Skips comments, processing instructions and CDATA.
  mutating func next() throws(Malformed) -> Tag? {
    while let start = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if skip("<!--", to: "-->") || skip("<?", to: "?>") || skip("<![CDATA[", to: "]]>") { continue }
      // An unterminated construct, or a document type, which may define entities.
      if position + 1 < text.count, [UInt8(ascii: "!"), UInt8(ascii: "?")].contains(text[position + 1]) {
        throw Malformed()
      }
      return try tag()
    }
    position = text.count
    return nil
  }

  private mutating func skip(_ opening: String, to closing: String) -> Bool {
    guard text[position...].starts(with: opening.utf8) else { return false }
    let closing = Array(closing.utf8)
    var index = position + opening.utf8.count
    while index + closing.count <= text.count {
      if text[index] == closing[0], text[index..<index + closing.count].elementsEqual(closing) {
        position = index + closing.count
        return true
      }
      index += 1
    }
    return false
  }

  private mutating func tag() throws(Malformed) -> Tag {
    let start = position
    position += 1
    let isEnd = current == UInt8(ascii: "/")
    if isEnd { position += 1 }
    let name = try readName()
    var tag = Tag(kind: isEnd ? .end : .start, name: name, range: start..<start, attributesEnd: position)
    while true {
      skipBlanks()
      switch current {
      case UInt8(ascii: ">"):
        position += 1
        tag.range = start..<position
        return tag
      case UInt8(ascii: "/")
      where !isEnd && position + 1 < text.count
        && text[position + 1] == UInt8(ascii: ">"):
        position += 2
        tag.kind = .empty
        tag.range = start..<position
        return tag
      case nil: throw Malformed()
      default:
        if isEnd { throw Malformed() }
        let first = position
        let name = try readName()
        skipBlanks()
        guard current == UInt8(ascii: "=") else { throw Malformed() }
        position += 1
        skipBlanks()
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
          let end = text[(position + 1)...].firstIndex(of: quote)
        else { throw Malformed() }
        tag.attributes.append((name, position + 1..<end, first..<end + 1))
        position = end + 1
        tag.attributesEnd = position
      }
    }
  }

  private var current: UInt8? { position < text.count ? text[position] : nil }

  private mutating func skipBlanks() {
    while let byte = current, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func readName() throws(Malformed) -> String {
    let start = position
    while let byte = current, !" \t\r\n/>=<\"'".utf8.contains(byte) { position += 1 }
    if position == start { throw Malformed() }
    return String(decoding: text[start..<position], as: UTF8.self)
  }
}
