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
