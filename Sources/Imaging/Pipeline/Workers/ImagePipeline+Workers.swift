import System
import AssetLibrary
import CodecProtocol
import Dispatch
import Pixels
import Synchronization

extension ImagePipeline {
  /// What a background worker does next.
  private enum BackgroundTask {
    case job(ImageJob, Cancellation)
    case write(PendingThumbnail)
    case end
  }

  /// Starts threads for what waits, up to the number that may work at once.
  func startNeededWorkers() {
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
  func runFinalJob(of id: ImageRequestID) {
    let claimed = state.withLock { state in
      state.table.finalJob(of: id).map { ($0, state.begin($0)) }
    }
    guard let (job, cancellation) = claimed else { return }
    deliver(run(job, cancellation, .visible), of: job)
  }

  private func run(
    _ job: ImageJob, _ cancellation: Cancellation, _ urgency: ReaderHelper.Urgency
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
    let result = loader.run(job, cancellation, urgency)
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
    let receivers = state.withLock { state in
      // Not parts of pictures: each is looked at for a moment, and the caller keeps what it needs.
      if job.work.isWhole, case .picture(let pixels, isDegraded: false, note: nil) = outcome {
        state.cache.insert(pixels, for: job.work, cost: pixels.cost)
      }
      let answers = state.table.finished(job, given: outcome.phase)
      state.end(job)
      return state.receivers(of: answers)
    }
    for (answer, receiver) in receivers { receiver.receive(answer, outcome, of: job.asset.displayName) }
    // There is room for the next job now, which another worker may have to do.
    startNeededWorkers()
  }
}
