import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import Testing

@Suite struct CachingImageManagerTests {
  private let images = NotedImages()
  private let photos = ["a", "b", "c"].map { Asset.photo($0) }
  private let size = PixelSize(width: 100, height: 80)

  private func start(
    _ manager: CachingImageManager, _ photos: [Asset], _ options: ImageRequestOptions = ImageRequestOptions()
  ) {
    manager.startCachingImages(for: photos, targetSize: size, contentMode: .aspectFill, options: options)
  }

  private func stop(_ manager: CachingImageManager, _ photos: [Asset]) {
    manager.stopCachingImages(for: photos, targetSize: size, contentMode: .aspectFill)
  }

  @Test func `Images are prepared below the priority of visible ones`() {
    let manager = CachingImageManager(images)
    start(manager, photos)
    let requests = images.requests
    #expect(requests.map(\.asset) == photos)
    #expect(requests.allSatisfy { $0.targetSize == size && $0.contentMode == .aspectFill })
    #expect(requests.allSatisfy { $0.options.deliveryMode == .highQualityFormat })
    #expect(images.priorities == [.preheat, .preheat, .preheat])
  }

  @Test func `What is being prepared is not requested again`() {
    let manager = CachingImageManager(images)
    start(manager, Array(photos[0...1]))
    // The delivery mode does not change the image that is prepared.
    start(manager, photos, ImageRequestOptions(deliveryMode: .fastFormat, isSynchronous: true))
    #expect(images.requests.map(\.asset) == photos)
    images.finish()
    start(manager, photos)
    #expect(images.requests.count == 6)
  }

  @Test func `Only what is not made yet is cancelled`() {
    let manager = CachingImageManager(images)
    start(manager, photos)
    stop(manager, [photos[1]])
    #expect(images.cancelled == [ImageRequestID(rawValue: 2)])
    images.finish()
    stop(manager, photos)
    #expect(images.cancelled == [ImageRequestID(rawValue: 2)])
    start(manager, photos)
    manager.stopCachingImagesForAllAssets()
    #expect(Set(images.cancelled.map(\.rawValue)) == [2, 4, 5, 6])
  }

  @Test func `The last result of a cancelled request does not end a later one`() {
    let manager = CachingImageManager(images)
    start(manager, [photos[0]])
    stop(manager, [photos[0]])
    start(manager, [photos[0]])
    // The answer to the cancellation comes late.
    images.finish(1)
    start(manager, [photos[0]])
    #expect(images.requests.count == 2)
    stop(manager, [photos[0]])
    #expect(images.cancelled.map(\.rawValue) == [1, 2])
  }

  @Test func `Other sizes and modes are other images`() {
    let manager = CachingImageManager(images)
    start(manager, photos)
    manager.stopCachingImages(for: photos, targetSize: size, contentMode: .aspectFit)
    manager.stopCachingImages(
      for: photos, targetSize: PixelSize(width: 1, height: 1), contentMode: .aspectFill)
    #expect(images.cancelled.isEmpty)
  }

  @Test func `New metadata of an asset does not make another image of it, but a new file does`() {
    let manager = CachingImageManager(images)
    start(manager, [photos[0]])
    var marked = photos[0]
    marked.isFavorite = true
    start(manager, [marked])
    #expect(images.requests.count == 1)
    stop(manager, [marked])
    #expect(images.cancelled.map(\.rawValue) == [1])
    start(manager, [marked])
    marked.modificationDate = AssetDate(wallSeconds: 1)
    start(manager, [marked])
    #expect(images.requests.count == 3)
  }

  @Test func `Without high quality only what is available quickly is prepared`() {
    let manager = CachingImageManager(images)
    manager.allowsCachingHighQualityImages = false
    start(manager, photos)
    #expect(images.requests.allSatisfy { $0.options.deliveryMode == .fastFormat })
  }

  @Test func `Nothing is prepared for a manager that is gone`() {
    var manager: CachingImageManager? = CachingImageManager(images)
    manager.map { start($0, photos) }
    manager = nil
    #expect(images.cancelled.count == 3)
  }
}

/// Notes requests, and finishes them when the test says so.
private final class NotedImages: ImageManager {
  private struct State {
    var lastID: UInt64 = 0
    var requests: [ImageRequest] = []
    var priorities: [ImagePriority] = []
    var cancelled: [ImageRequestID] = []
    var handlers: [(ImageRequestID, @Sendable (ImageResult) -> Void)] = []
  }

  private let state = Mutex(State())

  var requests: [ImageRequest] { state.withLock(\.requests) }
  var priorities: [ImagePriority] { state.withLock(\.priorities) }
  var cancelled: [ImageRequestID] { state.withLock(\.cancelled) }

  /// Answers the oldest requests, or all.
  func finish(_ count: Int = .max) {
    let handlers = state.withLock { state in
      defer { state.handlers = Array(state.handlers.dropFirst(count)) }
      return state.handlers.prefix(count)
    }
    let picture = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .black)
    for (id, handler) in handlers {
      handler(
        ImageResult(requestID: id, content: .image(picture, isDegraded: false, note: nil), isLast: true))
    }
  }

  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    state.withLock { state in
      state.lastID += 1
      let id = ImageRequestID(rawValue: state.lastID)
      state.requests.append(request)
      state.priorities.append(priority)
      state.handlers.append((id, resultHandler))
      return id
    }
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  func frames(of request: FrameRequest, cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    throw AssetError("frames", "none")
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}

  func cancelImageRequest(_ request: ImageRequestID) { state.withLock { $0.cancelled.append(request) } }
}
