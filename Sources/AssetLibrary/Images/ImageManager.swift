public import Pixels
import Synchronization

/// Makes images of assets in the background.
///
/// To prefetch an image, request it with the priority `preheat` or `prefetch`; `cancelImageRequest` stops it.
/// A later request for the same image joins the pending one, or is answered from memory, if the asset,
/// version, size, content mode and resize mode are equal. Derive both requests from the same value.
public protocol ImageManager: Sendable {
  /// Requests an image.
  ///
  /// Results arrive in order on a worker thread; the first may arrive before the call returns. A synchronous
  /// request has a single result, on the calling thread and before the call returns. Don't make synchronous
  /// requests in a result handler, because they block a worker.
  /// - Parameters:
  ///   - request: the image and how to deliver it.
  ///   - priority: how soon the image is needed.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, and can stop
  ///     the download.
  ///   - resultHandler: receives the results.
  /// - Returns: the identifier for `setPriority` and `cancelImageRequest`.
  @discardableResult
  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID

  /// Requests the bytes of an asset's file; there is exactly one result.
  @discardableResult
  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID

  /// Opens an asset for playback. Blocks until the disk responds: don't call it on the drawing thread.
  ///
  /// - Parameters:
  ///   - request: the asset and the size of its frames.
  ///   - cancellation: stops all work of the reader, from any thread.
  /// - Throws: `AssetError` if the asset does not move, or can't be played.
  func frames(of request: FrameRequest, cancellation: Cancellation) throws(AssetError) -> any FrameReader

  /// Changes the priority of a queued request.
  func setPriority(_ priority: ImagePriority, of request: ImageRequestID)

  /// Cancels the request: its last result is `cancelled`, unless the last result was already delivered.
  func cancelImageRequest(_ request: ImageRequestID)
}

extension ImageManager {
  /// Requests an image without observing download progress.
  @discardableResult
  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    requestImage(request, priority: priority, progressHandler: nil, resultHandler: resultHandler)
  }

  /// Requests an image of an asset: PhotoKit's `requestImage(for:targetSize:contentMode:options:resultHandler:)`.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - targetSize: the size in pixels; `PixelSize.maximum` = the native size.
  ///   - contentMode: how the image fills the target size.
  ///   - options: which results to deliver, and how.
  ///   - resultHandler: receives the results on any thread.
  /// - Returns: the identifier for `cancelImageRequest`.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ContentMode,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let request = ImageRequest(
      asset: asset, targetSize: targetSize, contentMode: contentMode, options: options)
    return requestImage(request, priority: .visible, resultHandler: resultHandler)
  }

  /// Returns the results of a request as an asynchronous sequence, which ends with the last result.
  ///
  /// Cancelling the iteration cancels the request. No thread waits, also if the options ask for a synchronous
  /// request.
  /// - Parameters:
  ///   - request: the image and how to deliver it.
  ///   - priority: how soon the image is needed.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread.
  public func images(
    for request: ImageRequest, priority: ImagePriority = .visible,
    progressHandler: (@Sendable (Double) -> Void)? = nil
  ) -> AsyncStream<ImageResult> {
    var request = request
    if request.options.isSynchronous {
      (request.options.isSynchronous, request.options.deliveryMode) = (false, .highQualityFormat)
    }
    return AsyncStream { [request] continuation in
      let progress = progressHandler.map { report in
        { @Sendable (fraction: Double) -> DownloadDecision in
          report(fraction)
          return .proceed
        }
      }
      let id = requestImage(request, priority: priority, progressHandler: progress) { result in
        continuation.yield(result)
        if result.isLast { continuation.finish() }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { cancelImageRequest(id) }
      }
    }
  }

  /// Returns the images of an asset as an asynchronous sequence, which ends with the last result.
  ///
  ///     for await result in manager.images(for: asset, targetSize: size, contentMode: .aspectFill) {
  ///       if case .image(let picture, _, _) = result.content { show(picture) }
  ///     }
  ///
  /// Cancelling the iteration cancels the request.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - targetSize: the size in pixels; `PixelSize.maximum` = the native size.
  ///   - contentMode: how the image fills the target size.
  ///   - options: which results to deliver, and how.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread.
  public func images(
    for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(), progressHandler: (@Sendable (Double) -> Void)? = nil
  ) -> AsyncStream<ImageResult> {
    images(
      for: ImageRequest(asset: asset, targetSize: targetSize, contentMode: contentMode, options: options),
      progressHandler: progressHandler)
  }

  /// Returns the final image of an asset.
  ///
  /// Cancelling the task cancels the request.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - targetSize: the size in pixels; `PixelSize.maximum` = the native size.
  ///   - contentMode: how the image fills the target size.
  ///   - options: how to make it; the delivery mode `opportunistic` acts as `highQualityFormat`.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if the image can't be made, or with the code `cancelled`.
  public func image(
    for asset: Asset, targetSize: PixelSize, contentMode: ContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(), progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) -> PixelBuffer {
    var options = options
    if options.deliveryMode == .opportunistic { options.deliveryMode = .highQualityFormat }
    let results = images(
      for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
      progressHandler: progressHandler)
    for await result in results where result.isLast {
      switch result.content {
      case .image(let picture, _, _): return picture
      case .failed(let error): throw error
      case .cancelled: throw .cancelled(asset.subject)
      }
    }
    throw .cancelled(asset.subject)
  }

  /// Returns the bytes of an asset's file.
  ///
  /// Cancelling the task cancels the request.
  /// - Parameters:
  ///   - request: the asset and the version.
  ///   - progressHandler: receives the downloaded fraction of a remote original, from 0 to 1, on any thread.
  /// - Returns: the unchanged bytes, the format recognized by their content, and the orientation of the pixels.
  /// - Throws: `AssetError` if the bytes can't be read, or with the code `cancelled`.
  public func imageData(
    for request: ImageDataRequest, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) -> (bytes: [UInt8], uniformTypeIdentifier: String, orientation: Orientation) {
    let results = AsyncStream<ImageDataResult> { continuation in
      let progress = progressHandler.map { report in
        { @Sendable (fraction: Double) -> DownloadDecision in
          report(fraction)
          return .proceed
        }
      }
      let id = requestImageData(request, progressHandler: progress) { result in
        continuation.yield(result)
        continuation.finish()
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { cancelImageRequest(id) }
      }
    }
    for await result in results {
      switch result.content {
      case .data(let bytes, let type, let orientation): return (bytes, type, orientation)
      case .failed(let error): throw error
      case .cancelled: break
      }
    }
    throw .cancelled(request.asset.subject)
  }
}

/// The identifier of a pending request.
public struct ImageRequestID: Hashable, Sendable {
  /// The number of the request; unique within its image manager.
  public let rawValue: UInt64

  /// Creates an identifier from a number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// How soon an image is needed.
///
/// Requests below `visible` are prefetching: they start only after all visible ones have started, on threads
/// with low priority.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// May be needed next, such as the neighbors of the previewed photo.
  case prefetch
  /// About to scroll into the viewport.
  case preheat
  /// Inside the viewport.
  case visible
  /// The photo in the preview.
  case preview

  /// Compares urgency: `preview` is the greatest.
  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}

/// The response of a progress handler.
public enum DownloadDecision: Hashable, Sendable {
  /// Continues the download.
  case proceed
  /// Cancels the request.
  case stop
}

/// A flag that cancels work on another thread.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Creates a flag that is not set.
  public init() {}

  /// Whether `cancel` was called; safe on any thread.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Sets the flag; safe on any thread.
  public func cancel() { flag.store(true, ordering: .relaxed) }
}
