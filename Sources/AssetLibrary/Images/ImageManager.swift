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

  /// Returns the results of a request as an asynchronous sequence, which ends with the last result.
  ///
  /// Cancelling the iteration cancels the request.
  public func images(
    for request: ImageRequest, priority: ImagePriority = .visible
  ) -> AsyncStream<ImageResult> {
    AsyncStream { continuation in
      let id = requestImage(request, priority: priority) { result in
        continuation.yield(result)
        if result.isLast { continuation.finish() }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { cancelImageRequest(id) }
      }
    }
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
