import AssetLibrary

/// An output template for assets: `{path}\t{date:%Y-%m-%d}\n`.
///
/// As in the formats of Python and Rust, names are in braces and literal braces are doubled. Of the backslash
/// escapes of `printf`, only those that separate values and lines are supported: \n, \t, \r, \0 and \\.
package struct ResultTemplate: Hashable, Sendable {
  let pieces: [TemplatePiece]

  /// Whether a word is meant as a template.
  package static func isTemplate(_ word: [UInt8]) -> Bool { word.contains(UInt8(ascii: "{")) }

  /// The names that are allowed in braces.
  package static var fieldNames: [String] { AssetField.inTemplates.map(\.name) }

  /// - Parameter text: the template's bytes, which need not be UTF-8.
  /// - Throws: `FormatError` for an unknown field, or for incomplete syntax.
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

  /// Whether the template itself ends each asset's text with NUL.
  package var endsWithNUL: Bool {
    guard case .text(let last) = pieces.last else { return false }
    return last.last == 0
  }

  /// Returns the terminator to append to each asset's text: empty if the template ends with one itself.
  /// - Parameter isNulTerminated: whether the caller asked for NUL instead of a newline.
  package func terminator(isNulTerminated: Bool) -> [UInt8] {
    if endsWithNUL { return [] }
    if isNulTerminated { return [0] }
    guard case .text(let last) = pieces.last, last.last == 0x0A else { return [0x0A] }
    return []
  }

  /// Whether each asset's text is a line; multi-line values are then joined into one line.
  /// - Parameter isNulTerminated: as in `terminator`.
  private func endsLines(isNulTerminated: Bool) -> Bool { !isNulTerminated && !endsWithNUL }

  /// Returns a value without characters that would end the record, since texts from files may contain any
  /// character.
  ///
  /// File names are not altered; they are rejected if a line break in them would be ambiguous.
  private static func value(_ text: [UInt8], of field: AssetField, endsLines: Bool) -> [UInt8] {
    if field.isFileName { return text }
    return endsLines ? line(text) : joined(text.split(separator: 0, omittingEmptySubsequences: true), text)
  }

  /// Whether a line break in a path could be mistaken for the end of a record.
  ///
  /// Quoted values are unambiguous.
  /// - Parameter isNulTerminated: as in `terminator`.
  package func hasAmbiguousLineBreaks(isNulTerminated: Bool) -> Bool {
    endsLines(isNulTerminated: isNulTerminated)
      && pieces.contains { piece in
        guard case .field(let field, _, nil) = piece else { return false }
        return field.isFileName
      }
  }

  /// Whether the template identifies files, so that an asset with several files has several records.
  package var namesFiles: Bool { fields.contains(where: \.namesFile) }

  /// Returns the text of one asset, with its terminator.
  /// - Parameters:
  ///   - isNulTerminated: as in `terminator`.
  ///   - escape: makes a value safe for the output; literal text of the template is not escaped.
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

  /// Returns the text of one asset as a file name without terminator, preceded by the names of its folders.
  ///
  /// Slashes in values become `_`; slashes in a date's format, and in the text after it, separate folders.
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

  /// Whether the literal text of the template is valid in a file's name.
  ///
  /// Slashes are allowed only after a date: they separate folders by date, below the target of the copies.
  package var isName: Bool {
    let slash = UInt8(ascii: "/")
    var isBehindDate = false
    // The literal text of each component so far, with "x" for values.
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

  /// Joins the lines of a text, such as a caption.
  ///
  /// NUL also counts as a line end, because C programs stop there.
  private static func line(_ text: [UInt8]) -> [UInt8] {
    // ASCII line ends, and the last bytes of U+0085, U+2028 and U+2029.
    guard text.contains(where: { $0 == 0 || 0x0A...0x0D ~= $0 || [0x85, 0xA8, 0xA9].contains($0) }) else {
      return text
    }
    let lines = String(decoding: text, as: UTF8.self).split { $0.isNewline || $0 == "\0" }
    return Array(lines.joined(separator: " ").utf8)
  }

  /// Joins parts with spaces; returns the text itself if there is only one part.
  private static func joined(_ parts: [ArraySlice<UInt8>], _ text: [UInt8]) -> [UInt8] {
    parts.count == 1 && parts[0].count == text.count ? text : Array(parts.joined(separator: [0x20]))
  }
}

/// A part of a template.
enum TemplatePiece: Hashable, Sendable {
  /// Literal text.
  case text([UInt8])
  /// A field, the format of a date, and the quoting.
  case field(AssetField, DateFormat?, TemplateQuoting?)
}

/// The program that reads a value: quoting lets it read the exact value, whatever characters it contains.
package enum TemplateQuoting: String, CaseIterable, Sendable {
  /// A POSIX shell: one word.
  case sh
  /// The value as in `--format json`: a string, number, boolean or list; null if it is unknown.
  case json
  /// RFC 4180: one field of a line.
  case csv
}

/// Parses a template.
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

  /// Parses an escape after its backslash.
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

  /// Parses a field after its opening brace: the name, quoting and date format.
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
