public import AssetLibrary
package import CodecProtocol
import Dispatch
import Pixels
import Synchronization
import System

/// Makes pictures of assets on a few threads: the image manager behind the library.
///
/// This file takes requests and cancellations; `ImagePipeline+Workers` runs jobs on threads, `ImagePipeline+Downloads`
/// brings originals from elsewhere. Answers are given on the worker that made the picture, so that what the caller
/// makes of it (an encoding for the terminal) stays in the background too.
public final class ImagePipeline: ImageManager {
  let store: any AssetStore
  let loader: ImageLoader
  let workerCount: Int
  /// Whether an answer waits until the thumbnail that was made for it is on disk.
  let keepsThumbnailsAtOnce: Bool
  let state: Mutex<PipelineState>
  /// Calls receivers with what needs no worker: refusals, cancellations, progress.
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
    store: any AssetStore, cacheLimit: Int = 24 << 20, pixelBudget: Int = 48_000_000, workers: Int? = nil,
    reader: ReaderHelper = .standard, foreign: (any ForeignDecoder)? = nil,
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
  public convenience init(reading store: any AssetStore, cacheLimit: Int = 24 << 20, codecs: String? = nil) {
    self.init(
      store: store, cacheLimit: cacheLimit, foreign: HelperDecoder(CodecHelper(program: codecs)),
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
      return submit(work, priority, .image(resultHandler), progressHandler)
    }
    let answer = SynchronousAnswer()
    let id = submit(work, .preview, .image(answer.set), progressHandler)
    runFinalJob(of: id)
    resultHandler(answer.wait())
    return id
  }

  public func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    submit(WorkRequest(request), .visible, .data(resultHandler), progressHandler)
  }

  private func submit(
    _ request: WorkRequest, _ priority: ImagePriority, _ receiver: AnswerReceiver,
    _ progressHandler: PipelineState.ProgressHandler?
  ) -> ImageRequestID {
    var source = loader.sourceState(of: request)
    if source.isRemote, !source.hasThumbnail, priority > .prefetch {
      store.prepareThumbnails(of: [request.asset.localIdentifier])
    }
    let (id, refusals, progress) = state.withLock { state in
      let id = state.newID()
      state.counters.requests += 1
      state.receivers[id] = receiver
      state.progressHandlers[id] = progressHandler
      // What is in memory needs no network.
      if source.isRemote, state.cache.value(for: request.work) != nil { source.isRemote = false }
      let answers = state.table.submit(id, request, priority: priority, source: source)
      if state.table.isShared(id) { state.counters.coalesced += 1 }
      return (id, state.receivers(of: answers), state.table.downloadProgress(of: id))
    }
    // Not inside of the call: the caller may hold a lock.
    for (answer, receiver) in refusals {
      notices.async { receiver.receive(answer, .nothing, of: request.asset.displayName) }
    }
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
    let receiver = state.withLock { state -> AnswerReceiver? in
      let (wasWaiting, stop) = state.table.cancel(request)
      guard wasWaiting else { return nil }
      for run in stop { state.running[run]?.cancel() }
      state.counters.cancelled += 1
      state.progressHandlers[request] = nil
      return state.receivers.removeValue(forKey: request)
    }
    guard let receiver else { return }
    notices.async { receiver.cancel(request) }
    // Prefetching may have waited for it.
    startNeededWorkers()
  }
}
