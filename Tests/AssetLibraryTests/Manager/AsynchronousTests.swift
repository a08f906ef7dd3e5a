import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import Testing

@Suite struct AsynchronousTests {
  private let store = ReadingStore()

  init() { store.memory.add(.photo("a")) }

  private func manager(
    _ images: any ImageManager = NoImages(), status: AuthorizationStatus = .authorized
  ) -> any AssetManager {
    LibraryAccessController(
      store: store, images: images, status: status, consentRequest: ConsentRequest(client: "test"),
      consent: NoConsentPresenter(), asksBefore: []
    ).manager
  }

  @Test func `Waiting for a library starts it and ends with the change that completes it`() async {
    let manager = manager()
    #expect(!store.isStarted && !manager.libraryStatus.isComplete)
    async let isComplete = {
      await manager.waitUntilComplete()
      return manager.libraryStatus.isComplete
    }()
    await store.awaitWork()
    #expect(store.isStarted && store.isWorkAllowed)
    store.report(isComplete: false)
    store.report(isComplete: true)
    #expect(await isComplete)
    // It is complete already.
    await manager.waitUntilComplete()
  }

  @Test func `Without access there is nothing to wait for`() async {
    await manager(status: .denied).waitUntilComplete()
  }

  @Test func `Waiting ends when the task is cancelled`() async {
    let manager = manager()
    let waiting = Task { await manager.waitUntilComplete() }
    await store.awaitWork()
    waiting.cancel()
    await waiting.value
    #expect(!manager.libraryStatus.isComplete)
  }

  @Test func `Changes that were not taken yet are one`() async {
    var changes = manager().changes.makeAsyncIterator()
    store.observers.notify(.contents)
    store.observers.notify(.status)
    store.observers.notify(.status)
    #expect(await changes.next() == [.contents, .status])
    store.observers.notify(.access)
    #expect(await changes.next() == .access)
  }

  @Test func `Changes are performed without a callback`() async throws {
    let manager = manager()
    let undo = try await manager.performChanges([.setFavorite("a", true)])
    #expect(undo == [.setFavorite("a", false)])
    #expect(manager.fetchAssets(with: FetchOptions(filter: .matching(.favorites))).firstObject?.id == "a")
    let error = await #expect(throws: AssetError.self) {
      try await manager.performChanges([.setFavorite("nothing", true)])
    }
    #expect(error?.code == .notFound)
  }

  @Test func `An image is the last result of its request`() async throws {
    let images = AnsweringImages()
    let asset = Asset.photo("a")
    let size = PixelSize(width: 2, height: 2)
    let picture = try await manager(images).image(for: asset, targetSize: size)
    #expect(picture.size == size && images.modes == [.highQualityFormat])
    let fractions = Mutex<[Double]>([])
    for await result in manager(images).images(
      for: asset, targetSize: size,
      progressHandler: { fraction in fractions.withLock { $0.append(fraction) } })
    {
      #expect(result.isLast && fractions.withLock { $0 } == [0.5])
    }
    images.failure = AssetError("a", "on a server", code: .networkRequired)
    let error = await #expect(throws: AssetError.self) {
      try await manager(images).image(for: asset, targetSize: size)
    }
    #expect(error?.code == .networkRequired)
  }

  @Test func `A cancelled task cancels its request`() async {
    let images = AnsweringImages(answers: false)
    let manager = manager(images)
    let task = Task {
      try await manager.image(for: .photo("a"), targetSize: .maximum)
    }
    await images.awaitRequest()
    task.cancel()
    let error = await #expect(throws: AssetError.self) { try await task.value }
    #expect(error?.code == .cancelled && images.cancelled == [ImageRequestID(rawValue: 1)])
  }

  @Test func `A synchronous request does not block a sequence`() async {
    let images = AnsweringImages()
    let request = ImageRequest(
      asset: .photo("a"), targetSize: .maximum, contentMode: .aspectFit,
      options: ImageRequestOptions(isSynchronous: true))
    for await _ in images.images(for: request) {}
    #expect(images.modes == [.highQualityFormat] && !images.wasSynchronous)
  }
}

/// A store in memory that is read when the test says so.
private final class ReadingStore: MemoryBackedStore {
  private struct State {
    var isStarted = false
    var isWorkAllowed = false
    var isComplete = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let memory = MemoryAssetStore()
  let observers = ChangeObservers()
  private let state = Mutex(State())

  var isStarted: Bool { state.withLock(\.isStarted) }
  var isWorkAllowed: Bool { state.withLock(\.isWorkAllowed) }

  func start() { state.withLock { $0.isStarted = true } }

  func allowBackgroundWork() {
    let waiting = state.withLock { state in
      state.isWorkAllowed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until a client has asked for the whole library.
  func awaitWork() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.isWorkAllowed { state.waiting.append(continuation) }
        return state.isWorkAllowed
      }
      if isReady { continuation.resume() }
    }
  }

  var status: LibraryStatus { LibraryStatus(isComplete: state.withLock(\.isComplete), assetCount: 1) }

  func report(isComplete: Bool) {
    state.withLock { $0.isComplete = isComplete }
    observers.notify(.status)
  }

  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  func stopObserving(_ observer: ObserverID) { observers.remove(observer) }
}

/// Answers requests with pictures of the requested size, or with an error.
private final class AnsweringImages: ImageManager {
  private struct State {
    var lastID: UInt64 = 0
    var modes: [ImageRequestOptions.DeliveryMode] = []
    var wasSynchronous = false
    var failure: AssetError?
    var pending: [ImageRequestID: @Sendable (ImageResult) -> Void] = [:]
    var cancelled: [ImageRequestID] = []
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let answers: Bool
  private let state = Mutex(State())

  init(answers: Bool = true) { self.answers = answers }

  var modes: [ImageRequestOptions.DeliveryMode] { state.withLock(\.modes) }
  var wasSynchronous: Bool { state.withLock(\.wasSynchronous) }
  var cancelled: [ImageRequestID] { state.withLock(\.cancelled) }
  var failure: AssetError? {
    get { state.withLock(\.failure) }
    set { state.withLock { $0.failure = newValue } }
  }

  func awaitRequest() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.lastID > 0 { return true }
        state.waiting = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let (id, failure, waiting) = state.withLock { state in
      state.lastID += 1
      let id = ImageRequestID(rawValue: state.lastID)
      state.modes.append(request.options.deliveryMode)
      if request.options.isSynchronous { state.wasSynchronous = true }
      if !answers { state.pending[id] = resultHandler }
      defer { state.waiting = nil }
      return (id, state.failure, state.waiting)
    }
    waiting?.resume()
    guard answers else { return id }
    _ = progressHandler?(0.5)
    let size = request.targetSize == .maximum ? PixelSize(width: 1, height: 1) : request.targetSize
    let content: ImageResult.Content =
      failure.map { .failed($0) }
      ?? .image(PixelBuffer(size: size, filledWith: .black), isDegraded: false, note: nil)
    resultHandler(ImageResult(requestID: id, content: content, isLast: true))
    return id
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  func frames(of request: FrameRequest, cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    throw AssetError("frames", "none")
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}

  func cancelImageRequest(_ request: ImageRequestID) {
    let handler = state.withLock { state in
      state.cancelled.append(request)
      return state.pending.removeValue(forKey: request)
    }
    handler?(ImageResult(requestID: request, content: .cancelled, isLast: true))
  }
}
