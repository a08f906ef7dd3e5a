package import AssetLibrary
import Pixels

/// The value of a field for one asset.
enum FieldValue: Sendable {
  case text(String)
  case texts([String])
  case path([UInt8])
  case integer(Int64)
  case number(Double)
  case flag(Bool)
  case date(AssetDate)
  case location(Location)
  case resources([AssetResource])
  case albums([AssetRecord.Album])
  case tracks([MovieTrack])
  case chapters([MovieChapter])
}

/// How a field is read from a record, together with its JSON schema, so that the two agree.
struct FieldContent: Sendable {
  /// Fields that are treated differently from all others.
  enum Kind: Sendable { case date, path, other }

  let kind: Kind
  let schema: FieldSchema
  /// Returns the value; nil if it is unknown.
  let value: @Sendable (AssetRecord) -> FieldValue?

  private init(
    _ schema: FieldSchema, _ kind: Kind = .other, _ value: @escaping @Sendable (AssetRecord) -> FieldValue?
  ) {
    (self.kind, self.schema, self.value) = (kind, schema, value)
  }

  static func text(
    _ schema: FieldSchema = .string(), _ read: @escaping @Sendable (AssetRecord) -> String?
  ) -> Self {
    Self(schema) { read($0).map { .text($0) } }
  }

  /// One of the raw values of a type.
  static func word<Word: CaseIterable & RawRepresentable<String> & Sendable>(
    _ read: @escaping @Sendable (AssetRecord) -> Word?
  ) -> Self {
    Self(.word(Word.allCases.map(\.rawValue))) { read($0).map { .text($0.rawValue) } }
  }

  static func texts(
    _ schema: FieldSchema = .list(of: .string()), _ read: @escaping @Sendable (AssetRecord) -> [String]
  ) -> Self {
    Self(schema) { .texts(read($0)) }
  }

  static func path(_ read: @escaping @Sendable (AssetRecord) -> [UInt8]) -> Self {
    Self(.string(), .path) { .path(read($0)) }
  }

  static func count(_ read: @escaping @Sendable (AssetRecord) -> Int64?) -> Self {
    Self(.definition("count")) { read($0).map { .integer($0) } }
  }

  /// An integer that has a schema of its own, such as a number of stars.
  static func number(_ schema: FieldSchema, _ read: @escaping @Sendable (AssetRecord) -> Int?) -> Self {
    Self(schema) { read($0).map { .integer(Int64($0)) } }
  }

  /// A number with a unit.
  static func measure(
    _ schema: FieldSchema = .number(minimum: 0), _ read: @escaping @Sendable (AssetRecord) -> Double?
  ) -> Self {
    Self(schema) { read($0).map { .number($0) } }
  }

  static func flag(_ read: @escaping @Sendable (AssetRecord) -> Bool?) -> Self {
    Self(.boolean) { read($0).map { .flag($0) } }
  }

  static func date(_ read: @escaping @Sendable (AssetRecord) -> AssetDate) -> Self {
    Self(.definition("date"), .date) { .date(read($0)) }
  }

  static func timestamp(_ read: @escaping @Sendable (AssetRecord) -> Int64?) -> Self {
    Self(.definition("timestamp")) { read($0).map { .integer($0) } }
  }

  static func place(_ read: @escaping @Sendable (AssetRecord) -> Location?) -> Self {
    Self(.place) { read($0).map { .location($0) } }
  }

  static func resources(_ read: @escaping @Sendable (AssetRecord) -> [AssetResource]) -> Self {
    Self(.resources) { .resources(read($0)) }
  }

  static func albums(_ read: @escaping @Sendable (AssetRecord) -> [AssetRecord.Album]) -> Self {
    Self(.albums) { .albums(read($0)) }
  }

  static func tracks(_ read: @escaping @Sendable (AssetRecord) -> [MovieTrack]?) -> Self {
    Self(.tracks) { read($0).map { .tracks($0) } }
  }

  static func chapters(_ read: @escaping @Sendable (AssetRecord) -> [MovieChapter]?) -> Self {
    Self(.chapters) { read($0).map { .chapters($0) } }
  }
}

/// The schema of a value in terms of JSON Schema.
package indirect enum FieldSchema: Sendable {
  package struct Member: Sendable {
    package let key: String
    package let schema: FieldSchema
    package let help: String?
    package let isRequired: Bool

    init(_ key: String, _ schema: FieldSchema, help: String? = nil, isRequired: Bool = true) {
      (self.key, self.schema, self.help, self.isRequired) = (key, schema, help, isRequired)
    }
  }

  /// A reference to a definition in `Docs/schema.json`.
  case definition(String)
  case string(pattern: String? = nil, minLength: Int? = nil)
  /// One of these words.
  case word([String])
  /// One of these numbers.
  case oneOf([Int])
  case number(minimum: Int? = nil, maximum: Int? = nil)
  case boolean
  case list(of: FieldSchema, isSet: Bool = false, minimum: Int? = nil)
  case object([Member])
}

/// The schemas of values with members, as `AssetDocument` writes them.
extension FieldSchema {
  fileprivate static let place = FieldSchema.object([
    FieldSchema.Member("latitude", .number(minimum: -90, maximum: 90)),
    FieldSchema.Member("longitude", .number(minimum: -180, maximum: 180)),
  ])

  fileprivate static let resources = FieldSchema.list(
    of: .object([
      FieldSchema.Member("type", .word(AssetResource.Kind.allCases.map(\.rawValue))),
      FieldSchema.Member("path", .string()),
      FieldSchema.Member("pathBytes", .definition("bytes"), isRequired: false),
      FieldSchema.Member("size", .definition("count"), help: "bytes"),
    ]), minimum: 1)

  fileprivate static let albums = FieldSchema.list(
    of: .object([
      FieldSchema.Member("localIdentifier", .string()),
      FieldSchema.Member("title", .string()),
      FieldSchema.Member("path", .string(), help: "of a folder", isRequired: false),
      FieldSchema.Member("pathBytes", .definition("bytes"), isRequired: false),
    ]))

  fileprivate static let tracks = FieldSchema.list(
    of: .object([
      FieldSchema.Member("kind", .word(MovieTrack.Kind.allCases.map(\.name))),
      FieldSchema.Member("codec", .string(), help: "as FFmpeg names it", isRequired: false),
      FieldSchema.Member("profile", .string(), help: "as FFmpeg names it", isRequired: false),
      FieldSchema.Member("language", .string(), help: "by ISO 639-2", isRequired: false),
      FieldSchema.Member("duration", .number(minimum: 0), help: "seconds", isRequired: false),
      FieldSchema.Member("isCover", .boolean, help: "whether it is an attached picture", isRequired: false),
      FieldSchema.Member("width", .definition("count"), help: "stored pixels", isRequired: false),
      FieldSchema.Member("height", .definition("count"), help: "stored pixels", isRequired: false),
      FieldSchema.Member("channels", .definition("count"), isRequired: false),
      FieldSchema.Member("sampleRate", .definition("count"), help: "samples per second", isRequired: false),
    ]))

  fileprivate static let chapters = FieldSchema.list(
    of: .object([
      FieldSchema.Member("title", .string(), isRequired: false),
      FieldSchema.Member("start", .number(), help: "seconds"),
      FieldSchema.Member("end", .number(), help: "seconds"),
    ]))
}

extension AssetRecord {
  /// The location without rounding errors from degrees, minutes and seconds: rounded to about a millimeter,
  /// finer than any source.
  var place: Location? {
    func rounded(_ angle: Double) -> Double { (angle * 100_000_000).rounded() / 100_000_000 }
    return asset.location.map {
      Location(latitude: rounded($0.latitude), longitude: rounded($0.longitude))
    }
  }
}

extension AssetDate {
  /// Seconds since 1970, UTC; nil if the UTC offset is unknown.
  package var secondsSince1970: Int64? { utcOffset.map { wallSeconds - Int64($0) } }

  /// The date in ISO 8601, with the UTC offset if known: "2024-05-02T14:10:20+01:00".
  package var iso8601: String {
    let fields = components
    func pad(_ value: Int, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(pad(fields.year, 4))-\(pad(fields.month))-\(pad(fields.day))"
    let time = "\(pad(fields.hour)):\(pad(fields.minute)):\(pad(fields.second))"
    guard let offset = utcOffset else { return "\(day)T\(time)" }
    if offset == 0 { return "\(day)T\(time)Z" }
    let minutes = abs(Int(offset)) / 60
    return "\(day)T\(time)\(offset < 0 ? "-" : "+")\(pad(minutes / 60)):\(pad(minutes % 60))"
  }
}

extension MediaSubtypes {
  private static let namesBySubtype: [(MediaSubtypes, String)] = [
    (.livePhoto, "livePhoto"), (.panorama, "panorama"), (.screenshot, "screenshot"),
    (.screenRecording, "screenRecording"), (.depthEffect, "depthEffect"), (.cinematic, "cinematic"),
    (.slomo, "slomo"), (.timelapse, "timelapse"), (.spatial, "spatial"), (.hdr, "hdr"),
    (.animated, "animated"), (.raw, "raw"), (.selfie, "selfie"), (.longExposure, "longExposure"),
  ]

  static let allNames = namesBySubtype.map(\.1)

  /// The names of the subtypes, as in PhotoKit.
  package var names: [String] { Self.namesBySubtype.filter { contains($0.0) }.map(\.1) }
}
