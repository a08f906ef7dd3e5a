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
      guard case .field(let field, _) = piece else { return nil }
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

  /// Whether an asset with a line break in its path can't be told from two.
  /// - Parameter isNulTerminated: as in `terminator`.
  package func isConfusedByLineBreaks(isNulTerminated: Bool) -> Bool {
    endsLines(isNulTerminated: isNulTerminated) && fields.contains(where: \.isFileName)
  }

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
      case .field(let field, let format):
        let value = record.text(of: field, format)
        return escape(isLine && !field.isFileName ? Self.line(value) : value)
      }
    }
    return body + terminator(isNulTerminated: isNulTerminated)
  }

  /// The text of one asset as a name for a file, without what ends it: slashes in values become `_`.
  package func name(of record: AssetRecord) -> [UInt8] {
    pieces.flatMap { piece -> [UInt8] in
      switch piece {
      case .text(let bytes): bytes
      case .field(let field, let format):
        (field.isFileName ? record.text(of: field, format) : Self.line(record.text(of: field, format)))
          .map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
      }
    }
  }

  /// Whether what the template says itself can be a part of a file's name.
  package var isName: Bool {
    pieces.allSatisfy { piece in
      guard case .text(let bytes) = piece else { return true }
      return !bytes.contains { [UInt8(ascii: "/"), 0, 0x0A, 0x0D].contains($0) }
    }
  }

  /// A text of several lines, such as a caption, as one.
  private static func line(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
    return Array(text.split { $0 == 0x0A || $0 == 0x0D }.joined(separator: [0x20]))
  }
}
