public import AssetLibrary
package import CodecProtocol
import Dispatch
import Pixels
import Synchronization
import System

/// Makes pictures of assets on a few threads: the image manager behind the library.
///
/// What is done next is the `RequestTable`'s to say; this runs its jobs and downloads on threads. Answers are given on the worker that made the picture, so that what the caller
/// makes of it (an encoding for the terminal) stays in the background too.
public final class ImagePipeline: ImageManager {
  let store: any OriginalAccess
  let loader: ImageLoader
  let workerCount: Int
  /// Whether an answer waits until the thumbnail that was made for it is on disk.
  let keepsThumbnailsAtOnce: Bool
  let state: Mutex<PipelineState>
  /// Calls handlers with what needs no worker: refusals, cancellations, progress.
  private let notices = WorkQueue(width: 4)

  /// A pipeline over the bytes of a store.
  /// - Parameters:
  ///   - cacheLimit: bytes of decoded pictures to keep.
  ///   - pixelBudget: pixels in memory while final pictures are made, unless one alone takes more.
  ///   - workers: threads that decode what is in sight; nil = as many as there are cores, at least two.
  ///   - reader: the helper that makes pictures of light formats.
  ///   - foreign: asked for the formats that only heavy libraries know; nil = they can't be drawn.
  ///   - thumbnails: pictures that outlive the program; nil = none.
  ///   - keepsThumbnailsAtOnce: whether those that are made are on disk before the answer is given; else they are written in the
  ///     background, as far as that keeps up.
  package init(
    store: any OriginalAccess, cacheLimit: Int = 24 << 20, pixelBudget: Int = 48_000_000, workers: Int? = nil,
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

  /// A pipeline with a decoder for every format, which keeps nothing on disk.
  /// - Parameters:
  ///   - store: whose files are read.
  ///   - cacheLimit: bytes of decoded pictures to keep.
  ///   - codecs: the path of the helper `tpick-codecs`, which decodes HEIC, raw files and stills of videos; nil = where the
  ///     environment's `TPICK_CODECS` says, else beside this program or in `../libexec/tpick` from there. Without it these
  ///     formats can't be drawn.
  public convenience init(
    reading store: any OriginalAccess, cacheLimit: Int = 24 << 20, codecs: String? = nil
  ) {
    self.init(
      store: store, cacheLimit: cacheLimit, foreign: HelperDecoder(CodecClient(program: codecs)),
      thumbnails: nil)
  }

  package var counters: ImageCounters { state.withLock { $0.counters } }

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
      // What is in memory needs no network.
      if source.isRemote, state.cache.value(for: request.work) != nil { source.isRemote = false }
      let answers = state.table.submit(id, request, priority: priority, source: source)
      if state.table.isShared(id) { state.counters.coalesced += 1 }
      return (id, state.handlers(of: answers), state.table.downloadProgress(of: id))
    }
    // Not inside of the call: the caller may hold a lock.
    for (answer, handle) in refusals { notices.async { handle(answer, .nothing) } }
    if let progress, let progressHandler {
      notices.async { if progressHandler(progress) == .stop { self.cancelImageRequest(id) } }
    }
    startNeededWorkers()
    return id
  }

  public func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let frames = try loader.frames(of: request, cancellation)
    // What plays takes memory from what is decoded beside it, in whichever process.
    let pixels = loader.pixels(of: request)
    guard pixels > 0 else { return frames }
    state.withLock { $0.reserve(pixels) }
    return ReservedFrames(frames) { [self] in
      state.withLock { $0.release(pixels) }
      startNeededWorkers()
    }
  }

  public func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    state.withLock { $0.table.setPriority(priority, of: request) }
    startNeededWorkers()
  }

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
    // Prefetching may have waited for it.
    startNeededWorkers()
  }
}

extension ImagePipeline {
  /// What a background worker does next.
  private enum BackgroundTask {
    case job(ImageJob, Cancellation)
    case write(PendingThumbnail)
    case end
  }

  /// Starts threads for what waits, up to the number that may work at once.
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

  /// One worker: takes visible jobs until there is none.
  private func work() {
    while let (job, cancellation) = nextVisibleJob() {
      // Its share of the pixel budget is taken now: prefetching may have room beside it.
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

  /// One worker that gives way to everything else: prefetching first, then thumbnails for the disk.
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

  /// Makes the final picture of a request on the caller, unless a worker is at it.
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
    let result = OpenFileLimit.takingTurns { loader.run(job, cancellation, urgency) }
    state.withLock { state in
      result.count(&state.counters)
      if let thumbnail = result.thumbnail, !keepsThumbnailsAtOnce { state.enqueue(thumbnail) }
    }
    if let thumbnail = result.thumbnail, keepsThumbnailsAtOnce { write(thumbnail) }
    return result.outcome
  }

  private func write(_ thumbnail: PendingThumbnail) {
    let isKept = thumbnail.write()
    state.withLock { state in
      if isKept { state.counters.keptThumbnails += 1 } else { state.counters.lostThumbnails += 1 }
    }
  }

  private func deliver(_ outcome: ImageOutcome, of job: ImageJob) {
    let handlers = state.withLock { state in
      // Not parts of pictures: each is looked at for a moment, and the caller keeps what it needs.
      if job.work.isWhole, case .picture(let pixels, isDegraded: false, note: nil) = outcome {
        state.cache.insert(pixels, for: job.work, cost: pixels.cost)
      }
      let answers = state.table.finished(job, given: outcome.phase)
      state.end(job)
      return state.handlers(of: answers)
    }
    for (answer, handle) in handlers { handle(answer, outcome) }
    // There is room for the next job now, which another worker may have to do.
    startNeededWorkers()
  }
}

extension ImagePipeline {
  /// How many originals are brought from elsewhere at once.
  private static let downloadLimit = 2

  /// Takes the next download out of the table, if it may begin.
  private func beginDownload(_ state: inout PipelineState) -> (ImageDownload, Cancellation)? {
    guard state.downloads < Self.downloadLimit, let next = state.table.nextDownload() else { return nil }
    state.downloads += 1
    state.counters.downloads += 1
    let cancellation = Cancellation()
    state.running[next.run] = cancellation
    return (next, cancellation)
  }

  /// Downloads a file, and tells whoever waits for it when it failed.
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

/// The answer to a synchronous request, which its caller waits for.
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
  /// What a request for a picture hears.
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
  /// What a request for data hears.
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
    self.init(asset.displayName, "its original is not on this machine, and the network may not be used")
  }
}
