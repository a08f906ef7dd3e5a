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
    /// As for the asset.
    var pathBytes: String?
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
  var creationDateSource: String?
  /// Seconds since 1970, UTC; left out where the zone of the date is not known.
  var creationTimestamp: Int64?
  var modificationDate: String
  var modificationTimestamp: Int64?
  var duration: Double
  var isFavorite: Bool
  var isHidden: Bool
  var burstIdentifier: String?
  var location: Place?
  var resources: [Resource]

  init(_ asset: Asset, paths: PathStyle = .given) {
    localIdentifier = asset.localIdentifier.rawValue
    (path, pathBytes) = Self.text(of: asset.primaryResource.map { paths.bytes(of: $0.path) } ?? [])
    uri = FileURI.text(for: asset)
    mediaType = asset.mediaType.rawValue
    mediaSubtypes = asset.mediaSubtypes.names
    playbackStyle = asset.playbackStyle.rawValue
    pixelWidth = asset.pixelSize.width
    pixelHeight = asset.pixelSize.height
    creationDate = asset.creationDate.iso8601
    creationDateSource = asset.creationDateSource?.rawValue
    creationTimestamp = asset.creationDate.secondsSince1970
    modificationDate = asset.modificationDate.iso8601
    modificationTimestamp = asset.modificationDate.secondsSince1970
    duration = asset.duration
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    burstIdentifier = asset.burstIdentifier
    location = asset.location.map {
      Place(latitude: Self.degrees($0.latitude), longitude: Self.degrees($0.longitude))
    }
    resources = asset.resources.map { resource in
      let (path, pathBytes) = Self.text(of: paths.bytes(of: resource.path))
      return Resource(
        type: resource.type.rawValue, path: path, pathBytes: pathBytes, size: resource.byteCount)
    }
  }

  /// A path as text, and in Base64 if that is lossy.
  private static func text(of path: [UInt8]) -> (String, String?) {
    let text = String(decoding: path, as: UTF8.self)
    return (text, text.utf8.elementsEqual(path) ? nil : Data(path).base64EncodedString())
  }

  /// Degrees without what calculating with minutes and seconds left behind: to a millimeter, finer than any source.
  private static func degrees(_ angle: Double) -> Double { (angle * 100_000_000).rounded() / 100_000_000 }

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
