import AssetLibrary

/// What can be told of an asset: the keys of its JSON, after PhotoKit where PhotoKit has them.
package enum AssetField: String, CaseIterable, CodingKey, Sendable {
  case localIdentifier, path, pathBytes, uri, mediaType, mediaSubtypes, playbackStyle, pixelWidth, pixelHeight
  case creationDate, creationDateSource, creationTimestamp, modificationDate, modificationTimestamp, duration
  case isFavorite, isHidden, burstIdentifier, location, resources
  // Told where they are asked for: some are read from the file.
  case camera, lens, isoSpeed, fNumber, exposureTime, focalLength, altitude
  case title, caption, keywords, people
  case rating, contentType, mimeType, orientation, fileSize, albums

  /// The keys of an asset's JSON where nobody asks for others.
  package static let standard = Set(allCases.prefix { $0 != .camera })

  /// Whether the file has to be read for it.
  package var isDetail: Bool {
    switch self {
    case .camera, .lens, .isoSpeed, .fNumber, .exposureTime, .focalLength, .altitude, .title, .caption,
      .keywords, .people:
      true
    default: false
    }
  }
}

/// Which fields of an asset are told, as `--fields` names them.
package struct FieldSelection: Hashable, Sendable {
  package let fields: Set<AssetField>

  package static let standard = FieldSelection(AssetField.standard)

  package init(_ fields: Set<AssetField>) {
    self.fields = fields
  }

  /// - Parameter text: `all`, names joined by commas, or such names behind a `+`, which come in addition to the
  ///   standard ones.
  /// - Throws: `FormatError` for a name of no field.
  package init(_ text: String) throws(FormatError) {
    if text == "all" {
      self.init(Set(AssetField.allCases))
      return
    }
    let isAddition = text.hasPrefix("+")
    var fields = isAddition ? AssetField.standard : []
    for word in text.dropFirst(isAddition ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false) {
      fields.insert(try Self.field(String(word)))
    }
    // A path that is no UTF-8 is lossy as text.
    if fields.contains(.path) { fields.insert(.pathBytes) }
    self.init(fields)
  }

  private static func field(_ word: String) throws(FormatError) -> AssetField {
    if let field = AssetField(rawValue: word) { return field }
    let names = AssetField.allCases.map(\.rawValue).joined(separator: ", ")
    let hint =
      switch TemplateField(name: word) {
      case .asset(let field): " (is it \(field.rawValue)?)"
      case .latitude, .longitude: " (is it location?)"
      case .name, .stem, .fileExtension, .folder: " (a part of path, for templates)"
      case nil: NearestWord.of(word, in: AssetField.allCases.map(\.rawValue)).map { " (is it \($0)?)" } ?? ""
      }
    throw FormatError("unknown field '\(word)'\(hint); fields are all, \(names)")
  }

  /// Whether the file has to be read.
  package var needsDetails: Bool { fields.contains(where: \.isDetail) }

  package var needsAlbums: Bool { fields.contains(.albums) }
}

/// What is wrong with a template or a list of fields, in words for whoever wrote it.
package struct FormatError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
