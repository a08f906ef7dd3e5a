import AssetLibrary

/// Reads a template.
struct TemplateParser {
  private var rest: ArraySlice<UInt8>
  private var found: [TemplatePiece] = []
  private var text: [UInt8] = []

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func pieces() throws(FormatError) -> [TemplatePiece] {
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): text.append(try escape())
      case UInt8(ascii: "{") where rest.first == byte, UInt8(ascii: "}") where rest.first == byte:
        rest.removeFirst()
        text.append(byte)
      case UInt8(ascii: "{"):
        endText()
        found.append(try field())
      case UInt8(ascii: "}"): throw FormatError("a '}' without its '{'; write }} for the character")
      default: text.append(byte)
      }
    }
    endText()
    return found
  }

  private mutating func endText() {
    if !text.isEmpty { found.append(.text(text)) }
    text = []
  }

  /// What stands behind a backslash.
  private mutating func escape() throws(FormatError) -> UInt8 {
    switch rest.popFirst() {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "0"): return 0
    case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
    case let other:
      let word = other.map { String(decoding: [$0], as: UTF8.self) } ?? ""
      throw FormatError("unknown escape '\\\(word)'; escapes are \\n, \\t, \\r, \\0 and \\\\")
    }
  }

  /// A name behind a brace, and how a date is written.
  private mutating func field() throws(FormatError) -> TemplatePiece {
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw FormatError("a '{' without its '}'; write {{ for the character")
    }
    let inner = rest[rest.startIndex..<end]
    rest = rest[(end + 1)...]
    let colon = inner.firstIndex(of: UInt8(ascii: ":")) ?? inner.endIndex
    let name = String(decoding: inner[..<colon], as: UTF8.self)
    guard let field = TemplateField(name: name) else {
      let names = TemplateField.names.joined(separator: ", ")
      if name == "resources" || name == "pathBytes" {
        throw FormatError("unknown field '\(name)' (JSON has it); fields are \(names)")
      }
      throw FormatError(NearestWord.message(unknown: "field", name, known: TemplateField.names))
    }
    guard colon < inner.endIndex else { return .field(field, nil, nil) }
    var format = inner[(colon + 1)...]
    let word = format.prefix { $0 != UInt8(ascii: ":") }
    let quoting = TemplateQuoting(rawValue: String(decoding: word, as: UTF8.self))
    if let quoting {
      format = format[word.endIndex...].dropFirst()
      if word.endIndex == inner.endIndex { return .field(field, nil, quoting) }
    }
    guard field.isDate else {
      throw FormatError(
        "'\(name)' has no formats; only dates have, such as {date:%Y-%m-%d}; every field can be quoted: "
          + TemplateQuoting.allCases.map { "{\(name):\($0.rawValue)}" }.joined(separator: ", "))
    }
    return .field(field, try DateFormat(Array(format)), quoting)
  }
}
