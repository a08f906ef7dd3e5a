import AssetLibrary

extension AssetRecord {
  /// What a field of a template says; empty where it is not known.
  /// - Parameter format: how a date is written; nil = by ISO 8601.
  func text(of field: TemplateField, _ format: DateFormat?) -> [UInt8] {
    switch field {
    case .asset(let field): return value(of: field).map { Self.text(of: $0, format) } ?? []
    case .name: return path.lastComponent
    case .stem: return path.lastComponent.splitExtension.stem
    case .fileExtension: return path.lastComponent.splitExtension.fileExtension
    case .folder: return path.folder
    case .latitude: return place.map { Self.text(of: .number($0.latitude), nil) } ?? []
    case .longitude: return place.map { Self.text(of: .number($0.longitude), nil) } ?? []
    }
  }

  private static func text(of value: FieldValue, _ format: DateFormat?) -> [UInt8] {
    switch value {
    case .text(let text): Array(text.utf8)
    case .texts(let texts): Array(texts.joined(separator: ", ").utf8)
    case .path(let path): path
    case .integer(let number): Array(String(number).utf8)
    case .number(let number): Array((Int64(exactly: number).map { "\($0)" } ?? "\(number)").utf8)
    case .flag(let flag): Array((flag ? "true" : "false").utf8)
    case .date(let date): format.map { $0.bytes(of: date) } ?? Array(date.iso8601.utf8)
    case .location(let place):
      text(of: .number(place.latitude), nil) + [UInt8(ascii: ",")] + text(of: .number(place.longitude), nil)
    case .albums(let albums): Array(albums.map(\.title).joined(separator: ", ").utf8)
    case .resources: []
    }
  }
}

extension [UInt8] {
  fileprivate var lastComponent: [UInt8] {
    lastIndex(of: UInt8(ascii: "/")).map { Array(self[($0 + 1)...]) } ?? self
  }

  /// What stands before the last component, as `dirname` has it.
  fileprivate var folder: [UInt8] {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(self[..<slash])
  }

  /// A file's name before its last dot and behind it; a dot at the beginning makes no extension.
  fileprivate var splitExtension: (stem: [UInt8], fileExtension: [UInt8]) {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (self, []) }
    return (Array(self[..<dot]), Array(self[(dot + 1)...]))
  }
}
