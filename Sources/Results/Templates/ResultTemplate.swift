/// What is printed of each asset, as a caller writes it: `{path}\t{date:%Y-%m-%d}\n`.
///
/// As in Python's and Rust's formats, names stand in braces and doubled braces for themselves; escapes with a backslash
/// are those of `printf` that a line or a list needs.
package struct ResultTemplate: Hashable, Sendable {
  let pieces: [TemplatePiece]

  /// Whether a word is meant as a template.
  package static func isTemplate(_ word: [UInt8]) -> Bool { word.contains(UInt8(ascii: "{")) }

  /// The names that can stand in braces.
  package static var fieldNames: [String] { TemplateField.names }

  /// - Parameter text: the template's bytes, which need not be UTF-8.
  /// - Throws: `FormatError` for a field that there is none of, or what is not finished.
  package init(_ text: [UInt8]) throws(FormatError) {
    var parser = TemplateParser(text)
    pieces = try parser.pieces()
  }

  private var fields: [TemplateField] {
    pieces.compactMap { piece in
      guard case .field(let field, _, _) = piece else { return nil }
      return field
    }
  }

  /// Whether the file has to be read.
  package var needsDetails: Bool {
    fields.contains { field in
      guard case .asset(let field) = field else { return false }
      return field.isDetail
    }
  }

  package var needsAlbums: Bool { fields.contains(.asset(.albums)) }

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
  private static func value(_ text: [UInt8], of field: TemplateField, endsLines: Bool) -> [UInt8] {
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
  package var namesFiles: Bool { fields.contains { $0.isFileName || $0 == .asset(.uri) } }

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
      case .field(.asset(let field), let format?, nil):
        guard case .date(let date) = record.value(of: field) else { break }
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
    // Below the blanks, and the last bytes of U+0085, U+2028 and U+2029.
    guard text.contains(where: { $0 < 0x0E && $0 != 0x09 || [0x85, 0xA8, 0xA9].contains($0) }) else {
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
