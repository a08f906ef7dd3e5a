import AssetLibrary
import Pixels

/// What the threads of the image pipeline share, under its lock.
struct PipelineState: ~Copyable {
  typealias ProgressHandler = @Sendable (Double) -> DownloadDecision
  /// Gives a request its answer, with what the job or the download has given.
  typealias AnswerHandler = @Sendable (RequestAnswer, ImageOutcome) -> Void

  var table = RequestTable()
  var handlers: [ImageRequestID: AnswerHandler] = [:]
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

  /// What gives the answers, forgotten after last ones.
  mutating func handlers(of answers: [RequestAnswer]) -> [(RequestAnswer, AnswerHandler)] {
    answers.compactMap { answer in
      if answer.isLast { progressHandlers[answer.id] = nil }
      let handler = answer.isLast ? handlers.removeValue(forKey: answer.id) : handlers[answer.id]
      return handler.map { (answer, $0) }
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

/// How many pixels are in memory while final pictures are made, and how many more may be.
///
/// A value without a lock.
struct PixelBudget: Hashable, Sendable {
  /// The most at once, unless it is for one picture alone.
  let budget: Int
  /// What the jobs that run were charged.
  private(set) var running = 0
  /// What animations take for as long as they play.
  private(set) var playing = 0

  init(budget: Int) { self.budget = budget }

  mutating func begin(_ cost: Int) { running += charge(cost) }
  mutating func end(_ cost: Int) { running -= charge(cost) }

  mutating func reserve(_ pixels: Int) { playing += charge(pixels) }
  mutating func release(_ pixels: Int) { playing -= charge(pixels) }

  /// What is counted of a cost, which may follow from any number in a file: more than there is at all is no news.
  private func charge(_ cost: Int) -> Int { min(cost, budget) }

  /// What the next job may cost.
  ///
  /// A job that costs more than the whole budget runs when no other does, so that it runs at all.
  var left: Int { running == 0 ? .max : max(0, budget - running - playing) }
}

/// A thumbnail on its way to the disk.
struct PendingThumbnail: Sendable {
  var entry: ThumbnailCache.Entry
  var picture: PixelBuffer

  /// Puts it on disk.
  /// - Returns: whether it is there now.
  func write() -> Bool { entry.write(picture) }
}

/// What an image manager has done since it began; for tests and for measuring.
package struct ImageCounters: Hashable, Codable, Sendable {
  /// Requests for pictures and data.
  package var requests = 0
  /// Final pictures that were in memory.
  var hits = 0
  /// Final pictures that were not.
  package var misses = 0
  /// Requests that joined work which others had asked for.
  var coalesced = 0
  /// Requests that were cancelled.
  package var cancelled = 0
  /// Coarse pictures that were looked for in files.
  package var thumbnails = 0
  /// Pictures that came from thumbnails on disk.
  var storedThumbnails = 0
  /// Thumbnails that were put on disk.
  var keptThumbnails = 0
  /// Thumbnails that could not be put there.
  var lostThumbnails = 0
  /// Pictures that were decoded.
  package var decodes = 0
  /// The pixels that decoders gave for them, before they were resized.
  var decodedPixels = 0
  /// Originals that were brought from elsewhere.
  var downloads = 0
  /// Files that were read as data.
  var dataReads = 0

  package init() {}
}
