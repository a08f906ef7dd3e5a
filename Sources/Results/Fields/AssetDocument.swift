import AssetLibrary

/// An asset as JSON, with PhotoKit's names as keys.
///
/// Unknown values are omitted.
package struct AssetDocument: Encodable, Sendable {
  private let record: AssetRecord
  private let fields: [AssetField]
  private let hasDetails: Bool

  /// Creates the document with the fields of a selection.
  package init(_ record: AssetRecord, _ selection: FieldSelection = .standard) {
    (self.record, fields, hasDetails) = (record, selection.fields, false)
  }

  /// Creates the document of `tpick info`: the standard fields, and under the key `details` the fields read
  /// from the file.
  package init(withDetails record: AssetRecord) {
    (self.record, fields, hasDetails) = (record, FieldSelection.standard.fields, true)
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  private static let detailsKey = Key(stringValue: "details")

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for field in fields { try encode(field, to: &container) }
    guard hasDetails else { return }
    var details = container.nestedContainer(keyedBy: Key.self, forKey: Self.detailsKey)
    for field in Self.detailFields { try encode(field, to: &details) }
    try details.encodeIfPresent(record.details.rating, forKey: Key(stringValue: Self.rating))
  }

  private func encode(_ field: AssetField, to container: inout KeyedEncodingContainer<Key>) throws {
    let key = Key(stringValue: field.name)
    switch field.content.value(record) {
    case nil: break
    case .text(let text): try container.encode(text, forKey: key)
    case .texts(let texts): try container.encode(texts, forKey: key)
    case .path(let path): try container.encode(PathText(path).text, forKey: key)
    case .integer(let number): try container.encode(number, forKey: key)
    case .number(let number): try container.encode(number, forKey: key)
    case .flag(let flag): try container.encode(flag, forKey: key)
    case .date(let date): try container.encode(date.iso8601, forKey: key)
    case .location(let place):
      try container.encode(Place(latitude: place.latitude, longitude: place.longitude), forKey: key)
    case .resources(let resources): try container.encode(resources.map(resource), forKey: key)
    case .albums(let albums): try container.encode(albums.map(album), forKey: key)
    case .tracks(let tracks): try container.encode(tracks.map(Track.init), forKey: key)
    case .chapters(let chapters): try container.encode(chapters.map(Chapter.init), forKey: key)
    }
  }

  // MARK: Details

  private static let detailFields = AssetField.all.filter { $0.origin == .file }
  /// The key of the rating that the file itself stores; unlike `Asset.rating`, 0 means that the file stores
  /// 0.
  private static let rating = "rating"

  /// The members of `details`.
  package static var details: [FieldSchema.Member] {
    detailFields.map { FieldSchema.Member($0.name, $0.schema, help: $0.help) } + [
      FieldSchema.Member(rating, .oneOf([-1, 0, 1, 2, 3, 4, 5]), help: "the rating stored in the file")
    ]
  }

  // MARK: Parts

  private struct Place: Encodable {
    var latitude: Double
    var longitude: Double
  }

  private struct Resource: Encodable {
    var type: String
    var path: String
    /// The path in Base64 if it is not UTF-8; `path` is lossy in that case.
    var pathBytes: String?
    var size: Int64
  }

  private func resource(_ resource: AssetResource) -> Resource {
    let path = PathText(record.path(of: resource))
    return Resource(
      type: resource.type.rawValue, path: path.text, pathBytes: path.base64, size: resource.byteCount)
  }

  private struct Track: Encodable {
    var kind: String
    var codec: String?
    var profile: String?
    var language: String?
    var duration: Double?
    /// nil unless it is one.
    var isCover: Bool?
    var width: Int?
    var height: Int?
    var channels: Int?
    var sampleRate: Int?

    init(_ track: MovieTrack) {
      kind = track.kind.name
      (codec, profile, language) = (track.codec, track.profile, track.language)
      duration = track.duration
      isCover = track.isCover ? true : nil
      // The size of a cover may be known only to its decoder.
      if let video = track.video, video.width > 0, video.height > 0 {
        (width, height) = (video.width, video.height)
      }
      (channels, sampleRate) = (track.channelCount, track.sampleRate)
    }
  }

  private struct Chapter: Encodable {
    var title: String?
    var start: Double
    var end: Double

    init(_ chapter: MovieChapter) {
      (title, start, end) = (chapter.title, chapter.start, chapter.end)
    }
  }

  private struct Album: Encodable {
    var localIdentifier: String
    var title: String
    var path: String?
    var pathBytes: String?
  }

  private func album(_ album: AssetRecord.Album) -> Album {
    let path = album.path.map(PathText.init)
    return Album(
      localIdentifier: album.localIdentifier, title: album.title, path: path?.text, pathBytes: path?.base64)
  }
}
