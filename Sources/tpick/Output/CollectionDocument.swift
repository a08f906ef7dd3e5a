import AssetLibrary
import Results

/// A collection as JSON, with PhotoKit's names as keys; unknown values are omitted.
struct CollectionDocument: Encodable {
  var localIdentifier: String
  var title: String
  var type: String
  var subtype: String
  var estimatedAssetCount: Int?
  var startDate: String?
  var endDate: String?
  /// The identifier of the parent folder.
  var parent: String?
  /// The path of a folder, lossy if it is not UTF-8.
  var path: String?
  var keyAssets: [String]

  init(_ collection: AssetCollection, keyAssets: [LocalIdentifier]) {
    localIdentifier = collection.localIdentifier.rawValue
    title = collection.title
    type = collection.type.name
    subtype = "\(collection.subtype)"
    estimatedAssetCount = collection.estimatedAssetCount
    startDate = collection.startDate?.iso8601
    endDate = collection.endDate?.iso8601
    parent = collection.parent?.rawValue
    path = collection.path.map { String(decoding: $0.bytes, as: UTF8.self) }
    self.keyAssets = keyAssets.map(\.rawValue)
  }

  /// The whole JSON document.
  struct Envelope: Encodable {
    var version = 1
    var collections: [CollectionDocument]
    var collectionLists: [ListDocument]
  }
}

/// A folder of folders as JSON.
struct ListDocument: Encodable {
  var localIdentifier: String
  var title: String
  var parent: String?

  init(_ list: CollectionList) {
    localIdentifier = list.localIdentifier.rawValue
    title = list.title
    parent = list.parent?.rawValue
  }
}

extension AssetCollectionType {
  var name: String {
    switch self {
    case .album: "album"
    case .smartAlbum: "smartAlbum"
    case .moment: "moment"
    }
  }
}
