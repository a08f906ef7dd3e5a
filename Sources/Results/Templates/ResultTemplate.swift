import AssetLibrary

/// What is printed of each asset, as a caller writes it: `{path}\t{date:%Y-%m-%d}\n`.
///
/// As in Python's and Rust's formats, names stand in braces and doubled braces for themselves; escapes with a backslash
/// are those of `printf` that a line or a list needs.
package struct ResultTemplate: Hashable, Sendable {
  let pieces: [TemplatePiece]

  /// Whether a word is meant as a template.
  package static func isTemplate(_ word: [UInt8]) -> Bool { word.contains(UInt8(ascii: "{")) }

  /// The names that can stand in braces.
  package static var fieldNames: [String] { AssetField.inTemplates.map(\.name) }

  /// - Parameter text: the template's bytes, which need not be UTF-8.
  /// - Throws: `FormatError` for a field that there is none of, or what is not finished.
  package init(_ text: [UInt8]) throws(FormatError) {
    var parser = TemplateParser(text)
    pieces = try parser.pieces()
  }

  private var fields: [AssetField] {
    pieces.compactMap { piece in
      guard case .field(let field, _, _) = piece else { return nil }
      return field
    }
  }

  /// Whether the file has to be read.
  package var needsDetails: Bool { fields.contains { $0.origin == .file } }

  package var needsAlbums: Bool { fields.contains { $0.origin == .albums } }

  /// Whether it ends each asset's text with NUL itself.
  package var endsWithNUL: Bool {
    guard case .text(let last) = pieces.last else { return false }
    return last.last == 0
  }

  /// What ends the text of each asset: nothing where the template does it itself.
  /// - Parameter isNulTerminated: whether the caller wants NUL in place of a newline.
  package func terminator(isNulTerminated: Bool) -> [UInt8] {
    if endsWithNUL { return [] }
    if isNulTerminated { return [0] }
    guard case .text(let last) = pieces.last, last.last == 0x0A else { return [0x0A] }
    return []
  }

  /// Whether what it prints of each asset is a line: texts of several lines are then written as one.
  /// - Parameter isNulTerminated: as in `terminator`.
  private func endsLines(isNulTerminated: Bool) -> Bool { !isNulTerminated && !endsWithNUL }

  /// What a value says without what would end a record of its own: a text from a file can hold anything.
  ///
  /// Names of files stay as they are, and are refused where a line break in them could be taken for the end.
  private static func value(_ text: [UInt8], of field: AssetField, endsLines: Bool) -> [UInt8] {
    if field.isFileName { return text }
    return endsLines ? line(text) : joined(text.split(separator: 0, omittingEmptySubsequences: true), text)
  }

  /// Whether an asset with a line break in its path can't be told from two; whoever reads quoted values can do that.
  /// - Parameter isNulTerminated: as in `terminator`.
  package func isConfusedByLineBreaks(isNulTerminated: Bool) -> Bool {
    endsLines(isNulTerminated: isNulTerminated)
      && pieces.contains { piece in
        guard case .field(let field, _, nil) = piece else { return false }
        return field.isFileName
      }
  }

  /// Whether it tells where a file is, so that an asset of several files has several.
  package var namesFiles: Bool { fields.contains(where: \.namesFile) }

  /// The text of one asset with what ends it.
  /// - Parameters:
  ///   - isNulTerminated: as in `terminator`.
  ///   - escape: makes of a value what may be shown where the text goes; what the template says itself stays.
  package func bytes(
    of record: AssetRecord, isNulTerminated: Bool = false, escape: ([UInt8]) -> [UInt8] = { $0 }
  ) -> [UInt8] {
    let isLine = endsLines(isNulTerminated: isNulTerminated)
    let body = pieces.flatMap { piece -> [UInt8] in
      switch piece {
      case .text(let bytes): return bytes
      case .field(let field, let format, .json?):
        return escape(record.json(of: field, format))
      case .field(let field, let format, let quoting):
        let value = Self.value(record.text(of: field, format), of: field, endsLines: isLine)
        return escape(quoting.map { record.quoted(value, of: field, for: $0) } ?? value)
      }
    }
    return body + terminator(isNulTerminated: isNulTerminated)
  }

  /// The text of one asset as a name for a file, without what ends it, behind those of the folders that it names: slashes in values
  /// become `_`, those of a date's format and behind it make folders.
  package func name(of record: AssetRecord) -> [[UInt8]] {
    let slash = UInt8(ascii: "/")
    var parts: [[UInt8]] = [[]]
    func append(_ more: [[UInt8]]) {
      parts[parts.count - 1] += more.first ?? []
      parts += more.dropFirst()
    }
    for piece in pieces {
      switch piece {
      case .text(let bytes):
        append(bytes.split(separator: slash, omittingEmptySubsequences: false).map { Array($0) })
      case .field(let field, let format?, nil):
        guard case .date(let date) = field.content.value(record) else { break }
        append(format.parts(of: date).map { Self.line($0).map { $0 == slash ? UInt8(ascii: "_") : $0 } })
      case .field(let field, let format, _):
        let value = Self.value(record.text(of: field, format), of: field, endsLines: true)
        append([value.map { $0 == slash ? UInt8(ascii: "_") : $0 }])
      }
    }
    return parts
  }

  /// Whether what the template says itself can be a part of a file's name.
  ///
  /// A slash stands only behind a date: what it parts are folders by dates, which lie where copies go.
  package var isName: Bool {
    let slash = UInt8(ascii: "/")
    var isBehindDate = false
    // What is known of each folder's name.
    var parts: [[UInt8]] = [[]]
    for piece in pieces {
      switch piece {
      case .field(_, let format, _):
        if format != nil { isBehindDate = true }
        parts[parts.count - 1].append(UInt8(ascii: "x"))
      case .text(let bytes):
        if bytes.contains(where: { [0, 0x0A, 0x0D].contains($0) }) { return false }
        if bytes.contains(slash), !isBehindDate { return false }
        let words = bytes.split(separator: slash, omittingEmptySubsequences: false)
        parts[parts.count - 1] += words[0]
        parts += words.dropFirst().map { Array($0) }
      }
    }
    return !parts.contains { [[UInt8(ascii: ".")], [UInt8(ascii: "."), UInt8(ascii: ".")]].contains($0) }
  }

  /// A text of several lines, such as a caption, as one; NUL ends a line for programs in C.
  private static func line(_ text: [UInt8]) -> [UInt8] {
    // The ends of lines in ASCII, and the last bytes of U+0085, U+2028 and U+2029.
    guard text.contains(where: { $0 == 0 || 0x0A...0x0D ~= $0 || [0x85, 0xA8, 0xA9].contains($0) }) else {
      return text
    }
    let lines = String(decoding: text, as: UTF8.self).split { $0.isNewline || $0 == "\0" }
    return Array(lines.joined(separator: " ").utf8)
  }

  /// Parts with blanks between them; the text itself where it is one part.
  private static func joined(_ parts: [ArraySlice<UInt8>], _ text: [UInt8]) -> [UInt8] {
    parts.count == 1 && parts[0].count == text.count ? text : Array(parts.joined(separator: [0x20]))
  }
}

/// A part of a template.
enum TemplatePiece: Hashable, Sendable {
  /// Printed as it is.
  case text([UInt8])
  /// What a field says, how a date is written, and for whom it is quoted.
  case field(AssetField, DateFormat?, TemplateQuoting?)
}

/// Who reads a value: it is quoted so that this one gets it as it is, whatever is in it.
package enum TemplateQuoting: String, CaseIterable, Sendable {
  /// A POSIX shell: one word.
  case sh
  /// As `--format json` has the value: a string, a number, true or false, a list; null where it is not known.
  case json
  /// RFC 4180: one field of a line.
  case csv
}

/// Reads a template.
private struct TemplateParser {
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
    guard let field = AssetField(templateName: name) else {
      let names = ResultTemplate.fieldNames
      if AssetField(key: name) != nil {
        throw FormatError(
          "unknown field '\(name)' (JSON has it); fields are \(names.joined(separator: ", "))")
      }
      throw FormatError(NearestWord.message(unknown: "field", name, known: names))
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
