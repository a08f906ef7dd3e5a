import AssetLibrary
import Pixels

/// A fact of an asset that output can tell: a key of its JSON, a name in templates, a line of `tpick info`.
///
/// The rows below are all there is to say of one. Options, completion, the schema and the manual's table of fields
/// follow from them; `FieldDocumentTests` writes the last two.
package struct AssetField: Sendable {
  /// Where a field is told.
  package enum Use: Hashable, Sendable {
    /// In JSON unless the caller lists other keys, and in templates.
    case usual
    /// In JSON where the caller lists its key, and in templates.
    case onRequest
    /// In JSON alone, unless the caller lists other keys.
    case inJSON
    /// In templates alone: JSON has it as a part of another field.
    case inTemplates(partOf: String)
  }

  /// What has to be read for it.
  package enum Origin: Sendable { case index, file, albums }

  /// Its key in JSON and its name in templates, after PhotoKit where PhotoKit has it.
  package let name: String
  /// Another name in templates.
  package let shortName: String?
  /// What it tells, in a few words.
  package let help: String
  package let use: Use
  package let origin: Origin
  let content: FieldContent
  /// Its line in the text of `tpick info`; nil where it has none.
  let line: InfoLine?

  private init(
    _ name: String, short shortName: String? = nil, _ help: String, told use: Use = .onRequest,
    from origin: Origin = .index, _ content: FieldContent, line: InfoLine? = nil
  ) {
    (self.name, self.shortName, self.help, self.use, self.origin) = (name, shortName, help, use, origin)
    (self.content, self.line) = (content, line)
  }

  /// What JSON has for it.
  package var schema: FieldSchema { content.schema }

  /// Whether it is a date, which templates can write in several ways.
  var isDate: Bool { content.kind == .date }

  /// Whether its value is a part of a file's name, which is never changed.
  var isFileName: Bool { content.kind == .path }

  /// Whether it tells where a file is, so that an asset of several files has several.
  var namesFile: Bool { isFileName || name == Self.uri.name }

  /// The key by which JSON has it, or the field that it is a part of.
  var keyOfWhole: String { if case .inTemplates(let whole) = use { whole } else { name } }

  /// Whether JSON can have it.
  var isInJSON: Bool { if case .inTemplates = use { false } else { true } }
}

extension AssetField: Hashable {
  package static func == (a: AssetField, b: AssetField) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: The table

extension AssetField {
  /// Every field, in the order in which they are listed and `tpick info` tells them.
  package static let all = files + picture + dates + exposure + place + marks + texts + groups

  static let localIdentifier = AssetField(
    "localIdentifier", short: "id", "the identifier, which a photo keeps under another name", told: .usual,
    .text(.string(minLength: 1)) { $0.asset.localIdentifier.rawValue })
  static let path = AssetField(
    "path", FactHelp.path, told: .usual, .path { $0.path },
    line: InfoLine("path") { record in
      record.asset.primaryResource.map { String(decoding: $0.path.bytes, as: UTF8.self) }
    })
  static let pathBytes = AssetField(
    "pathBytes", "the path in Base64, only where it is not UTF-8", told: .inJSON,
    .text(.definition("bytes")) { PathText($0.path).base64 })
  private static let uri = AssetField(
    "uri", "the path as a URI", told: .usual,
    .text(.string(pattern: "^file:///[-._~/%A-Za-z0-9]*$")) { FileURI.text(for: $0.asset) })

  private static let files = [
    localIdentifier, path,
    AssetField(
      "name", "the file's name", told: .inTemplates(partOf: path.name), .path { $0.path.lastComponent }),
    AssetField(
      "stem", "the file's name without its extension", told: .inTemplates(partOf: path.name),
      .path { $0.path.lastComponent.splitExtension.stem }),
    AssetField(
      "extension", FactHelp.fileExtension, told: .inTemplates(partOf: path.name),
      .path { $0.path.lastComponent.splitExtension.fileExtension }),
    AssetField(
      "folder", "the path of the file's folder", told: .inTemplates(partOf: path.name),
      .path { $0.path.folder }),
    pathBytes, uri,
  ]

  private static let picture = [
    AssetField(
      "mediaType", short: "type", "image, video, audio or unknown", told: .usual,
      .word { $0.asset.mediaType },
      line: InfoLine("type")),
    AssetField(
      "mediaSubtypes", "what is special about it, as livePhoto or raw", told: .usual,
      .texts(.list(of: .word(MediaSubtypes.allNames), isSet: true)) { $0.asset.mediaSubtypes.names },
      line: InfoLine("subtypes")),
    AssetField(
      "playbackStyle", "how it is shown: as a still, as a video, as an animation", told: .usual,
      .word { $0.asset.playbackStyle }),
    AssetField(
      "contentType", "Apple's uniform type identifier of the file",
      .text { $0.asset.primaryResource?.uniformTypeIdentifier }),
    AssetField(
      "mimeType", "the MIME type of the file", .text(.string(pattern: "^(image|video)/")) { $0.mimeType }),
    AssetField("fileSize", short: "size", FactHelp.fileSize, .count { $0.asset.byteCount }),
    AssetField(
      "pixelWidth", short: "width", "\(FactHelp.pixelWidth); 0 where it is not known", told: .usual,
      .count { Int64($0.asset.pixelSize.width) },
      line: InfoLine("size") { record in
        let size = record.asset.pixelSize
        return size == .zero ? nil : "\(size.width) × \(size.height) pixels"
      }),
    AssetField(
      "pixelHeight", short: "height", "\(FactHelp.pixelHeight); 0 where it is not known", told: .usual,
      .count { Int64($0.asset.pixelSize.height) }),
    AssetField(
      "megapixels", "width times height in millions of pixels, to a tenth", .measure { $0.megapixels }),
    AssetField(
      "orientation", "how the pixels of the file are turned, as EXIF counts",
      .number(.oneOf(Orientation.allCases.map { Int($0.rawValue) })) { record in
        record.asset.primaryResource.map { Int($0.orientation.rawValue) }
      }),
    AssetField(
      "duration", "\(FactHelp.duration); 0 for stills", told: .usual, .measure { $0.asset.duration },
      line: InfoLine("duration") { $0.asset.duration > 0 ? InfoLine.duration($0.asset.duration) : nil }),
  ]

  private static let dates = [
    AssetField(
      "creationDate", short: "date", FactHelp.creationDate, told: .usual, .date { $0.asset.creationDate },
      line: InfoLine("taken") { record in
        record.asset.creationDate.iso8601 + (record.asset.dateZoneText.map { " (\($0))" } ?? "")
      }),
    AssetField(
      "creationDateSource", "what tells when it was taken, as exif or name", told: .usual,
      .word { $0.asset.creationDateSource }),
    AssetField(
      "creationTimestamp", "the same in seconds since 1970, where its offset from UTC is known", told: .usual,
      .timestamp { $0.asset.creationDate.secondsSince1970 }),
    AssetField(
      "modificationDate", short: "modified", "when the file was changed", told: .usual,
      .date { $0.asset.modificationDate }, line: InfoLine("changed")),
    AssetField(
      "modificationTimestamp", "the same in seconds since 1970", told: .usual,
      .timestamp { $0.asset.modificationDate.secondsSince1970 }),
  ]

  private static let exposure = [
    AssetField("camera", FactHelp.camera, from: .file, .text { $0.details.camera }, line: InfoLine("camera")),
    AssetField("lens", FactHelp.lens, from: .file, .text { $0.details.lens }, line: InfoLine("lens")),
    AssetField(
      "exposureTime", "the exposure time in seconds", from: .file, .measure { $0.details.exposureTime },
      line: InfoLine("exposure") { InfoLine.exposure($0.details) }),
    AssetField("fNumber", "the f-number", from: .file, .measure { $0.details.fNumber }),
    AssetField(
      "isoSpeed", "the sensitivity by ISO", from: .file, .count { $0.details.isoSpeed.map { Int64($0) } }),
    AssetField("focalLength", "the focal length in mm", from: .file, .measure { $0.details.focalLength }),
  ]

  private static let location = AssetField(
    "location", "where it was taken, in degrees of WGS 84", told: .usual, .place { $0.place },
    line: InfoLine("place") { record in
      record.asset.location.map { "\(InfoLine.degrees($0.latitude)), \(InfoLine.degrees($0.longitude))" }
    })

  private static let place = [
    location,
    AssetField(
      "latitude", "the latitude in degrees", told: .inTemplates(partOf: location.name),
      .measure(.number()) { $0.place?.latitude }),
    AssetField(
      "longitude", "the longitude in degrees", told: .inTemplates(partOf: location.name),
      .measure(.number()) { $0.place?.longitude }),
    AssetField(
      "altitude", "the altitude in meters above the sea", from: .file,
      .measure(.number()) { $0.details.altitude },
      line: InfoLine("altitude") { $0.details.altitude.map { "\(($0 * 10).rounded() / 10) m" } }),
  ]

  private static let marks = [
    AssetField(
      "rating", "\(FactHelp.rating); -1 for a rejected one",
      .number(.oneOf([-1, 1, 2, 3, 4, 5])) { $0.asset.rating == 0 ? nil : Int($0.asset.rating) },
      line: InfoLine("rating") { record in
        record.details.rating.map { $0 > 0 ? String(repeating: "★", count: $0) : $0 < 0 ? "rejected" : "" }
      }),
    AssetField(
      "isFavorite", "whether it is a favorite", told: .usual, .flag { $0.asset.isFavorite },
      line: InfoLine("favorite")),
    AssetField(
      "isHidden", "whether it is hidden", told: .usual, .flag { $0.asset.isHidden }, line: InfoLine("hidden")),
    AssetField(
      "hasAdjustments", "whether it was edited", .flag { $0.asset.hasAdjustments }, line: InfoLine("edited")),
    AssetField(
      "burstIdentifier", "what the photos of a burst share", told: .usual, .text { $0.asset.burstIdentifier },
      line: InfoLine("burst")),
  ]

  private static let texts = [
    AssetField(
      "title", "the title", from: .file, .text { $0.details.title }, line: InfoLine("title", isProse: true)),
    AssetField(
      "caption", "the caption", from: .file, .text { $0.details.caption },
      line: InfoLine("caption", isProse: true)),
    AssetField(
      "keywords", FactHelp.keywords, from: .file, .texts { $0.details.keywords },
      line: InfoLine("keywords", isProse: true)),
    AssetField(
      "people", FactHelp.people, from: .file, .texts { $0.details.people },
      line: InfoLine("people", isProse: true)),
  ]

  private static let groups = [
    AssetField(
      "albums", "\(FactHelp.albums): folders and smart albums, but not Recents", from: .albums,
      .albums { $0.albums }),
    AssetField(
      "resources", "the files of the photo, first the one that stands for it", told: .inJSON,
      .resources { $0.asset.resources }),
  ]
}

extension AssetRecord {
  /// Nil where the size is not known.
  fileprivate var megapixels: Double? {
    let size = asset.pixelSize
    return size.isEmpty ? nil : (Double(size.width) * Double(size.height) / 100_000).rounded() / 10
  }
}

// MARK: Names

extension AssetField {
  /// Those that JSON can have.
  package static let inJSON = all.filter(\.isInJSON)

  /// Those that templates can have, with each of their names, in the order in which messages list them.
  ///
  /// Names of files come first, then shorter names, before what they stand for.
  package static let inTemplates: [(name: String, field: AssetField)] = {
    let fields = all.filter { $0.use != .inJSON }
    return fields.filter(\.namesFile).map { ($0.name, $0) }
      + fields.compactMap { field in field.shortName.map { ($0, field) } }
      + fields.filter { !$0.namesFile }.map { ($0.name, $0) }
  }()

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let byTemplateName = Dictionary(
    uniqueKeysWithValues: inTemplates.map { ($0.name, $0.field) })

  /// The field with this key in JSON; nil where there is none.
  init?(key: String) {
    guard let field = Self.byName[key], field.isInJSON else { return nil }
    self = field
  }

  /// The field that a template names so; nil where there is none.
  init?(templateName: String) {
    guard let field = Self.byTemplateName[templateName] else { return nil }
    self = field
  }
}

/// Which fields of an asset are told, as `--fields` names them.
package struct FieldSelection: Hashable, Sendable {
  /// In the order of the table.
  let fields: [AssetField]

  /// The keys of an asset's JSON unless the caller lists others.
  package static let standard = FieldSelection(standardFields)

  /// The word that stands for every field, and alone.
  package static let everything = "all"

  /// What a list can begin with.
  package static var names: [String] { [everything] + AssetField.inJSON.map(\.name) }

  private static let standardFields = Set(AssetField.inJSON.filter { $0.use != .onRequest })

  private init(_ fields: Set<AssetField>) {
    self.fields = AssetField.inJSON.filter(fields.contains)
  }

  /// - Parameter text: `all`, names joined by commas, or such names behind a `+`, which come in addition to the
  ///   standard ones.
  /// - Throws: `FormatError` for a name of no field.
  package init(_ text: String) throws(FormatError) {
    if text == Self.everything {
      self.init(Set(AssetField.inJSON))
      return
    }
    let isAddition = text.hasPrefix("+")
    var fields = isAddition ? Self.standardFields : []
    for word in text.dropFirst(isAddition ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false) {
      fields.insert(try Self.field(String(word)))
    }
    // A path that is no UTF-8 is lossy as text.
    if fields.contains(.path) { fields.insert(.pathBytes) }
    self.init(fields)
  }

  private static func field(_ word: String) throws(FormatError) -> AssetField {
    if let field = AssetField(key: word) { return field }
    let names = AssetField.inJSON.map(\.name)
    let hint: String
    switch AssetField(templateName: word) {
    case let field? where field.isFileName: hint = " (a part of path, for templates)"
    case let field?: hint = " (is it \(field.keyOfWhole)?)"
    case nil: hint = NearestWord.of(word, in: names).map { " (is it \($0)?)" } ?? ""
    }
    throw FormatError(
      "unknown field '\(word)'\(hint); fields are \(everything), \(names.joined(separator: ", "))")
  }

  /// Whether the file has to be read.
  package var needsDetails: Bool { fields.contains { $0.origin == .file } }

  package var needsAlbums: Bool { fields.contains { $0.origin == .albums } }
}

/// What is wrong with a template or a list of fields, in words for whoever wrote it.
package struct FormatError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
