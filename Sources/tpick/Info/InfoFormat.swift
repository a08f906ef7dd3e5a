import Results

/// What `tpick info` prints of the files.
enum InfoFormat {
  case text
  /// Nil: the usual keys and `details`.
  case json(FieldSelection?)
  case jsonl(FieldSelection?)
  case template(ResultTemplate)

  /// - Parameters:
  ///   - format: nil = text.
  ///   - fields: the keys of JSON.
  /// - Throws: `Failure` for fields of what is not JSON.
  init(_ format: FormatArgument<ListFormat>?, fields: FieldSelection?) throws(Failure) {
    self =
      switch format {
      case nil, .named(.text): .text
      case .named(.json): .json(fields)
      case .named(.jsonl): .jsonl(fields)
      case .template(let template): .template(template)
      }
    switch self {
    case .json, .jsonl: break
    case .text, .template:
      if fields != nil { throw .usage("--fields: only with --format json or jsonl") }
    }
  }

  /// All that is printed.
  /// - Throws: `Failure` if a value can't be encoded.
  func output(of records: [AssetRecord]) throws(Failure) -> [UInt8] {
    switch self {
    case .text: return InfoText.text(for: records)
    case .template(let template):
      let escape: ([UInt8]) -> [UInt8] = StandardStream.output.isTerminal ? OutputText.escaped : { $0 }
      return records.flatMap { template.bytes(of: $0, escape: escape) }
    case .json(nil): return try Self.document(records.map(InfoDocument.init))
    case .json(let fields?): return try Self.document(records.map { AssetDocument($0, fields) })
    case .jsonl(nil): return try Self.lines(records.map(InfoDocument.init))
    case .jsonl(let fields?): return try Self.lines(records.map { AssetDocument($0, fields) })
    }
  }

  private struct Envelope<Element: Encodable>: Encodable {
    var version = 1
    var assets: [Element]
  }

  private static func document(_ assets: [some Encodable]) throws(Failure) -> [UInt8] {
    try JSONText.line(Envelope(assets: assets)) + [0x0A]
  }

  private static func lines(_ assets: [some Encodable]) throws(Failure) -> [UInt8] {
    var lines: [UInt8] = []
    for asset in assets { lines += try JSONText.line(asset) + [0x0A] }
    return lines
  }
}
