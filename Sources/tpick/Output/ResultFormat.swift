import AssetLibrary
import Results
import SystemPackage

/// What is printed of each asset.
enum ResultFormat: Sendable {
  /// The formats that have a name.
  enum Name: String, CaseIterable {
    case paths, uris, ids, json, jsonl
  }

  case paths, uris, ids
  case json(FieldSelection)
  case jsonl(FieldSelection)
  case template(ResultTemplate)

  /// - Parameters:
  ///   - word: a name or a template; nil = paths.
  ///   - fields: the keys of JSON; nil = the standard ones.
  /// - Throws: `Failure` for an unknown format or field, and for fields of what is not JSON.
  init(_ word: String?, fields: String?) throws(Failure) {
    let word = word ?? Name.paths.rawValue
    let selection = try Self.selection(fields)
    if let template = try Self.template(word) {
      self = .template(template)
    } else if let name = Name(rawValue: word.lowercased()) {
      self =
        switch name {
        case .paths: .paths
        case .uris: .uris
        case .ids: .ids
        case .json: .json(selection ?? .standard)
        case .jsonl: .jsonl(selection ?? .standard)
        }
    } else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(
        "--format: unknown format '\(word)'; formats are \(names), or a template such as '{path}\\t{date}'")
    }
    if selection != nil, !isJSON { throw .usage("--fields: only with --format json or jsonl") }
  }

  /// The template of a value that has a brace.
  static func template(_ word: String) throws(Failure) -> ResultTemplate? {
    let bytes = ArgumentBytes.bytes(word)
    guard ResultTemplate.isTemplate(bytes) else { return nil }
    do {
      return try ResultTemplate(bytes)
    } catch {
      throw .usage("--format: \(error)")
    }
  }

  /// The fields that `--fields` names.
  static func selection(_ text: String?) throws(Failure) -> FieldSelection? {
    guard let text else { return nil }
    do {
      return try FieldSelection(text)
    } catch {
      throw .usage("--fields: \(error)")
    }
  }

  var isJSON: Bool {
    switch self {
    case .json, .jsonl: true
    case .paths, .uris, .ids, .template: false
    }
  }

  /// Whether names with line breaks are unambiguous.
  func acceptsLineBreaks(isNulTerminated: Bool) -> Bool {
    switch self {
    case .paths: isNulTerminated
    case .uris, .ids, .json, .jsonl: true
    case .template(let template): !template.isConfusedByLineBreaks(isNulTerminated: isNulTerminated)
    }
  }

  /// Makes the records that the format tells of.
  func records(
    from reader: RecordReader, pathBytes: @escaping @Sendable (FilePath) -> [UInt8]
  ) -> (Asset) -> AssetRecord {
    switch self {
    case .paths, .uris, .ids: { AssetRecord($0, pathBytes: pathBytes) }
    case .json(let selection), .jsonl(let selection):
      reader.records(
        needsDetails: selection.needsDetails, needsAlbums: selection.needsAlbums, pathBytes: pathBytes)
    case .template(let template):
      reader.records(
        needsDetails: template.needsDetails, needsAlbums: template.needsAlbums, pathBytes: pathBytes)
    }
  }
}
