/// What a collection is, more closely.
public enum AssetCollectionSubtype: CaseIterable, Hashable, Sendable {
  case albumRegular
  /// Everything that is not hidden: Recents.
  case smartAlbumUserLibrary
  case smartAlbumFavorites, smartAlbumVideos, smartAlbumSelfPortraits, smartAlbumLivePhotos
  /// Portrait.
  case smartAlbumDepthEffect
  case smartAlbumPanoramas, smartAlbumTimelapses, smartAlbumSlomoVideos, smartAlbumBursts
  case smartAlbumScreenshots, smartAlbumScreenRecordings, smartAlbumAnimated, smartAlbumRAW
  case smartAlbumRecentlyAdded, smartAlbumAllHidden
  case moment

  /// The type that the subtype belongs to.
  public var type: AssetCollectionType {
    switch self {
    case .albumRegular: .album
    case .moment: .moment
    default: .smartAlbum
    }
  }
}
