import AssetLibrary

/// One collection as JSON: keys in camel case after PhotoKit, absent where nothing is known.
struct CollectionDocument: Encodable {
  var localIdentifier: String
  var title: String
  var type: String
  var subtype: String
  var estimatedAssetCount: Int?
  var startDate: String?
  var endDate: String?
  /// The list of folders around it.
  var parent: String?
  var keyAssets: [String]

  init(_ collection: AssetCollection, keyAssets: [LocalIdentifier]) {
    localIdentifier = collection.localIdentifier.rawValue
    title = collection.title
    type = collection.type.word
    subtype = "\(collection.subtype)"
    estimatedAssetCount = collection.estimatedAssetCount
    startDate = collection.startDate?.iso8601
    endDate = collection.endDate?.iso8601
    parent = collection.parent?.rawValue
    self.keyAssets = keyAssets.map(\.rawValue)
  }

  /// The document of all.
  struct Envelope: Encodable {
    var version = 1
    var collections: [CollectionDocument]
    var collectionLists: [ListDocument]
  }
}

/// One folder of folders as JSON.
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
  var word: String {
    switch self {
    case .album: "album"
    case .smartAlbum: "smartAlbum"
    case .moment: "moment"
    }
  }
}
