import AssetLibrary
import Pixels

/// A property of an asset in output: a key in JSON, a name in templates, a line of `tpick info`.
///
/// The rows of the table below define everything about a field. Options, completion, the schema and the
/// manual's table of fields are derived from them; `FieldDocumentTests` writes the last two.
package struct AssetField: Sendable {
  /// In which outputs a field appears.
  package enum Use: Hashable, Sendable {
    /// In JSON by default, and in templates.
    case usual
    /// In JSON only if the caller lists its key, and in templates.
    case onRequest
    /// Only in JSON, by default.
    case inJSON
    /// Only in templates: in JSON it is part of another field.
    case inTemplates(partOf: String)
  }

  /// The data that must be loaded for the field.
  package enum Origin: Sendable { case index, file, albums }

  /// The key in JSON and the name in templates; PhotoKit's name if there is one.
  package let name: String
  /// An alternative name in templates.
  package let shortName: String?
  /// A short description.
  package let help: String
  package let use: Use
  package let origin: Origin
  let content: FieldContent
  /// The line in the text of `tpick info`; nil if it has none.
  let line: InfoLine?

  private init(
    _ name: String, short shortName: String? = nil, _ help: String, use: Use = .onRequest,
    from origin: Origin = .index, _ content: FieldContent, line: InfoLine? = nil
  ) {
    (self.name, self.shortName, self.help, self.use, self.origin) = (name, shortName, help, use, origin)
    (self.content, self.line) = (content, line)
  }

  /// The schema of its value in JSON.
  package var schema: FieldSchema { content.schema }

  /// Whether it is a date; templates can format dates.
  var isDate: Bool { content.kind == .date }

  /// Whether its value is part of a file's path, which is never altered.
  var isFileName: Bool { content.kind == .path }

  /// Whether it identifies a file, so that an asset with several files has several values.
  var namesFile: Bool { isFileName || name == Self.uri.name }

  /// The key in JSON, or the key of the field that it is part of.
  var containingKey: String { if case .inTemplates(let whole) = use { whole } else { name } }

  /// Whether JSON can contain it.
  var isInJSON: Bool { if case .inTemplates = use { false } else { true } }
}

extension AssetField: Hashable {
  package static func == (a: AssetField, b: AssetField) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: The table

extension AssetField {
  /// All fields, in the order of listings and of `tpick info`.
  package static let all = files + picture + movie + dates + exposure + place + marks + texts + groups

  static let localIdentifier = AssetField(
    "localIdentifier", short: "id", "the identifier, which a photo keeps under another name", use: .usual,
    .text(.string(minLength: 1)) { $0.asset.localIdentifier.rawValue })
  static let path = AssetField(
    "path", FactHelp.path, use: .usual, .path { $0.path },
    line: InfoLine("path") { record in
      record.asset.primaryResource.map { String(decoding: $0.path.bytes, as: UTF8.self) }
    })
  static let pathBytes = AssetField(
    "pathBytes", "the path in Base64, only where it is not UTF-8", use: .inJSON,
    .text(.definition("bytes")) { PathText($0.path).base64 })
  private static let uri = AssetField(
    "uri", "the path as a URI", use: .usual,
    .text(.string(pattern: "^file:///[-._~/%A-Za-z0-9]*$")) { FileURI.text(for: $0.asset) })

  private static let files = [
    localIdentifier, path,
    AssetField(
      "name", "the file's name", use: .inTemplates(partOf: path.name), .path { $0.path.lastComponent }),
    AssetField(
      "stem", "the file's name without its extension", use: .inTemplates(partOf: path.name),
      .path { $0.path.lastComponent.splitExtension.stem }),
    AssetField(
      "extension", FactHelp.fileExtension, use: .inTemplates(partOf: path.name),
      .path { $0.path.lastComponent.splitExtension.fileExtension }),
    AssetField(
      "folder", "the path of the file's folder", use: .inTemplates(partOf: path.name),
      .path { $0.path.folder }),
    pathBytes, uri,
  ]

  private static let picture = [
    AssetField(
      "mediaType", short: "type", "image, video, audio or unknown", use: .usual,
      .word { $0.asset.mediaType },
      line: InfoLine("type")),
    AssetField(
      "mediaSubtypes", "special kinds that it belongs to, such as livePhoto or raw", use: .usual,
      .texts(.list(of: .word(MediaSubtypes.allNames), isSet: true)) { $0.asset.mediaSubtypes.names },
      line: InfoLine("subtypes")),
    AssetField(
      "playbackStyle", "how it is shown: as a still, as a video, as an animation", use: .usual,
      .word { $0.asset.playbackStyle }),
    AssetField(
      "contentType", "Apple's uniform type identifier of the file",
      .text { $0.asset.primaryResource?.uniformTypeIdentifier }),
    AssetField(
      "mimeType", "the MIME type of the file", .text(.string(pattern: "^(image|video)/")) { $0.mimeType }),
    AssetField("fileSize", short: "size", FactHelp.fileSize, .count { $0.asset.byteCount }),
    AssetField(
      "pixelWidth", short: "width", "\(FactHelp.pixelWidth); 0 if unknown", use: .usual,
      .count { Int64($0.asset.pixelSize.width) },
      line: InfoLine("size") { record in
        let size = record.asset.pixelSize
        return size == .zero ? nil : "\(size.width) × \(size.height) pixels"
      }),
    AssetField(
      "pixelHeight", short: "height", "\(FactHelp.pixelHeight); 0 if unknown", use: .usual,
      .count { Int64($0.asset.pixelSize.height) }),
    AssetField(
      "megapixels", "width times height in millions of pixels, to a tenth", .measure { $0.megapixels }),
    AssetField(
      "orientation", "how the pixels of the file are turned, as EXIF counts",
      .number(.oneOf(Orientation.allCases.map { Int($0.rawValue) })) { record in
        record.asset.primaryResource.map { Int($0.orientation.rawValue) }
      }),
    AssetField(
      "duration", "\(FactHelp.duration); 0 for stills", use: .usual, .measure { $0.asset.duration },
      line: InfoLine("duration") { $0.asset.duration > 0 ? InfoLine.duration($0.asset.duration) : nil }),
    AssetField(
      "partStart", "where a part of a video begins, in seconds of the whole; only for a part", use: .usual,
      .measure { $0.part?.start }),
    AssetField(
      "partEnd", "where a part of a video ends, in seconds of the whole; only for a part", use: .usual,
      .measure { $0.part?.end }),
    AssetField(
      "keyPhotoTime", "which frame of its clip a Live Photo shows, in seconds; only for another key photo",
      use: .usual, .measure { $0.keyPhotoTime }),
  ]

  private static let movie = [
    AssetField(
      "container", "the container of a video, as FFmpeg names it", from: .file,
      .text { $0.details.movie?.container }),
    AssetField(
      "videoCodec", "the codec of a video, as FFmpeg names it", from: .file, .text { $0.video?.codec },
      line: InfoLine("codec") { InfoLine.codec($0.video) }),
    AssetField(
      "videoProfile", "the codec's profile, as FFmpeg names it", from: .file, .text { $0.video?.profile }),
    AssetField(
      "dynamicRange", "the dynamic range of a video", from: .file,
      .text(.word(MovieTrack.DynamicRange.allCases.map(\.name))) { $0.video?.video?.dynamicRange.name }),
    AssetField(
      "frameRate", "the average number of frames per second", from: .file,
      .measure { $0.video?.video?.frameRate }),
    AssetField(
      "isVariableFrameRate", "whether frames have different durations", from: .file,
      .flag { $0.video?.video?.isVariableFrameRate }),
    AssetField(
      "rotation", "the clockwise degrees that turn the frames of a video upright", from: .file,
      .number(.oneOf([0, 90, 180, 270])) { $0.video?.video?.rotation }),
    AssetField(
      "pixelAspectRatio", "the shape of a video's pixels, as 4:3; 1:1 for squares", from: .file,
      .text(.string(pattern: "^[0-9]+:[0-9]+$")) { record in
        (record.video?.video).map { "\($0.pixelWidth):\($0.pixelHeight)" }
      }),
    AssetField(
      "audioCodec", "the codec of the sound, as FFmpeg names it", from: .file,
      .text { $0.details.movie?.audioTrack?.codec },
      line: InfoLine("sound") { InfoLine.sound($0.details.movie?.audioTrack) }),
    AssetField(
      "tracks", "the tracks of a video", from: .file, .tracks { $0.details.movie?.tracks }),
    AssetField(
      "chapters", "the chapters of a video", from: .file, .chapters { $0.details.movie?.chapters },
      line: InfoLine("chapters", isProse: true) { record in
        record.details.movie?.chapters.compactMap(\.title).joined(separator: ", ")
      }),
    AssetField(
      "contentIdentifier", "what the two files of a Live Photo share", from: .file,
      .text { $0.details.contentIdentifier }),
  ]

  private static let dates = [
    AssetField(
      "creationDate", short: "date", FactHelp.creationDate, use: .usual, .date { $0.asset.creationDate },
      line: InfoLine("taken") { record in
        record.asset.creationDate.iso8601 + (record.asset.dateZoneText.map { " (\($0))" } ?? "")
      }),
    AssetField(
      "creationDateSource", "where the creation date comes from, such as exif or name", use: .usual,
      .word { $0.asset.creationDateSource }),
    AssetField(
      "creationTimestamp", "the same in seconds since 1970, where its offset from UTC is known", use: .usual,
      .timestamp { $0.asset.creationDate.secondsSince1970 }),
    AssetField(
      "modificationDate", short: "modified", "when the file was changed", use: .usual,
      .date { $0.asset.modificationDate }, line: InfoLine("changed")),
    AssetField(
      "modificationTimestamp", "the same in seconds since 1970", use: .usual,
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
    "location", "where it was taken, in degrees of WGS 84", use: .usual, .place { $0.place },
    line: InfoLine("place") { record in
      record.asset.location.map { "\(InfoLine.degrees($0.latitude)), \(InfoLine.degrees($0.longitude))" }
    })

  private static let place = [
    location,
    AssetField(
      "latitude", "the latitude in degrees", use: .inTemplates(partOf: location.name),
      .measure(.number()) { $0.place?.latitude }),
    AssetField(
      "longitude", "the longitude in degrees", use: .inTemplates(partOf: location.name),
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
      "isFavorite", "whether it is a favorite", use: .usual, .flag { $0.asset.isFavorite },
      line: InfoLine("favorite")),
    AssetField(
      "isHidden", "whether it is hidden", use: .usual, .flag { $0.asset.isHidden }, line: InfoLine("hidden")),
    AssetField(
      "hasAdjustments", "whether it was edited", .flag { $0.asset.hasAdjustments }, line: InfoLine("edited")),
    AssetField(
      "burstIdentifier", "what the photos of a burst share", use: .usual, .text { $0.asset.burstIdentifier },
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
      "resources", "the files of the photo, first the one that stands for it", use: .inJSON,
      .resources { $0.asset.resources }),
  ]
}

extension AssetRecord {
  /// The track of a video that is shown.
  fileprivate var video: MovieTrack? { details.movie?.videoTrack }

  /// The part of a video that the user chose, as a file or not yet, in seconds; nil for a whole.
  fileprivate var part: (start: Double, end: Double)? {
    (asset.trim ?? asset.deliveredPart).map { ($0.lowerBound / .seconds(1), $0.upperBound / .seconds(1)) }
  }

  /// The time of the frame that the user chose as the key photo, as a file or not yet, in seconds; nil for the
  /// original one.
  fileprivate var keyPhotoTime: Double? {
    (asset.keyPhotoTime ?? asset.deliveredKeyPhotoTime).map { $0 / .seconds(1) }
  }

  /// nil if the size is unknown.
  fileprivate var megapixels: Double? {
    let size = asset.pixelSize
    return size.isEmpty ? nil : (Double(size.width) * Double(size.height) / 100_000).rounded() / 10
  }
}

// MARK: Names

extension AssetField {
  /// The fields that JSON can contain.
  package static let inJSON = all.filter(\.isInJSON)

  /// The fields that templates can contain, once for each of their names, in the order in which messages list
  /// them.
  ///
  /// Names of files come first, then short names, then all other names.
  package static let inTemplates: [(name: String, field: AssetField)] = {
    let fields = all.filter { $0.use != .inJSON }
    return fields.filter(\.namesFile).map { ($0.name, $0) }
      + fields.compactMap { field in field.shortName.map { ($0, field) } }
      + fields.filter { !$0.namesFile }.map { ($0.name, $0) }
  }()

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let byTemplateName = Dictionary(
    uniqueKeysWithValues: inTemplates.map { ($0.name, $0.field) })

  /// Finds the field with a key in JSON; nil if there is none.
  init?(key: String) {
    guard let field = Self.byName[key], field.isInJSON else { return nil }
    self = field
  }

  /// Finds the field with a name in templates; nil if there is none.
  init?(templateName: String) {
    guard let field = Self.byTemplateName[templateName] else { return nil }
    self = field
  }
}

/// The fields of an asset to output, as given to `--fields`.
package struct FieldSelection: Hashable, Sendable {
  /// In the order of the table.
  let fields: [AssetField]

  /// The default keys of an asset's JSON.
  package static let standard = FieldSelection(standardFields)

  /// The word that selects all fields; must be the only word.
  package static let everything = "all"

  /// All words that a list can start with.
  package static var names: [String] { [everything] + AssetField.inJSON.map(\.name) }

  private static let standardFields = Set(AssetField.inJSON.filter { $0.use != .onRequest })

  private init(_ fields: Set<AssetField>) {
    self.fields = AssetField.inJSON.filter(fields.contains)
  }

  /// - Parameter text: `all`, names joined by commas, or a `+` and such names, which are then added to the
  ///   standard ones.
  /// - Throws: `FormatError` for an unknown name.
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
    // A path that is not UTF-8 is lossy as text.
    if fields.contains(.path) { fields.insert(.pathBytes) }
    self.init(fields)
  }

  private static func field(_ word: String) throws(FormatError) -> AssetField {
    if let field = AssetField(key: word) { return field }
    let names = AssetField.inJSON.map(\.name)
    let hint: String
    switch AssetField(templateName: word) {
    case let field? where field.isFileName: hint = " (a part of path, for templates)"
    case let field?: hint = " (is it \(field.containingKey)?)"
    case nil: hint = NearestWord.of(word, in: names).map { " (is it \($0)?)" } ?? ""
    }
    throw FormatError(
      "unknown field '\(word)'\(hint); fields are \(everything), \(names.joined(separator: ", "))")
  }

  /// Whether the file has to be read.
  package var needsDetails: Bool { fields.contains { $0.origin == .file } }

  package var needsAlbums: Bool { fields.contains { $0.origin == .albums } }
}

/// An error in a template or a list of fields, worded for its author.
package struct FormatError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
