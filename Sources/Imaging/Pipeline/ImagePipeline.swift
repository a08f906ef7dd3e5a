package import AssetLibrary
import Dispatch
import Pixels
import Synchronization

/// Makes pictures of assets on a few threads: the image manager behind the library.
///
/// Answers are given on the worker that made the picture, so that what the caller makes of it (an encoding
/// for the terminal) stays in the background too.
package final class ImagePipeline: ImageManager {
  /// How many originals are brought from elsewhere at once.
  private static let downloadLimit = 2

  private let store: any AssetStore
  private let maker: PictureMaker
  private let workerCount: Int
  private let state: Mutex<PipelineState>
  private let queue = DispatchQueue(label: "tpick.imaging", attributes: .concurrent)

  /// A pipeline over the bytes of a store.
  /// - Parameters:
  ///   - cacheLimit: bytes of decoded pictures to keep.
  ///   - workers: threads that decode what is in sight; nil = as many as there are cores, at least two.
  ///   - foreign: asked for the formats that only heavy libraries know; nil = they can't be drawn.
  ///   - thumbnails: pictures that outlive the program; nil = none.
  package init(
    store: any AssetStore, cacheLimit: Int = 24 << 20, workers: Int? = nil,
    foreign: (any ForeignDecoder)? = nil, thumbnails: ThumbnailShelf? = nil
  ) {
    self.store = store
    maker = PictureMaker(store: store, foreign: foreign, thumbnails: thumbnails)
    workerCount = workers ?? max(2, SystemCores.count)
    state = Mutex(PipelineState(cacheLimit: cacheLimit))
  }

  package var counters: ImageCounters { state.withLock { $0.counters } }

  // MARK: Requests

  package func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let order = RequestTable.Order(request)
    guard request.options.isSynchronous else {
      return submit(order, priority, .image(resultHandler), progressHandler)
    }
    let answer = AwaitedAnswer()
    let id = submit(order, .preview, .image(answer.set), progressHandler)
    perform(id)
    resultHandler(answer.wait())
    return id
  }

  package func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    submit(RequestTable.Order(request), .visible, .data(resultHandler), progressHandler)
  }

  private func submit(
    _ order: RequestTable.Order, _ priority: ImagePriority, _ receiver: PipelineState.Receiver,
    _ progressHandler: PipelineState.ProgressHandler?
  ) -> ImageRequestID {
    var situation = maker.situation(of: order)
    let (id, refusals, progress) = state.withLock { state in
      let id = state.newID()
      state.counters.requests += 1
      state.receivers[id] = receiver
      state.progressHandlers[id] = progressHandler
      // What is in memory needs no network.
      if situation.isRemote, state.cache.value(for: order.work) != nil { situation.isRemote = false }
      let answers = state.table.submit(id, order, priority: priority, situation: situation)
      if state.table.isShared(id) { state.counters.coalesced += 1 }
      return (id, state.receivers(of: answers), state.table.downloadProgress(of: id))
    }
    // Never inside the caller's call, who may hold a lock.
    for (answer, receiver) in refusals {
      queue.async { receiver.receive(answer, .nothing, of: order.asset.displayName) }
    }
    if let progress, let progressHandler {
      queue.async { if progressHandler(progress) == .stop { self.cancelImageRequest(id) } }
    }
    startWorker()
    return id
  }

  package func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let frames = try maker.frames(of: request, cancellation)
    // What the helper plays stands in its memory.
    guard let animation = frames as? AnimationReader else { return frames }
    let pixels = animation.pixels
    state.withLock { $0.reserve(pixels) }
    return ReservedFrames(animation) { [self] in
      state.withLock { $0.release(pixels) }
      startWorker()
    }
  }

  package func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    state.withLock { $0.table.setPriority(priority, of: request) }
    startWorker()
  }

  package func cancelImageRequest(_ request: ImageRequestID) {
    let receiver = state.withLock { state -> PipelineState.Receiver? in
      let (wasWaiting, stop) = state.table.cancel(request)
      guard wasWaiting else { return nil }
      for run in stop { state.running[run]?.cancel() }
      state.counters.cancelled += 1
      state.progressHandlers[request] = nil
      return state.receivers.removeValue(forKey: request)
    }
    guard let receiver else { return }
    queue.async { receiver.cancel(request) }
    // A guess may have waited for it.
    startWorker()
  }

  // MARK: Workers

  /// Sees to it that enough threads are at work.
  private func startWorker() {
    let (worker, background, download) = state.withLock { state in
      let worker = state.workers < workerCount && state.table.hasJob
      if worker { state.workers += 1 }
      let background =
        state.backgroundWorkers < max(1, workerCount - 1)
        && (state.hasGuess || !state.keeps.isEmpty)
      if background { state.backgroundWorkers += 1 }
      var download: (RequestTable.Download, Cancellation)?
      if state.downloads < Self.downloadLimit, let next = state.table.nextDownload() {
        state.downloads += 1
        state.counters.downloads += 1
        let cancellation = Cancellation()
        state.running[next.run] = cancellation
        download = (next, cancellation)
      }
      return (worker, background, download)
    }
    if worker, !WorkerThread.start(givesWay: false, { self.work() }) { queue.async { self.work() } }
    if background, !WorkerThread.start(givesWay: true, { self.workInBackground() }) {
      state.withLock { $0.backgroundWorkers -= 1 }
    }
    if let (download, cancellation) = download {
      queue.async { self.perform(download, cancellation) }
    }
  }

  /// One worker: takes jobs that somebody looks at, until there is none.
  private func work() {
    guard var renderer = maker.renderer() else {
      // No memory for a decoder: whoever waits hears it from the worker that can still be made.
      state.withLock { $0.workers -= 1 }
      return
    }
    while let (job, cancellation) = next() {
      // The room that was kept for it is its own now: guesses may have some beside it.
      startWorker()
      deliver(perform(job, cancellation, &renderer), of: job)
    }
  }

  /// One worker that gives way to everything else: guesses first, then thumbnails for the disk.
  private func workInBackground() {
    guard var renderer = maker.renderer() else {
      state.withLock { $0.backgroundWorkers -= 1 }
      return
    }
    while true {
      switch nextInBackground() {
      case .job(let job, let cancellation): deliver(perform(job, cancellation, &renderer), of: job)
      case .keep(let thumbnail):
        if maker.keep(thumbnail) { state.withLock { $0.counters.keptThumbnails += 1 } }
      case .rest: return
      }
    }
  }

  private enum BackgroundTask {
    case job(RequestTable.Job, Cancellation)
    case keep(KeptThumbnail)
    case rest
  }

  private func nextInBackground() -> BackgroundTask {
    state.withLock { state in
      if let (job, cancellation) = state.begin(.guesses) {
        return .job(job, cancellation)
      }
      if !state.keeps.isEmpty { return .keep(state.keeps.removeFirst()) }
      state.backgroundWorkers -= 1
      return .rest
    }
  }

  private func next() -> (RequestTable.Job, Cancellation)? {
    state.withLock { state in
      let next = state.begin(.inSight)
      if next == nil { state.workers -= 1 }
      return next
    }
  }

  /// Makes the final picture of a request on the caller, unless a worker is at it.
  private func perform(_ id: ImageRequestID) {
    let claimed = state.withLock { state in
      state.table.finalJob(of: id).map { ($0, state.begin($0)) }
    }
    guard let (job, cancellation) = claimed else { return }
    guard var renderer = maker.renderer() else {
      return deliver(.failure(AssetError(job.asset.displayName, "not enough memory")), of: job)
    }
    deliver(perform(job, cancellation, &renderer), of: job)
  }

  private func perform(
    _ job: RequestTable.Job, _ cancellation: Cancellation, _ renderer: inout PictureRenderer
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
    let made = maker.make(job, cancellation, &renderer)
    state.withLock { state in
      made.count(&state.counters)
      // A thumbnail that finds no room is written another time.
      if let keep = made.keep, state.keeps.count < Self.keepLimit { state.keeps.append(keep) }
    }
    return made.outcome
  }

  /// How many thumbnails wait to be put on disk; of the large size 16 MiB.
  private static let keepLimit = 64

  private func deliver(_ outcome: ImageOutcome, of job: RequestTable.Job) {
    let receivers = state.withLock { state in
      // Parts are looked at in passing, one after the other: whoever shows them keeps what it needs.
      if job.work.isWhole, case .picture(let pixels, isDegraded: false, note: nil) = outcome {
        state.cache.insert(pixels, for: job.work, cost: pixels.cost)
      }
      let answers = state.table.finished(job, given: outcome.phase)
      state.end(job)
      return state.receivers(of: answers)
    }
    for (answer, receiver) in receivers { receiver.receive(answer, outcome, of: job.asset.displayName) }
    // What is to be done next may be another worker's: there is room for it now, or a guess has come into sight.
    startWorker()
  }

  // MARK: Downloads

  private func perform(_ download: RequestTable.Download, _ cancellation: Cancellation) {
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
    let receivers = state.withLock { state in
      state.running[download.run] = nil
      state.downloads -= 1
      return state.receivers(of: state.table.finished(download, succeeded: hasArrived))
    }
    for (answer, receiver) in receivers { receiver.receive(answer, outcome, of: download.asset.displayName) }
    startWorker()
  }

  private func report(_ progress: Double, of download: RequestTable.Download) {
    let handlers = state.withLock { state in
      state.table.progressed(download, to: progress).compactMap { id in
        state.progressHandlers[id].map { (id, $0) }
      }
    }
    for (id, handler) in handlers where handler(progress) == .stop { cancelImageRequest(id) }
  }
}

/// The answer to a synchronous request, which its caller waits for.
private final class AwaitedAnswer: Sendable {
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
