import AssetLibrary
import FoundationEssentials

extension AssetRecord {
  /// Quotes a value for a shell or a CSV parser.
  func quoted(_ value: [UInt8], of field: AssetField, for reader: TemplateQuoting) -> [UInt8] {
    switch reader {
    case .sh: return Self.quote(value, "'", inside: #"'\''"#)
    case .csv: return isPlain(field) ? value : Self.quote(value, "\"", inside: #""""#)
    // JSON is made from the typed value, not from its text.
    case .json: return value
    }
  }

  private static func quote(_ value: [UInt8], _ mark: String, inside: String) -> [UInt8] {
    let mark = Array(mark.utf8)
    return mark + value.flatMap { $0 == mark[0] ? Array(inside.utf8) : [$0] } + mark
  }

  /// Whether a value needs no quotation marks in CSV: a number, a boolean or nothing.
  private func isPlain(_ field: AssetField) -> Bool {
    switch json(field, nil) {
    case .nothing, .integer, .number, .flag: true
    case .text, .texts, .place: false
    }
  }

  /// Returns a field's value as JSON.
  func json(of field: AssetField, _ format: DateFormat?) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(json(field, format))).map { Array($0) } ?? Array("null".utf8)
    // Escape the control characters that JSON leaves: DEL and C1, which would act on a terminal.
    guard bytes.contains(0x7F) || bytes.contains(0xC2) else { return bytes }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.flatMap { scalar in
      (0x7F...0x9F).contains(scalar.value)
        ? Array("\\u00\(String(scalar.value, radix: 16))".utf8) : Array(String(scalar).utf8)
    }
  }

  private func json(_ field: AssetField, _ format: DateFormat?) -> JSONValue {
    switch field.content.value(self) {
    case nil, .resources: .nothing
    case .text(let text): .text(text)
    case .texts(let texts): .texts(texts)
    case .path(let path): .text(PathText(path).text)
    case .integer(let number): .integer(number)
    case .number(let number): number.isFinite ? .number(number) : .nothing
    case .flag(let flag): .flag(flag)
    case .date: .text(String(decoding: text(of: field, format), as: UTF8.self))
    case .location(let place): .place(place)
    case .albums(let albums): .texts(albums.map(\.title))
    case .tracks(let tracks): .texts(tracks.map(\.summary))
    case .chapters(let chapters): .texts(chapters.compactMap(\.title))
    }
  }

  private enum JSONValue: Encodable {
    case nothing
    case text(String)
    case texts([String])
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case place(Location)

    private enum Key: String, CodingKey { case latitude, longitude }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .place(let place):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place.latitude, forKey: .latitude)
        try container.encode(place.longitude, forKey: .longitude)
      default:
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .integer(let number): try container.encode(number)
        case .number(let number):
          if let whole = Int64(exactly: number) {
            try container.encode(whole)
          } else {
            try container.encode(number)
          }
        case .flag(let flag): try container.encode(flag)
        case .nothing, .place: try container.encodeNil()
        }
      }
    }
  }

  /// Returns a field's value as text; empty if it is unknown.
  /// - Parameter format: the date format; nil = ISO 8601.
  func text(of field: AssetField, _ format: DateFormat?) -> [UInt8] {
    field.content.value(self).map { Self.text(of: $0, format) } ?? []
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
    case .tracks(let tracks): Array(tracks.map(\.summary).joined(separator: ", ").utf8)
    case .chapters(let chapters): Array(chapters.compactMap(\.title).joined(separator: ", ").utf8)
    case .resources: []
    }
  }
}

extension MovieTrack {
  /// The kind and the codec, as "video h264".
  fileprivate var summary: String { codec.map { "\(kind.name) \($0)" } ?? kind.name }
}
