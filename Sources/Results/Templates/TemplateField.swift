/// What a template can name: what JSON has as one value, under the same name or a shorter one, and parts of it.
enum TemplateField: Hashable, Sendable {
  case asset(AssetField)
  /// The last component of the path, without and with its extension.
  case name, stem
  case fileExtension
  /// The path without its last component.
  case folder
  case latitude, longitude

  /// In the order in which messages list them.
  ///
  /// Shorter names stand before what they stand for.
  private static let all: [(name: String, field: TemplateField)] =
    [
      ("path", .asset(.path)), ("name", .name), ("stem", .stem), ("extension", .fileExtension),
      ("folder", .folder), ("uri", .asset(.uri)), ("id", .asset(.localIdentifier)),
      ("date", .asset(.creationDate)), ("modified", .asset(.modificationDate)), ("type", .asset(.mediaType)),
      ("width", .asset(.pixelWidth)), ("height", .asset(.pixelHeight)), ("size", .asset(.fileSize)),
      ("latitude", .latitude), ("longitude", .longitude),
    ]
    + AssetField.allCases.filter { ![.path, .pathBytes, .uri, .resources].contains($0) }
    .map { ($0.rawValue, .asset($0)) }

  private static let fields = Dictionary(
    all.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })

  static let names = all.map(\.name)

  /// Nil where no field is called so.
  init?(name: String) {
    guard let field = Self.fields[name] else { return nil }
    self = field
  }

  /// Whether it is a date, which can be written in several ways.
  var isDate: Bool { self == .asset(.creationDate) || self == .asset(.modificationDate) }

  /// Whether its value is a part of a file's name, which is never changed.
  var isFileName: Bool {
    switch self {
    case .asset(.path), .name, .stem, .fileExtension, .folder: true
    case .asset, .latitude, .longitude: false
    }
  }
}
