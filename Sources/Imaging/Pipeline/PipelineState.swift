import AssetLibrary
import Pixels

/// What the threads of the image pipeline share, under its lock.
struct PipelineState: ~Copyable {
  typealias ProgressHandler = @Sendable (Double) -> DownloadDecision

  var table = RequestTable()
  var receivers: [ImageRequestID: AnswerReceiver] = [:]
  var progressHandlers: [ImageRequestID: ProgressHandler] = [:]
  /// Jobs and downloads under way.
  var running: [UInt64: Cancellation] = [:]
  private var pixels: PixelBudget
  var cache: CostBoundedCache<ImageWork, PixelBuffer>
  var workers = 0
  var backgroundWorkers = 0
  var downloads = 0
  private var lastID: UInt64 = 0
  var counters = ImageCounters()
  /// Thumbnails that wait to be put on disk, the oldest first.
  private(set) var pendingThumbnails: [PendingThumbnail] = []

  /// How many thumbnails wait at most; of the large size 16 MiB.
  private static let pendingThumbnailLimit = 64

  /// - Parameter pixelBudget: how many pixels may stand in memory for final pictures being made at once.
  init(cacheLimit: Int, pixelBudget: Int) {
    cache = CostBoundedCache(limit: cacheLimit)
    pixels = PixelBudget(budget: pixelBudget)
  }

  mutating func newID() -> ImageRequestID {
    lastID += 1
    return ImageRequestID(rawValue: lastID)
  }

  // MARK: Jobs

  /// Takes the next job out of the table for which there is room.
  ///
  /// Prefetching waits until all visible jobs have begun: its thread gives way, but would still take a tenth of the
  /// time, and room that something large may be waiting for.
  mutating func begin(_ urgencies: JobUrgencies) -> (ImageJob, Cancellation)? {
    if urgencies == .prefetch, table.hasVisibleJob { return nil }
    return table.nextJob(urgencies, pixelsLeft: pixels.left).map { ($0, begin($0)) }
  }

  /// Whether there is a job of prefetching whose turn it is.
  var hasPrefetchJob: Bool { !table.hasVisibleJob && table.hasPrefetchJob(pixelsLeft: pixels.left) }

  mutating func begin(_ job: ImageJob) -> Cancellation {
    let cancellation = Cancellation()
    running[job.run] = cancellation
    pixels.begin(job.cost)
    return cancellation
  }

  /// A job has ended.
  mutating func end(_ job: ImageJob) {
    running[job.run] = nil
    pixels.end(job.cost)
  }

  /// Counts the pixels that something takes in memory while it plays, in and out.
  mutating func reserve(_ count: Int) { pixels.reserve(count) }
  mutating func release(_ count: Int) { pixels.release(count) }

  // MARK: Answers

  /// The receivers of answers, those of last answers forgotten.
  mutating func receivers(of answers: [RequestAnswer]) -> [(RequestAnswer, AnswerReceiver)] {
    answers.compactMap { answer in
      if answer.isLast { progressHandlers[answer.id] = nil }
      let receiver = answer.isLast ? receivers.removeValue(forKey: answer.id) : receivers[answer.id]
      return receiver.map { (answer, $0) }
    }
  }

  // MARK: Thumbnails

  /// Adds a thumbnail to those that wait; one that finds no room is written another time.
  mutating func enqueue(_ thumbnail: PendingThumbnail) {
    if pendingThumbnails.count < Self.pendingThumbnailLimit { pendingThumbnails.append(thumbnail) }
  }

  mutating func dequeueThumbnail() -> PendingThumbnail? {
    pendingThumbnails.isEmpty ? nil : pendingThumbnails.removeFirst()
  }
}
