package import AssetLibrary
import Synchronization

/// An image manager that makes pictures before they are asked for.
///
/// A picture that was cached answers a request only where asset, version, size, mode and options are equal:
/// build both from one value. After PhotoKit's `PHCachingImageManager`. Safe from any thread.
package final class CachingImageManager: ImageManager {
  private let images: any ImageManager
  private let caching = Mutex<[ImageRequest: ImageRequestID]>([:])

  /// - Parameter images: makes the pictures and keeps them in its memory, under its budget.
  package init(_ images: any ImageManager) {
    self.images = images
  }

  /// Makes the pictures of these requests ready, the first of them first; those on their way go on.
  package func startCachingImages(for requests: [ImageRequest]) {
    caching.withLock { caching in
      // The newest request runs first: the first is made last.
      for request in requests.reversed() where caching[request] == nil {
        caching[request] = images.requestImage(Self.wholly(request), priority: .preheat) { _ in }
      }
    }
  }

  /// Drops what has not been made yet for these requests; what is made stays as long as memory lets it.
  package func stopCachingImages(for requests: [ImageRequest]) {
    let stopped = caching.withLock { caching in requests.compactMap { caching.removeValue(forKey: $0) } }
    for id in stopped { images.cancelImageRequest(id) }
  }

  /// Drops everything that has not been made yet.
  package func stopCachingImagesForAllAssets() {
    let stopped = caching.withLock { caching in
      defer { caching = [:] }
      return Array(caching.values)
    }
    for id in stopped { images.cancelImageRequest(id) }
  }

  /// Makes exactly these pictures ready: what is new is started, what fell out is stopped.
  package func setCachedImages(for requests: [ImageRequest]) {
    let wanted = Set(requests)
    let stale = caching.withLock { caching in caching.keys.filter { !wanted.contains($0) } }
    stopCachingImages(for: stale)
    startCachingImages(for: requests)
  }

  /// Nobody looks at a cached picture: the coarse one is of no use, and the network is left alone.
  private static func wholly(_ request: ImageRequest) -> ImageRequest {
    var request = request
    request.options.deliveryMode = .highQualityFormat
    request.options.isNetworkAccessAllowed = false
    request.options.isSynchronous = false
    return request
  }

  // MARK: Requests

  package func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    images.requestImage(
      request, priority: priority, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  package func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    images.requestImageData(request, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  package func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    images.setPriority(priority, of: request)
  }

  package func cancelImageRequest(_ request: ImageRequestID) { images.cancelImageRequest(request) }
}
