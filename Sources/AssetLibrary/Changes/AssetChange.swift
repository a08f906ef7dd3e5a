/// A change of the library by the user: a mark of an asset, a change of the user's own albums, or the way of assets into the
/// trash and back.
///
/// What it says is kept beside the photos; no byte of a file changes. Changes are values: `AssetManager.performChanges` makes
/// several of them, all or none, and answers with the changes that take them back.
///
///     let album = UserAlbum.newIdentifier()
///     let undo = try manager.performChanges([
///       .createAlbum(album, title: "Lisbon"), .addAssets(picked, to: album), .setFavorite(picked[0], true),
///     ])
public enum AssetChange: Hashable, Sendable {
  case setFavorite(LocalIdentifier, Bool)
  case setHidden(LocalIdentifier, Bool)
  /// Moves all files of assets into the trash of the desktop, or none. Albums keep their places.
  case delete([LocalIdentifier])
  /// Brings assets back that `delete` moved into the trash, all or none; nothing is overwritten.
  case restore([LocalIdentifier])
  /// Makes an empty album.
  ///
  /// The identifier is a new one, from `UserAlbum.newIdentifier()`, so that later changes of the same call can name the
  /// album. It comes to stand at `index` among the user's albums; nil = after all others.
  case createAlbum(LocalIdentifier, title: String, index: Int? = nil)
  case renameAlbum(LocalIdentifier, title: String)
  /// Moves an album to another index among the user's albums.
  case moveAlbum(LocalIdentifier, to: Int)
  /// Deletes an album; its assets stay in the library.
  case deleteAlbum(LocalIdentifier)
  /// Adds assets at the end of an album, in this order; those that it has already stay where they are.
  case addAssets([LocalIdentifier], to: LocalIdentifier)
  /// Inserts assets so that afterwards the first one has the first index, and so on.
  ///
  /// The indexes ascend. Assets that the album has already stay where they are, and their indexes are not used.
  case insertAssets([LocalIdentifier], at: [Int], in: LocalIdentifier)
  /// Takes assets out of an album; those that are not in it are ignored.
  case removeAssets([LocalIdentifier], from: LocalIdentifier)
  /// Moves assets of an album together, in this order, so that the first one has the index `to` afterwards.
  case moveAssets([LocalIdentifier], to: Int, in: LocalIdentifier)

  /// The assets that the change is about and that have to be in the library.
  ///
  /// What is taken out of an album, put back into it, moved in it, or brought back from the trash may have left the library.
  public var requiredAssets: [LocalIdentifier] {
    switch self {
    case .setFavorite(let asset, _), .setHidden(let asset, _): [asset]
    case .addAssets(let assets, _), .delete(let assets): assets
    case .restore, .createAlbum, .renameAlbum, .moveAlbum, .deleteAlbum, .insertAssets, .removeAssets,
      .moveAssets:
      []
    }
  }

  /// Looks whether changes can be made together.
  /// - Throws: `AssetError` where an asset is deleted or brought back, and named once more.
  package static func check(_ changes: [AssetChange]) throws(AssetError) {
    var moved: Set<LocalIdentifier> = []
    for change in changes {
      switch change {
      case .delete(let assets), .restore(let assets): moved.formUnion(assets)
      default: break
      }
    }
    if moved.isEmpty { return }
    var count = 0
    for change in changes {
      switch change {
      case .delete(let assets), .restore(let assets): count += Set(assets).count
      default: break
      }
      let isMove = if case .delete = change { true } else { false }
      if !isMove, let asset = change.requiredAssets.first(where: moved.contains) {
        throw AssetError(asset.rawValue, "is deleted, and changed by the same call")
      }
    }
    if count > moved.count { throw AssetError("trash", "an asset is deleted or brought back twice at once") }
  }

  /// The album that the change is about; nil for a mark of an asset.
  public var album: LocalIdentifier? {
    switch self {
    case .setFavorite, .setHidden, .delete, .restore: nil
    case .createAlbum(let album, _, _), .renameAlbum(let album, _), .moveAlbum(let album, _),
      .deleteAlbum(let album), .addAssets(_, let album), .insertAssets(_, _, let album),
      .removeAssets(_, let album), .moveAssets(_, _, let album):
      album
    }
  }
}
