/// A change of the library by the user: a mark or correction of an asset, a change of the user's albums, or moving
/// assets into the trash and back.
///
/// Marks, corrections and albums are stored beside the library; no byte of a photo changes. Changes are values.
/// `AssetManager.performChanges` performs several of them, all or none, and returns the changes that undo them.
///
///     let album = UserAlbum.newIdentifier()
///     let undo = try manager.performChanges([
///       .createAlbum(album, title: "Lisbon"), .addAssets(picked, to: album), .setFavorite(picked[0], true),
///     ])
public enum AssetChange: Hashable, Sendable {
  /// Marks an asset as a favorite, or removes the mark.
  case setFavorite(LocalIdentifier, Bool)
  /// Hides an asset, or shows it again.
  case setHidden(LocalIdentifier, Bool)
  /// Corrects when an asset was taken; nil = what its files say counts again.
  ///
  /// The date must be in the years 1 to 9999, with an offset of at most 18 hours from UTC or none.
  case setCreationDate(LocalIdentifier, AssetDate?)
  /// Corrects where an asset was taken; nil = what its files say counts again.
  case setLocation(LocalIdentifier, LocationCorrection?)
  /// Creates an asset that `AssetManager.prepareAsset` prepared, under the identifier that it returned.
  ///
  /// Does nothing if that is an existing asset. If the call fails, prepare the asset again.
  case createAsset(LocalIdentifier)
  /// Moves the edited files of assets into the trash, so that the originals are shown again; all or none.
  case revertToOriginal([LocalIdentifier])
  /// Moves the edited files of assets back that `revertToOriginal` moved into the trash, all or none.
  case restoreEdits([LocalIdentifier])
  /// Moves all files of assets into the desktop's trash, or none of them. Albums keep the positions of the assets.
  case delete([LocalIdentifier])
  /// Moves assets back from the trash into which `delete` moved them, all or none; never overwrites a file.
  ///
  /// Also restores assets that another program moved there: all that Recently Deleted contains.
  case restore([LocalIdentifier])
  /// Deletes assets of Recently Deleted for good, each with all its files; no change undoes it.
  ///
  /// It must be the only change of a call. If a file can't be deleted, the other assets are deleted nevertheless, and
  /// the error names the file.
  case deletePermanently([LocalIdentifier])
  /// Creates an empty album.
  ///
  /// The identifier is a new one from `UserAlbum.newIdentifier()`, so that later changes of the same call can name the
  /// album. `index` is its position among the user's albums; nil = the last one.
  case createAlbum(LocalIdentifier, title: String, index: Int? = nil)
  /// Gives an album another title.
  case renameAlbum(LocalIdentifier, title: String)
  /// Moves an album to another index among the user's albums.
  case moveAlbum(LocalIdentifier, to: Int)
  /// Deletes an album; its assets stay in the library.
  case deleteAlbum(LocalIdentifier)
  /// Appends assets to an album, in this order; assets that it already has keep their positions.
  case addAssets([LocalIdentifier], to: LocalIdentifier)
  /// Inserts assets so that afterwards the first one has the first index, and so on.
  ///
  /// The indexes must ascend. Assets that the album already has keep their positions, and their indexes are ignored.
  case insertAssets([LocalIdentifier], at: [Int], in: LocalIdentifier)
  /// Removes assets from an album; assets that are not in it are ignored.
  case removeAssets([LocalIdentifier], from: LocalIdentifier)
  /// Moves assets within an album, together and in this order, so that the first one has the index `to` afterwards.
  case moveAssets([LocalIdentifier], to: Int, in: LocalIdentifier)

  /// The assets that must be in the library for the change to be performed.
  ///
  /// Assets that are removed from an album, inserted again, moved in it or restored may have left the library.
  public var requiredAssets: [LocalIdentifier] {
    switch self {
    case .setFavorite(let asset, _), .setHidden(let asset, _), .setCreationDate(let asset, _),
      .setLocation(let asset, _):
      [asset]
    case .addAssets(let assets, _), .delete(let assets), .revertToOriginal(let assets),
      .restoreEdits(let assets):
      assets
    case .createAsset, .restore, .deletePermanently, .createAlbum, .renameAlbum, .moveAlbum, .deleteAlbum,
      .insertAssets,
      .removeAssets,
      .moveAssets:
      []
    }
  }

  /// Checks whether changes can be performed in one call.
  /// - Throws: `AssetError` if a corrected date or location is impossible, or a call deletes or restores an asset
  ///   and also changes it otherwise, or deletes for good and makes other changes.
  package static func check(_ changes: [AssetChange]) throws(AssetError) {
    if changes.count > 1, changes.contains(where: { $0.permanentlyDeletedAssets != nil }) {
      throw AssetError("trash", "photos can't be deleted for good together with other changes")
    }
    if let assets = changes.first?.permanentlyDeletedAssets, Set(assets).count < assets.count {
      throw AssetError("trash", "an asset is deleted for good twice in one call")
    }
    if let refusal = changes.lazy.compactMap(AssetCorrection.refusal).first { throw refusal }
    var reverted: Set<LocalIdentifier> = []
    for change in changes {
      switch change {
      case .revertToOriginal(let assets), .restoreEdits(let assets):
        for asset in assets where !reverted.insert(asset).inserted {
          throw AssetError(asset.rawValue, "can't be reverted twice in one call")
        }
      default: break
      }
    }
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
      let changed = if case .createAsset(let asset) = change { [asset] } else { change.requiredAssets }
      if !isMove, let asset = changed.first(where: moved.contains) {
        throw AssetError(asset.rawValue, "can't be deleted and changed in one call")
      }
    }
    if count > moved.count { throw AssetError("trash", "an asset is deleted or restored twice in one call") }
  }

  /// Whether the change is one of a single asset in the set, and of nothing else.
  package func isOfAsset(in created: Set<LocalIdentifier>) -> Bool {
    switch self {
    case .setFavorite(let asset, _), .setHidden(let asset, _), .setCreationDate(let asset, _),
      .setLocation(let asset, _):
      created.contains(asset)
    default: false
    }
  }

  /// The assets that the change deletes for good; nil for other changes.
  package var permanentlyDeletedAssets: [LocalIdentifier]? {
    if case .deletePermanently(let assets) = self { assets } else { nil }
  }

  /// The album that the change modifies; nil for changes of assets.
  public var album: LocalIdentifier? {
    switch self {
    case .setFavorite, .setHidden, .setCreationDate, .setLocation, .createAsset, .revertToOriginal,
      .restoreEdits, .delete, .restore, .deletePermanently:
      nil
    case .createAlbum(let album, _, _), .renameAlbum(let album, _), .moveAlbum(let album, _),
      .deleteAlbum(let album), .addAssets(_, let album), .insertAssets(_, _, let album),
      .removeAssets(_, let album), .moveAssets(_, _, let album):
      album
    }
  }
}

/// Where an asset was taken according to the user, instead of what its files say.
public enum LocationCorrection: Hashable, Sendable {
  /// It was taken here.
  case location(Location)
  /// The asset has no location, whatever its files say.
  case removed
}

/// The user's corrections of an asset's date and location; nil = what its files say.
package struct AssetCorrection: Hashable, Sendable {
  /// When it was taken.
  package var date: AssetDate?
  /// Where it was taken.
  package var location: LocationCorrection?

  /// Creates a correction from its values.
  package init(date: AssetDate? = nil, location: LocationCorrection? = nil) {
    self.date = date
    self.location = location
  }

  /// Whether nothing is corrected.
  package var isEmpty: Bool { date == nil && location == nil }

  /// Applies a change of a date or location.
  /// - Returns: the change that undoes it; nil for other changes.
  package mutating func apply(_ change: AssetChange) -> AssetChange? {
    switch change {
    case .setCreationDate(let asset, let date):
      defer { self.date = date }
      return .setCreationDate(asset, self.date)
    case .setLocation(let asset, let location):
      defer { self.location = location }
      return .setLocation(asset, self.location)
    default: return nil
    }
  }

  /// Returns why a change can't be stored; nil if its values are possible, or it corrects nothing.
  static func refusal(of change: AssetChange) -> AssetError? {
    switch change {
    case .setCreationDate(let asset, let date?) where !date.isPossible:
      AssetError(asset.rawValue, "the date is not in the years 1 to 9999, or its UTC offset is impossible")
    case .setLocation(let asset, .location(let location)?) where !location.isOnEarth:
      AssetError(
        asset.rawValue, "the location is not within -90 to 90 degrees north and -180 to 180 degrees east")
    default: nil
    }
  }
}

extension Asset {
  /// Replaces date and location by corrected values.
  mutating func correct(by correction: AssetCorrection) {
    if let date = correction.date {
      creationDate = date
      creationDateSource = .user
      creationDateZone = .file
    }
    switch correction.location {
    case .location(let corrected): location = corrected
    case .removed?: location = nil
    case nil: break
    }
  }

  /// Returns the asset with the date and location of another version of it.
  func withDateAndLocation(of other: Asset) -> Asset {
    var asset = self
    asset.creationDate = other.creationDate
    asset.creationDateSource = other.creationDateSource
    asset.creationDateZone = other.creationDateZone
    asset.location = other.location
    return asset
  }
}
