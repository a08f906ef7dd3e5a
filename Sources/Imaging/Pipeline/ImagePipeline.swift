public import AssetLibrary
package import CodecProtocol
import Dispatch
import Pixels
import Synchronization
import System

/// Makes images of assets on a few threads: the image manager of a library.
///
/// Results are delivered on the worker thread that made the image, so that further processing by the caller
/// (such as encoding for the terminal) stays in the background. The `RequestTable` decides which job is next;
/// the pipeline runs jobs and downloads on threads.
public final class ImagePipeline: ImageManager {
  let store: any OriginalAccess
  let loader: ImageLoader
  let workerCount: Int
  /// Whether a new thumbnail is written to disk before the result is delivered.
  let keepsThumbnailsAtOnce: Bool
  let state: Mutex<PipelineState>
  /// Calls handlers of results that need no worker: refusals, cancellations, progress.
  private let notices = WorkQueue(width: 4)

  /// Creates a pipeline that reads from a store.
  /// - Parameters:
  ///   - store: provides the bytes of the files.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - pixelBudget: the maximum number of pixels in memory while final images are made; a single image may
  ///     exceed it.
  ///   - workers: the number of threads that decode visible images; nil = one per core, at least two.
  ///   - reader: the helper that decodes light formats.
  ///   - foreign: decodes formats that require heavy libraries; nil = they can't be shown.
  ///   - thumbnails: the thumbnails on disk; nil = none.
  ///   - keepsThumbnailsAtOnce: whether new thumbnails are written before the result is delivered; otherwise
  ///     they are written in the background, and dropped if the queue is full.
  package init(
    store: any OriginalAccess, cacheLimit: Int = defaultCacheLimit, pixelBudget: Int = 48_000_000,
    workers: Int? = nil,
    reader: ReaderClient = .standard, foreign: (any ForeignDecoder)? = nil,
    thumbnails: ThumbnailCache? = nil, keepsThumbnailsAtOnce: Bool = false
  ) {
    self.store = store
    self.keepsThumbnailsAtOnce = keepsThumbnailsAtOnce
    loader = ImageLoader(
      store: store, renderer: PictureRenderer(reader, foreign: foreign), thumbnails: thumbnails)
    workerCount = workers ?? max(2, Processors.count)
    state = Mutex(PipelineState(cacheLimit: cacheLimit, pixelBudget: pixelBudget))
  }

  /// Creates a pipeline that decodes all supported formats and stores nothing on disk.
  /// - Parameters:
  ///   - store: provides the bytes of the files.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - reader: the path of the helper `tpick-reader`, which decodes JPEG, PNG, GIF, WebP and BMP; nil = it is
  ///     searched: at the path in the environment variable `TPICK_READER`, in the folder in `TPICK_HELPERS`,
  ///     beside this program, in `../libexec/tpick` relative to it, and in the build folder.
  ///   - codecs: the path of the helper `tpick-codecs`, which decodes HEIC, raw files and stills of videos;
  ///     nil = it is searched in the same way, with `TPICK_CODECS`. Without it, these formats can't be shown.
  public convenience init(
    reading store: any OriginalAccess, cacheLimit: Int = defaultCacheLimit, reader: String? = nil,
    codecs: String? = nil
  ) {
    self.init(
      store: store, cacheLimit: cacheLimit, reader: reader.map { ReaderClient(program: $0) } ?? .standard,
      foreign: HelperDecoder(CodecClient(program: codecs)), thumbnails: nil)
  }

  /// The default size of the cache of decoded images in bytes: about 30 prepared images of a 12-megapixel photo that
  /// are a quarter as wide and high, the size that is cheapest to decode.
  public static let defaultCacheLimit = 96 << 20

  /// The maximum size of the cache of decoded images in bytes; a smaller one frees memory at once.
  public var cacheLimit: Int {
    get { state.withLock { $0.cache.limit } }
    set { state.withLock { $0.cache.limit = newValue } }
  }

  package var counters: ImageCounters { state.withLock { $0.counters } }

  /// Requests an image; see `ImageManager`.
  @discardableResult
  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let work = WorkRequest(request)
    guard request.options.isSynchronous else {
      return submit(work, priority, progressHandler) {
        resultHandler(ImageResult($0, $1, of: request.asset))
      }
    }
    let answer = SynchronousAnswer()
    let id = submit(work, .preview, progressHandler) { answer.set(ImageResult($0, $1, of: request.asset)) }
    runFinalJob(of: id)
    resultHandler(answer.wait())
    return id
  }

  /// Requests the bytes of an asset's file; see `ImageManager`.
  @discardableResult
  public func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    submit(WorkRequest(request), .visible, progressHandler) {
      resultHandler(ImageDataResult($0, $1, of: request.asset))
    }
  }

  private func submit(
    _ request: WorkRequest, _ priority: ImagePriority, _ progressHandler: PipelineState.ProgressHandler?,
    _ handler: @escaping PipelineState.AnswerHandler
  ) -> ImageRequestID {
    var source = loader.sourceState(of: request)
    if source.isRemote, !source.hasThumbnail, priority > .prefetch {
      store.prepareThumbnails(of: [request.asset.localIdentifier])
    }
    let (id, refusals, progress) = state.withLock { state in
      let id = state.newID()
      state.counters.requests += 1
      state.handlers[id] = handler
      state.progressHandlers[id] = progressHandler
      // An image in memory requires no network access.
      if source.isRemote, state.cache.value(for: request.work) != nil { source.isRemote = false }
      if state.cache.hasStandIn(for: request.work) { source.hasThumbnail = true }
      let answers = state.table.submit(id, request, priority: priority, source: source)
      if state.table.isShared(id) { state.counters.coalesced += 1 }
      return (id, state.handlers(of: answers), state.table.downloadProgress(of: id))
    }
    // Call the handlers asynchronously: the caller may hold a lock.
    for (answer, handle) in refusals { notices.async { handle(answer, .nothing) } }
    if let progress, let progressHandler {
      notices.async { if progressHandler(progress) == .stop { self.cancelImageRequest(id) } }
    }
    startNeededWorkers()
    return id
  }

  /// Opens an asset for playback.
  ///
  /// The memory of an animation counts toward the pixel budget until the reader is released.
  public func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let frames = try loader.frames(of: request, cancellation)
    // Playback uses memory that decoders then can't use, in this process or in a helper.
    let pixels = loader.pixels(of: request)
    guard pixels > 0 else { return frames }
    state.withLock { $0.reserve(pixels) }
    return ReservedFrames(frames) { [self] in
      state.withLock { $0.release(pixels) }
      startNeededWorkers()
    }
  }

  /// Changes the priority of a queued request.
  public func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    state.withLock { $0.table.setPriority(priority, of: request) }
    startNeededWorkers()
  }

  /// Cancels a request; its handler is called with `cancelled` on another thread.
  public func cancelImageRequest(_ request: ImageRequestID) {
    let handler = state.withLock { state -> PipelineState.AnswerHandler? in
      let (wasWaiting, stop) = state.table.cancel(request)
      guard wasWaiting else { return nil }
      for run in stop { state.running[run]?.cancel() }
      state.counters.cancelled += 1
      state.progressHandlers[request] = nil
      return state.handlers.removeValue(forKey: request)
    }
    guard let handler else { return }
    notices.async { handler(RequestAnswer(id: request, content: .outcome, isLast: true), .nothing) }
    // Prefetching may have waited for the cancelled request.
    startNeededWorkers()
  }
}

extension ImagePipeline {
  /// The next task of a background worker.
  private enum BackgroundTask {
    case job(ImageJob, Cancellation)
    case write(PendingThumbnail)
    case end
  }

  /// Starts threads for queued jobs, up to the maximum number of each kind.
  private func startNeededWorkers() {
    let (worker, background, download) = state.withLock { state in
      let worker = state.workers < workerCount && state.table.hasVisibleJob
      if worker { state.workers += 1 }
      let background =
        state.backgroundWorkers < max(1, workerCount - 1)
        && (state.hasPrefetchJob || !state.pendingThumbnails.isEmpty)
      if background { state.backgroundWorkers += 1 }
      return (worker, background, beginDownload(&state))
    }
    if worker { WorkerThread.run { self.work() } }
    if background, !WorkerThread.start(givesWay: true, { self.workInBackground() }) {
      state.withLock { $0.backgroundWorkers -= 1 }
    }
    if let (download, cancellation) = download {
      WorkerThread.run { self.run(download, cancellation) }
    }
  }

  /// The loop of a worker thread: runs visible jobs until there are none.
  private func work() {
    while let (job, cancellation) = nextVisibleJob() {
      // The budget now counts this job's pixels: start prefetching if there is room beside it.
      startNeededWorkers()
      deliver(run(job, cancellation, .visible), of: job)
    }
  }

  private func nextVisibleJob() -> (ImageJob, Cancellation)? {
    state.withLock { state in
      let next = state.begin(.visible)
      if next == nil { state.workers -= 1 }
      return next
    }
  }

  /// The loop of a low-priority worker thread: prefetches, then writes thumbnails to disk.
  private func workInBackground() {
    while true {
      switch nextBackgroundTask() {
      case .job(let job, let cancellation): deliver(run(job, cancellation, .background), of: job)
      case .write(let thumbnail):
        write(thumbnail)
      case .end: return
      }
    }
  }

  private func nextBackgroundTask() -> BackgroundTask {
    state.withLock { state in
      if let (job, cancellation) = state.begin(.prefetch) { return .job(job, cancellation) }
      if let thumbnail = state.dequeueThumbnail() { return .write(thumbnail) }
      state.backgroundWorkers -= 1
      return .end
    }
  }

  /// Makes the final image of a request on the calling thread, unless a worker is already making it.
  private func runFinalJob(of id: ImageRequestID) {
    let claimed = state.withLock { state in
      state.table.finalJob(of: id).map { ($0, state.begin($0)) }
    }
    guard let (job, cancellation) = claimed else { return }
    deliver(run(job, cancellation, .visible), of: job)
  }

  private func run(
    _ job: ImageJob, _ cancellation: Cancellation, _ urgency: ReaderClient.Urgency
  ) -> ImageOutcome {
    let cached = state.withLock { state -> PixelBuffer? in
      guard case .picture = job.work.product else { return nil }
      let picture = state.cache.value(for: job.work)
      if picture != nil {
        state.counters.hits += 1
      } else if job.phase == .final {
        state.counters.misses += 1
      }
      return picture
    }
    if let cached { return .picture(cached, isDegraded: false, note: nil) }
    let standIn = job.phase == .degraded ? state.withLock { $0.cache.standIn(for: job.work) } : nil
    // No thumbnail in a file is usually larger.
    if let standIn, max(standIn.width, standIn.height) >= Self.goodStandIn {
      return .picture(standIn, isDegraded: true, note: nil)
    }
    let result = OpenFileLimit.takingTurns { loader.run(job, cancellation, urgency) }
    state.withLock { state in
      result.count(&state.counters)
      if let thumbnail = result.thumbnail, !keepsThumbnailsAtOnce { state.enqueue(thumbnail) }
    }
    if let thumbnail = result.thumbnail, keepsThumbnailsAtOnce { write(thumbnail) }
    switch (result.outcome, standIn) {
    case (.nothing, let standIn?): return .picture(standIn, isDegraded: true, note: nil)
    case (.picture(let picture, isDegraded: true, _), let standIn?)
    where picture.size.area < standIn.size.area:
      return .picture(standIn, isDegraded: true, note: nil)
    default: return result.outcome
    }
  }

  /// The longest side in pixels from which a picture in memory needs no comparison with the thumbnail in the file.
  private static let goodStandIn = 256

  private func write(_ thumbnail: PendingThumbnail) {
    let isKept = thumbnail.write()
    state.withLock { state in
      if isKept { state.counters.keptThumbnails += 1 } else { state.counters.lostThumbnails += 1 }
    }
  }

  private func deliver(_ outcome: ImageOutcome, of job: ImageJob) {
    let handlers = state.withLock { state in
      // Don't cache parts of images: each is visible only briefly, and the caller keeps what it needs.
      if job.work.isWhole, case .picture(let pixels, isDegraded: false, note: nil) = outcome {
        state.cache.insert(pixels, for: job.work)
      }
      let answers = state.table.finished(job, given: outcome.phase)
      state.end(job)
      return state.handlers(of: answers)
    }
    for (answer, handle) in handlers { handle(answer, outcome) }
    // The finished job has freed memory for the next one, which another worker may have to start.
    startNeededWorkers()
  }
}

extension ImagePipeline {
  /// The maximum number of simultaneous downloads.
  private static let downloadLimit = 2

  /// Takes the next download from the table, if one may start.
  private func beginDownload(_ state: inout PipelineState) -> (ImageDownload, Cancellation)? {
    guard state.downloads < Self.downloadLimit, let next = state.table.nextDownload() else { return nil }
    state.downloads += 1
    state.counters.downloads += 1
    let cancellation = Cancellation()
    state.running[next.run] = cancellation
    return (next, cancellation)
  }

  /// Downloads a file, and reports failure to the requests that wait for it.
  func run(_ download: ImageDownload, _ cancellation: Cancellation) {
    var outcome = ImageOutcome.nothing
    do throws(AssetError) {
      guard let resource = download.resource else { throw AssetError(download.asset.displayName, "no file") }
      try store.download(resource) { progress in
        report(progress, of: download)
        return cancellation.isCancelled ? .stop : .proceed
      }
    } catch {
      outcome = .failure(error)
    }
    let hasArrived = if case .failure = outcome { false } else { !cancellation.isCancelled }
    let handlers = state.withLock { state in
      state.running[download.run] = nil
      state.downloads -= 1
      return state.handlers(of: state.table.finished(download, succeeded: hasArrived))
    }
    for (answer, handle) in handlers { handle(answer, outcome) }
    startNeededWorkers()
  }

  private func report(_ progress: Double, of download: ImageDownload) {
    let handlers = state.withLock { state in
      state.table.progressed(download, to: progress).compactMap { id in
        state.progressHandlers[id].map { (id, $0) }
      }
    }
    for (id, handler) in handlers where handler(progress) == .stop { cancelImageRequest(id) }
  }
}

/// The result of a synchronous request, for which its caller waits.
private final class SynchronousAnswer: Sendable {
  private let answer = Mutex<ImageResult?>(nil)
  private let ready = DispatchSemaphore(value: 0)

  func set(_ result: ImageResult) {
    answer.withLock { $0 = result }
    ready.signal()
  }

  func wait() -> ImageResult {
    ready.wait()
    guard let result = answer.withLock({ $0 }) else {
      preconditionFailure("the semaphore is signalled only after the answer is set")
    }
    return result
  }
}

extension ImageResult {
  /// Creates the result of an image request.
  init(_ answer: RequestAnswer, _ outcome: ImageOutcome, of asset: Asset) {
    let content: Content =
      switch (answer.content, outcome) {
      case (.unreachable, _): .failed(AssetError(unreachable: asset))
      case (_, .picture(let pixels, let isDegraded, let note)):
        .image(pixels, isDegraded: isDegraded, note: note)
      case (_, .failure(let error)): .failed(error)
      case (_, .data), (_, .nothing): .cancelled
      }
    self.init(
      requestID: answer.id, content: content, isInCloud: answer.isInCloud || answer.content == .unreachable,
      isLast: answer.isLast)
  }
}

extension ImageDataResult {
  /// Creates the result of a data request.
  init(_ answer: RequestAnswer, _ outcome: ImageOutcome, of asset: Asset) {
    let content: Content =
      switch (answer.content, outcome) {
      case (.unreachable, _): .failed(AssetError(unreachable: asset))
      case (_, .data(let bytes, let resource)):
        .data(
          bytes, uniformTypeIdentifier: resource.uniformTypeIdentifier, orientation: resource.orientation)
      case (_, .failure(let error)): .failed(error)
      case (_, .picture), (_, .nothing): .cancelled
      }
    self.init(requestID: answer.id, content: content, isInCloud: answer.content == .unreachable)
  }
}

extension AssetError {
  fileprivate init(unreachable asset: Asset) {
    self.init(
      asset.displayName, "its original is not on this machine, and the network may not be used",
      code: .networkRequired)
  }
}
