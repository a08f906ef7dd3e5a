import AssetLibrary
import FoundationEssentials
import Pixels
import TerminalText

/// An asset as JSON, with PhotoKit's names as keys; unknown values are omitted.
struct AssetDocument: Encodable {
  struct Place: Encodable {
    var latitude: Double
    var longitude: Double
  }

  struct Resource: Encodable {
    var type: String
    var path: String
    var size: Int64
  }

  var localIdentifier: String
  var path: String
  /// The path in Base64 if it is not UTF-8; `path` is lossy then.
  var pathBytes: String?
  var uri: String
  var mediaType: String
  var mediaSubtypes: [String]
  var playbackStyle: String
  var pixelWidth: Int
  var pixelHeight: Int
  var creationDate: String
  var modificationDate: String
  var duration: Double
  var isFavorite: Bool
  var isHidden: Bool
  var burstIdentifier: String?
  var location: Place?
  var resources: [Resource]

  init(_ asset: Asset) {
    let bytes = asset.primaryResource?.path.bytes ?? []
    localIdentifier = asset.localIdentifier.rawValue
    path = String(decoding: bytes, as: UTF8.self)
    pathBytes = path.utf8.elementsEqual(bytes) ? nil : Data(bytes).base64EncodedString()
    uri = FileURI.text(for: asset)
    mediaType = asset.mediaType.rawValue
    mediaSubtypes = asset.mediaSubtypes.names
    playbackStyle = asset.playbackStyle.rawValue
    pixelWidth = asset.pixelSize.width
    pixelHeight = asset.pixelSize.height
    creationDate = asset.creationDate.iso8601
    modificationDate = asset.modificationDate.iso8601
    duration = asset.duration
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    burstIdentifier = asset.burstIdentifier
    location = asset.location.map { Place(latitude: $0.latitude, longitude: $0.longitude) }
    resources = asset.resources.map { resource in
      Resource(
        type: resource.type.rawValue, path: String(decoding: resource.path.bytes, as: UTF8.self),
        size: resource.byteCount)
    }
  }

  /// Encodes a value as one line of JSON, on a terminal without characters that act on it.
  /// - Throws: `Failure` if a value can't be encoded, such as a number that is not finite.
  static func line(_ value: some Encodable) throws(Failure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let bytes = Array(try encoder.encode(value))
      return StandardStream.output.isTerminal ? ControlCharacters.escaped(json: bytes) : bytes
    } catch {
      throw .error("JSON: \(error)")
    }
  }
}
