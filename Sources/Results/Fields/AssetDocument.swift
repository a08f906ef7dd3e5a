import AssetLibrary

/// An asset as JSON, with PhotoKit's names as keys; unknown values are omitted.
package struct AssetDocument: Encodable, Sendable {
  private let record: AssetRecord
  private let selection: FieldSelection

  package init(_ record: AssetRecord, _ selection: FieldSelection = .standard) {
    self.record = record
    self.selection = selection
  }

  private struct Place: Encodable {
    var latitude: Double
    var longitude: Double
  }

  private struct Resource: Encodable {
    var type: String
    var path: String
    /// The path in Base64 if it is not UTF-8; `path` is lossy then.
    var pathBytes: String?
    var size: Int64
  }

  private struct Album: Encodable {
    var localIdentifier: String
    var title: String
    var path: String?
    var pathBytes: String?
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AssetField.self)
    for field in selection.fields {
      switch record.value(of: field) {
      case nil: break
      case .text(let text): try container.encode(text, forKey: field)
      case .texts(let texts): try container.encode(texts, forKey: field)
      case .path(let path): try container.encode(PathText(path).text, forKey: field)
      case .integer(let number): try container.encode(number, forKey: field)
      case .number(let number): try container.encode(number, forKey: field)
      case .flag(let flag): try container.encode(flag, forKey: field)
      case .date(let date): try container.encode(date.iso8601, forKey: field)
      case .location(let place):
        try container.encode(Place(latitude: place.latitude, longitude: place.longitude), forKey: field)
      case .resources(let resources): try container.encode(resources.map(resource), forKey: field)
      case .albums(let albums): try container.encode(albums.map(album), forKey: field)
      }
    }
  }

  private func resource(_ resource: AssetResource) -> Resource {
    let path = PathText(record.path(of: resource))
    return Resource(
      type: resource.type.rawValue, path: path.text, pathBytes: path.base64, size: resource.byteCount)
  }

  private func album(_ album: AssetRecord.Album) -> Album {
    let path = album.path.map(PathText.init)
    return Album(
      localIdentifier: album.localIdentifier, title: album.title, path: path?.text, pathBytes: path?.base64)
  }
}
