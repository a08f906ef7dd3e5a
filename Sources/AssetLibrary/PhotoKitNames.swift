public import Pixels

// Spellings of PhotoKit and PhotosUI that can't be the same here. They are declared so that the compiler says what to
// write; the article "PhotoKit's names" gives the reasons.

/// PhotoKit's spellings.
extension MediaSubtypes {
  /// Write `livePhoto`.
  @available(*, unavailable, renamed: "livePhoto")
  public static var photoLive: MediaSubtypes { livePhoto }
  /// Write `panorama`.
  @available(*, unavailable, renamed: "panorama")
  public static var photoPanorama: MediaSubtypes { panorama }
  /// Write `hdr`.
  @available(*, unavailable, renamed: "hdr")
  public static var photoHDR: MediaSubtypes { hdr }
  /// Write `screenshot`.
  @available(*, unavailable, renamed: "screenshot")
  public static var photoScreenshot: MediaSubtypes { screenshot }
  /// Write `depthEffect`.
  @available(*, unavailable, renamed: "depthEffect")
  public static var photoDepthEffect: MediaSubtypes { depthEffect }
  /// Write `spatial`.
  @available(*, unavailable, renamed: "spatial")
  public static var spatialMedia: MediaSubtypes { spatial }
  /// Write `screenRecording`.
  @available(*, unavailable, renamed: "screenRecording")
  public static var videoScreenRecording: MediaSubtypes { screenRecording }
  /// Write `slomo`.
  @available(*, unavailable, renamed: "slomo")
  public static var videoHighFrameRate: MediaSubtypes { slomo }
  /// Write `timelapse`.
  @available(*, unavailable, renamed: "timelapse")
  public static var videoTimelapse: MediaSubtypes { timelapse }
  /// Write `cinematic`.
  @available(*, unavailable, renamed: "cinematic")
  public static var videoCinematic: MediaSubtypes { cinematic }
}

/// PhotoKit's spellings.
extension AssetSourceTypes {
  /// Write `userLibrary`.
  @available(*, unavailable, renamed: "userLibrary")
  public static var typeUserLibrary: AssetSourceTypes { userLibrary }
  /// Write `cloudShared`.
  @available(*, unavailable, renamed: "cloudShared")
  public static var typeCloudShared: AssetSourceTypes { cloudShared }
  /// There are no such photos: all files in folders are the user's library.
  @available(*, unavailable, message: "there is none: all files in folders are the userLibrary")
  public static var typeiTunesSynced: AssetSourceTypes { [] }
}

/// PhotoKit's spellings.
extension Asset {
  /// Write `manager.fetchAssets(with:)`.
  @available(*, unavailable, message: "write library.manager.fetchAssets(with:)")
  public static func fetchAssets(with options: FetchOptions?) -> FetchResult<Asset> { FetchResult() }
  /// Write `manager.fetchAssets(in:options:)`.
  @available(*, unavailable, message: "write library.manager.fetchAssets(in: collection)")
  public static func fetchAssets(
    in collection: AssetCollection, options: FetchOptions?
  ) -> FetchResult<Asset> { FetchResult() }
  /// Write `manager.fetchAssets(withLocalIdentifiers:options:)`.
  @available(*, unavailable, message: "write library.manager.fetchAssets(withLocalIdentifiers:options:)")
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: FetchOptions?
  ) -> FetchResult<Asset> { FetchResult() }
  /// Perform the change: the code of its error says why it can't be done.
  @available(*, unavailable, message: "the AssetError of performChanges says why it can't be done")
  public func canPerform(_ operation: Any) -> Bool { false }
  /// Write `representsBurst`.
  @available(*, unavailable, message: "write representsBurst: files don't record the user's picks")
  public var burstSelectionTypes: Never { fatalError("unavailable") }
}

/// PhotoKit's spellings.
extension AssetCollection {
  /// Write `title`.
  @available(*, unavailable, renamed: "title")
  public var localizedTitle: String? { title }
  /// Write `type`.
  @available(*, unavailable, renamed: "type")
  public var assetCollectionType: AssetCollectionType { type }
  /// Write `subtype`.
  @available(*, unavailable, renamed: "subtype")
  public var assetCollectionSubtype: AssetCollectionSubtype { subtype }
  /// Write `manager.fetchCollections(_:)`.
  @available(*, unavailable, message: "write library.manager.fetchCollections(_:)")
  public static func fetchAssetCollections(
    with type: AssetCollectionType, subtype: AssetCollectionSubtype, options: FetchOptions?
  ) -> FetchResult<AssetCollection> { FetchResult() }
}

/// PhotoKit's spellings.
extension AssetResource {
  /// Write `asset.resources`.
  @available(*, unavailable, message: "write asset.resources")
  public static func assetResources(for asset: Asset) -> [AssetResource] { asset.resources }
}

/// PhotoKit's spellings.
extension FetchResult {
  /// Write a `for` loop.
  @available(*, unavailable, message: "write for asset in result, or result.enumerated()")
  public func enumerateObjects(_ body: (Element, Int, inout Bool) -> Void) {}
}

/// PhotoKit's spellings.
extension CachingImageManager {
  /// Write `CachingImageManager(library.manager)`.
  @available(*, unavailable, message: "write CachingImageManager(library.manager)")
  public static func `default`() -> Never { fatalError("unavailable") }
}

/// PhotoKit's spellings.
extension ImageManager {
  /// Write a handler with one parameter.
  @available(*, unavailable, message: "the handler receives one ImageResult, with what info holds")
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ContentMode, options: ImageRequestOptions?,
    resultHandler: @escaping (PixelBuffer?, [AnyHashable: Any]?) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }
  /// Write `requestImageData(_:progressHandler:resultHandler:)`, or `try await imageData(for:)`.
  @available(*, unavailable, message: "write try await imageData(for:)")
  @discardableResult
  public func requestImageDataAndOrientation(
    for asset: Asset, options: ImageRequestOptions?, resultHandler: @escaping (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }
}

/// PhotoKit's spellings.
extension ImageRequestOptions {
  /// Pass it to the request.
  @available(*, unavailable, message: "pass progressHandler to the request")
  public var progressHandler: ((Double, (any Error)?) -> Void)? {
    get { nil }
    set {}
  }
}

/// PhotoKit's spellings.
extension AssetManager {
  /// Write `performChanges(_:)`.
  @available(*, unavailable, message: "write try await performChanges([.setFavorite(id, true)])")
  public func performChanges(
    _ changeBlock: @escaping () -> Void, completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) {}
  /// Write `performChanges(_:)`.
  @available(*, unavailable, message: "write try performChanges([.setFavorite(id, true)])")
  public func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {}
  /// Write `changes`, or `observeChanges(_:)`.
  @available(*, unavailable, message: "write for await change in changes")
  public func register(_ observer: AnyObject) {}
  /// Write `stopObserving(_:)`.
  @available(*, unavailable, message: "pass what observeChanges returned to stopObserving")
  public func unregisterChangeObserver(_ observer: AnyObject) {}
}

/// PhotoKit's spelling of a change of an asset.
@available(*, unavailable, message: "write AssetChange, a value for performChanges(_:)")
public enum AssetChangeRequest {}

/// PhotoKit's spelling of a change of an album.
@available(*, unavailable, message: "write AssetChange, a value for performChanges(_:)")
public enum AssetCollectionChangeRequest {}

/// PhotoKit's spelling of a change of a list of albums.
@available(*, unavailable, message: "lists are folders on disk, which programs can't change")
public enum CollectionListChangeRequest {}

/// PhotosUI's spellings.
extension PickerConfiguration {
  /// Pass the library to `PhotoPicker`.
  @available(*, unavailable, message: "pass the library to PhotoPicker(_:library:)")
  public init(photoLibrary: Any) { self.init() }
}
