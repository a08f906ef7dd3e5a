import AssetLibrary
import Results
import SystemPackage

/// Reads the properties of assets that are not in the index: metadata from files, and albums.
struct RecordReader: Sendable {
  /// The albums to print, with the identifiers of their assets.
  typealias Membership = [(album: AssetRecord.Album, members: [LocalIdentifier])]

  private let details: @Sendable (Asset) throws(AssetError) -> AssetDetails
  private let membership: @Sendable () -> Membership

  /// Reads what a client may see.
  init(_ manager: any AssetManager) {
    details = { asset throws(AssetError) in try manager.details(of: asset) }
    membership = {
      Self.albums(manager.fetchCollections(of: .default, options: Self.everything)).map { collection in
        let members = manager.fetchAssets(in: collection.id, options: Self.everything).identifiers
        return (AssetRecord.Album(collection), members)
      }
    }
  }

  /// Reads everything.
  init(_ store: any AssetFetching) {
    details = { asset throws(AssetError) in try store.details(of: asset) }
    membership = {
      Self.albums(store.collections(of: .default, options: Self.everything)).map { collection in
        let members = store.assets(in: collection.id, options: Self.everything).identifiers
        return (AssetRecord.Album(collection), members)
      }
    }
  }

  private static var everything: FetchOptions {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return options
  }

  /// All but the one that contains everything.
  private static func albums(_ collections: FetchResult<AssetCollection>) -> [AssetCollection] {
    collections.filter { $0.id != AssetCollection.recents }
  }

  /// The albums that each asset is in.
  func albums() -> [LocalIdentifier: [AssetRecord.Album]] {
    var albums: [LocalIdentifier: [AssetRecord.Album]] = [:]
    for (album, members) in membership() {
      for member in members { albums[member, default: []].append(album) }
    }
    return albums
  }

  /// Makes records with the requested properties.
  ///
  /// Warns about files that can't be read any more.
  func records(
    needsDetails: Bool, needsAlbums: Bool, pathBytes: @escaping @Sendable (AssetResource) -> [UInt8]
  ) -> (Asset) -> AssetRecord {
    let albums = needsAlbums ? self.albums() : [:]
    return { asset in
      var found = AssetDetails()
      if needsDetails {
        do throws(AssetError) { found = try details(asset) } catch { Messages.warn("\(error)") }
      }
      return AssetRecord(asset, details: found, albums: albums[asset.id] ?? [], pathBytes: pathBytes)
    }
  }
}

extension AssetRecord.Album {
  fileprivate init(_ collection: AssetCollection) {
    self.init(
      localIdentifier: collection.localIdentifier.rawValue, title: collection.title,
      path: collection.path?.bytes)
  }
}
