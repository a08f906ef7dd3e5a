public import AssetLibrary
import Dispatch
import Pixels
import Synchronization

/// Makes pictures of assets on a few threads: the image manager behind the library.
///
/// Answers are given on the worker that made the picture, so that what the caller makes of it (an encoding
/// for the terminal) stays in the background too.
public final class ImagePipeline: ImageManager {
  /// What the pipeline has done since it began; for tests and for measuring.
  public struct Counters: Hashable, Sendable {
    public var hits = 0
    public var thumbnails = 0
    public var decodes = 0
    public var cancelled = 0
  }

  private struct State: ~Copyable {
    var table = RequestTable()
    var handlers: [ImageRequestID: @Sendable (ImageResult) -> Void] = [:]
    var running: [UInt64: Cancellation] = [:]
    var cache: CostBoundedCache<PictureWork, PixelBuffer>
    var workers = 0
    var background = 0
    var lastID: UInt64 = 0
    var counters = Counters()
  }

  private let store: any AssetStore
  private let foreign: (any ForeignDecoder)?
  private let colors = ColorManager()
  private let workerCount: Int
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "tpick.imaging", attributes: .concurrent)

  /// A pipeline over the bytes of a store.
  /// - Parameters:
  ///   - cacheLimit: bytes of decoded pictures to keep.
  ///   - workers: threads that decode; nil = as many as there are cores, at least two.
  ///   - foreign: asked for the formats that only heavy libraries know; nil = they can't be drawn.
  public init(
    store: any AssetStore, cacheLimit: Int = 24 << 20, workers: Int? = nil,
    foreign: (any ForeignDecoder)? = nil
  ) {
    self.store = store
    self.foreign = foreign
    workerCount = workers ?? max(2, SystemCores.count)
    state = Mutex(State(cache: CostBoundedCache(limit: cacheLimit)))
  }

  public var counters: Counters { state.withLock { $0.counters } }

  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let id = state.withLock { state in
      state.lastID += 1
      let id = ImageRequestID(rawValue: state.lastID)
      state.handlers[id] = resultHandler
      state.table.submit(id, request, priority: priority)
      return id
    }
    employ()
    return id
  }

  public func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    state.withLock { $0.table.setPriority(priority, of: request) }
    employ()
  }

  public func cancelImageRequest(_ request: ImageRequestID) {
    let handler = state.withLock { state -> (@Sendable (ImageResult) -> Void)? in
      let (wasWaiting, stop) = state.table.cancel(request)
      guard wasWaiting else { return nil }
      if let stop { state.running[stop.run]?.cancel() }
      state.counters.cancelled += 1
      return state.handlers.removeValue(forKey: request)
    }
    guard let handler else { return }
    queue.async { handler(.cancelled) }
  }

  /// Sees to it that enough workers are at work.
  private func employ() {
    let start = state.withLock { state in
      guard state.workers < workerCount else { return false }
      state.workers += 1
      return true
    }
    if start { queue.async { self.work() } }
  }

  /// One worker: takes jobs until there is none that it may take.
  private func work() {
    guard var renderer = try? PictureRenderer(colors: colors, foreign: foreign) else {
      // No memory for a decoder: whoever waits hears it from the worker that can still be made.
      state.withLock { $0.workers -= 1 }
      return
    }
    while let (job, cancellation) = next() {
      let outcome = perform(job, cancellation, &renderer)
      deliver(outcome, of: job)
    }
  }

  private func next() -> (RequestTable.Job, Cancellation)? {
    state.withLock { state in
      // Guesses never take the last worker.
      let allowsBackground = state.background < max(1, workerCount - 1)
      guard let job = state.table.nextJob(allowsBackground: allowsBackground) else {
        state.workers -= 1
        return nil
      }
      let cancellation = Cancellation()
      state.running[job.run] = cancellation
      if job.isBackground { state.background += 1 }
      return (job, cancellation)
    }
  }

  private enum Outcome {
    case picture(PixelBuffer, note: String?)
    case nothing
    case failure(AssetError)
  }

  private func perform(
    _ job: RequestTable.Job, _ cancellation: Cancellation, _ renderer: inout PictureRenderer
  ) -> Outcome {
    let asset = job.asset
    let cached = state.withLock { state -> PixelBuffer? in
      let picture = state.cache.value(for: job.work)
      if picture != nil { state.counters.hits += 1 }
      return picture
    }
    if let cached {
      // The final picture is at hand: no degraded one needs to come before it.
      return job.phase == .final ? .picture(cached, note: nil) : .nothing
    }
    if let defect = asset.defect { return .failure(AssetError(asset.displayName, defect)) }
    guard let resource = asset.primaryResource else {
      return .failure(AssetError("asset", "it has no file"))
    }
    do throws(AssetError) {
      let reader = try store.reader(for: resource)
      switch job.phase {
      case .degraded:
        state.withLock { $0.counters.thumbnails += 1 }
        let thumbnail = renderer.thumbnail(
          for: job.work, of: resource, from: reader, cancellation: cancellation)
        return thumbnail.map { .picture($0, note: nil) } ?? .nothing
      case .final:
        state.withLock { $0.counters.decodes += 1 }
        let rendering = try renderer.picture(
          for: job.work, of: resource, from: reader, cancellation: cancellation)
        guard let rendering else { return .nothing }
        return .picture(rendering.pixels, note: rendering.note)
      }
    } catch {
      return .failure(error)
    }
  }

  private func deliver(_ outcome: Outcome, of job: RequestTable.Job) {
    let result: ImageResult
    switch outcome {
    case .picture(let pixels, let note):
      result = .image(pixels, isDegraded: job.phase == .degraded, note: note)
    case .failure(let error): result = .failed(error)
    case .nothing: result = .cancelled
    }
    let answers = state.withLock { state -> [@Sendable (ImageResult) -> Void] in
      if job.phase == .final, case .picture(let pixels, nil) = outcome {
        state.cache.insert(pixels, for: job.work, cost: pixels.cost)
      }
      let succeeded = if case .picture = outcome { true } else { false }
      let finished = state.table.finished(job, succeeded: succeeded)
      state.running[job.run] = nil
      if job.isBackground { state.background -= 1 }
      return finished.compactMap { answer in
        answer.isLast ? state.handlers.removeValue(forKey: answer.id) : state.handlers[answer.id]
      }
    }
    for handler in answers { handler(result) }
  }
}

extension Asset {
  /// The file's name for messages.
  var displayName: String { primaryResource?.displayName ?? localIdentifier.rawValue }
}
