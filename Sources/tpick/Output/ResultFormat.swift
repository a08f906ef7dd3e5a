import ArgumentParser
import AssetLibrary
import Results
import SystemPackage

/// The output format of assets.
enum ResultFormat: Sendable {
  /// The named formats.
  enum Name: String, CaseIterable, WordArgument {
    case paths, uris, ids, json, jsonl
  }

  case paths, uris, ids
  case json(FieldSelection)
  case jsonl(FieldSelection)
  case template(ResultTemplate)

  /// - Parameters:
  ///   - format: nil = paths.
  ///   - fields: the keys of JSON; nil = the default ones.
  /// - Throws: `Failure` for fields with a format other than JSON.
  init(_ format: FormatArgument<Name>?, fields: FieldSelection?) throws(Failure) {
    self =
      switch format {
      case nil, .named(.paths): .paths
      case .named(.uris): .uris
      case .named(.ids): .ids
      case .named(.json): .json(fields ?? .standard)
      case .named(.jsonl): .jsonl(fields ?? .standard)
      case .template(let template): .template(template)
      }
    if fields != nil, !isJSON { throw .usage("--fields: requires --format json or jsonl") }
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
    case .template(let template): !template.hasAmbiguousLineBreaks(isNulTerminated: isNulTerminated)
    }
  }

  /// Makes the records that the format needs.
  func records(
    from reader: RecordReader, pathBytes: @escaping @Sendable (AssetResource) -> [UInt8]
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
