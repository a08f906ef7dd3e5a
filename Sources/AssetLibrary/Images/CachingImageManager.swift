public import Pixels
import Synchronization

/// Prepares images before they are needed, as PhotoKit's `PHCachingImageManager` does.
///
/// Prepared images are in the cache of the image manager. A later request is answered from there if asset, version,
/// target size, content mode and resize mode are equal: pass both the same values. The cache has a limit, see
/// `PhotoLibrary`; the images that were not used for the longest time leave it first. All methods are safe to call
/// from any thread and return at once.
///
///     let images = CachingImageManager(library.manager)
///     images.startCachingImages(for: Array(photos[0..<24]), targetSize: size, contentMode: .aspectFill)
///     let picture = try await images.image(for: photos[0], targetSize: size, contentMode: .aspectFill)
public final class CachingImageManager: ImageManager {
  /// Identifies a prepared image, as the image manager's cache does; the asset itself is not kept.
  private struct Key: Hashable {
    var asset: LocalIdentifier
    var modificationDate: AssetDate
    var targetSize: PixelSize
    var contentMode: ContentMode
    var version: AssetVersion
    var resizeMode: ImageRequestOptions.ResizeMode
    var crop: NormalizedRect?

    init(_ request: ImageRequest) {
      let options = request.options
      (asset, modificationDate) = (request.asset.localIdentifier, request.asset.modificationDate)
      (targetSize, contentMode) = (request.targetSize, request.contentMode)
      (version, resizeMode, crop) = (options.version, options.resizeMode, options.normalizedCropRect)
    }
  }

  private struct Preparation {
    /// Distinguishes it from an earlier one of the same image, whose last result may arrive later.
    let number: UInt64
    /// nil while the request is being made.
    var request: ImageRequestID?
  }

  private struct State {
    /// The images that are being prepared.
    var preparations: [Key: Preparation] = [:]
    var lastNumber: UInt64 = 0
    var allowsHighQuality = true
  }

  private let images: any ImageManager
  private let state = Mutex(State())

  /// Creates a manager that prepares images in the cache of another one.
  /// - Parameter images: makes the images, such as `PhotoLibrary.manager`.
  public init(_ images: any ImageManager) {
    self.images = images
  }

  deinit { stopCachingImagesForAllAssets() }

  /// Whether final images are prepared; otherwise only those that are available quickly, such as the thumbnails
  /// on disk.
  ///
  /// Applies to later calls of `startCachingImages`.
  public var allowsCachingHighQualityImages: Bool {
    get { state.withLock { $0.allowsHighQuality } }
    set { state.withLock { $0.allowsHighQuality = newValue } }
  }

  /// Prepares images of assets after all visible ones, the first asset first.
  ///
  /// Images that are already being prepared are not requested again.
  /// - Parameters:
  ///   - assets: the assets that may be shown soon.
  ///   - targetSize: the size in pixels of the later requests.
  ///   - contentMode: the content mode of the later requests.
  ///   - options: the options of the later requests; the network is used only if they allow it.
  public func startCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    for asset in assets {
      var work = Self.request(asset, targetSize, contentMode, options)
      let key = Key(work)
      let begun = state.withLock { state -> (work: ImageRequest, number: UInt64)? in
        guard state.preparations[key] == nil else { return nil }
        state.lastNumber += 1
        state.preparations[key] = Preparation(number: state.lastNumber)
        work.options.deliveryMode = state.allowsHighQuality ? .highQualityFormat : .fastFormat
        return (work, state.lastNumber)
      }
      guard let (work, number) = begun else { continue }
      let id = images.requestImage(work, priority: .preheat) { [weak self] result in
        if result.isLast { self?.end(key, number) }
      }
      let isWanted = state.withLock { state in
        guard state.preparations[key]?.number == number else { return false }
        state.preparations[key]?.request = id
        return true
      }
      // It is finished, or another thread has stopped it meanwhile.
      if !isWanted { images.cancelImageRequest(id) }
    }
  }

  /// Stops preparing images that are not made yet; those that are made stay in the cache until it needs room.
  /// - Parameters:
  ///   - assets: the assets that are not about to be shown any more.
  ///   - targetSize: as in `startCachingImages`.
  ///   - contentMode: as in `startCachingImages`.
  ///   - options: as in `startCachingImages`.
  public func stopCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions()
  ) {
    let keys = assets.map { Key(Self.request($0, targetSize, contentMode, options)) }
    cancel(state.withLock { state in keys.compactMap { state.preparations.removeValue(forKey: $0) } })
  }

  /// Stops preparing all images that are not made yet.
  public func stopCachingImagesForAllAssets() {
    cancel(
      state.withLock { state in
        defer { state.preparations = [:] }
        return Array(state.preparations.values)
      })
  }

  private func cancel(_ preparations: [Preparation]) {
    for id in preparations.compactMap(\.request) { images.cancelImageRequest(id) }
  }

  private func end(_ key: Key, _ number: UInt64) {
    state.withLock { state in
      if state.preparations[key]?.number == number { state.preparations[key] = nil }
    }
  }

  /// The request for a prepared image.
  private static func request(
    _ asset: Asset, _ targetSize: PixelSize, _ contentMode: ContentMode, _ options: ImageRequestOptions
  ) -> ImageRequest {
    var options = options
    (options.isSynchronous, options.deliveryMode) = (false, .highQualityFormat)
    return ImageRequest(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
  }
}

// Requests go to the image manager.
extension CachingImageManager {
  /// Requests an image; see `ImageManager`.
  @discardableResult
  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    images.requestImage(
      request, priority: priority, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  /// Requests the bytes of an asset's file; see `ImageManager`.
  @discardableResult
  public func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    images.requestImageData(request, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  /// Opens an asset for playback; see `ImageManager`.
  public func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    try images.frames(of: request, cancellation: cancellation)
  }

  /// Changes the priority of a queued request.
  public func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    images.setPriority(priority, of: request)
  }

  /// Cancels a request.
  public func cancelImageRequest(_ request: ImageRequestID) { images.cancelImageRequest(request) }
}
