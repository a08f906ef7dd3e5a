/// Who made a collection.
public enum AssetCollectionType: CaseIterable, Hashable, Sendable {
  /// The user: a folder.
  case album
  /// The library: assets with something in common.
  case smartAlbum
  /// The library: assets that were taken at one time in one place.
  case moment
}
