import AssetLibrary
import Pixels

/// The state that the threads of the image pipeline share, protected by its lock.
struct PipelineState: ~Copyable {
  typealias ProgressHandler = @Sendable (Double) -> DownloadDecision
  /// Delivers a result to a request, with the outcome of the job or download.
  typealias AnswerHandler = @Sendable (RequestAnswer, ImageOutcome) -> Void

  var table = RequestTable()
  var handlers: [ImageRequestID: AnswerHandler] = [:]
  var progressHandlers: [ImageRequestID: ProgressHandler] = [:]
  /// The running jobs and downloads.
  var running: [UInt64: Cancellation] = [:]
  private var pixels: PixelBudget
  var cache: PictureCache
  var workers = 0
  var backgroundWorkers = 0
  var downloads = 0
  private var lastID: UInt64 = 0
  var counters = ImageCounters()
  /// Thumbnails that wait to be written to disk, the oldest first.
  private(set) var pendingThumbnails: [PendingThumbnail] = []

  /// The maximum number of waiting thumbnails; 16 MiB in the large size.
  private static let pendingThumbnailLimit = 64

  /// - Parameter pixelBudget: the maximum number of pixels in memory while final images are made.
  init(cacheLimit: Int, pixelBudget: Int) {
    cache = PictureCache(limit: cacheLimit)
    pixels = PixelBudget(budget: pixelBudget)
  }

  mutating func newID() -> ImageRequestID {
    lastID += 1
    return ImageRequestID(rawValue: lastID)
  }

  // MARK: Jobs

  /// Takes the next job from the table that fits into the pixel budget.
  ///
  /// Prefetching waits until all visible jobs have started. Even on a low-priority thread it would take a
  /// tenth of the time, and memory that a large image may be waiting for.
  mutating func begin(_ urgencies: JobUrgencies) -> (ImageJob, Cancellation)? {
    if urgencies == .prefetch, table.hasVisibleJob { return nil }
    return table.nextJob(urgencies, pixelsLeft: pixels.left).map { ($0, begin($0)) }
  }

  /// Whether a prefetch job may start.
  var hasPrefetchJob: Bool { !table.hasVisibleJob && table.hasPrefetchJob(pixelsLeft: pixels.left) }

  mutating func begin(_ job: ImageJob) -> Cancellation {
    let cancellation = Cancellation()
    running[job.run] = cancellation
    pixels.begin(job.cost)
    return cancellation
  }

  /// Removes a finished job.
  mutating func end(_ job: ImageJob) {
    running[job.run] = nil
    pixels.end(job.cost)
  }

  /// Adds and removes the pixels that an animation has in memory during playback.
  mutating func reserve(_ count: Int) { pixels.reserve(count) }
  mutating func release(_ count: Int) { pixels.release(count) }

  // MARK: Answers

  /// Returns the handlers of the results, and removes those of last results.
  mutating func handlers(of answers: [RequestAnswer]) -> [(RequestAnswer, AnswerHandler)] {
    answers.compactMap { answer in
      if answer.isLast { progressHandlers[answer.id] = nil }
      let handler = answer.isLast ? handlers.removeValue(forKey: answer.id) : handlers[answer.id]
      return handler.map { (answer, $0) }
    }
  }

  // MARK: Thumbnails

  /// Adds a thumbnail to the queue; if the queue is full, the thumbnail is dropped and made again another
  /// time.
  mutating func enqueue(_ thumbnail: PendingThumbnail) {
    if pendingThumbnails.count < Self.pendingThumbnailLimit { pendingThumbnails.append(thumbnail) }
  }

  mutating func dequeueThumbnail() -> PendingThumbnail? {
    pendingThumbnails.isEmpty ? nil : pendingThumbnails.removeFirst()
  }
}

/// The number of pixels in memory while final images are made, and its limit.
///
/// A value type without a lock.
struct PixelBudget: Hashable, Sendable {
  /// The maximum number of pixels; a single image may exceed it.
  let budget: Int
  /// The pixels of the running jobs.
  private(set) var running = 0
  /// The pixels of animations during playback.
  private(set) var playing = 0

  init(budget: Int) { self.budget = budget }

  mutating func begin(_ cost: Int) { running += charge(cost) }
  mutating func end(_ cost: Int) { running -= charge(cost) }

  mutating func reserve(_ pixels: Int) { playing += charge(pixels) }
  mutating func release(_ pixels: Int) { playing -= charge(pixels) }

  /// Returns the counted part of a cost, at most the whole budget: costs are derived from numbers in files
  /// and may be arbitrarily large.
  private func charge(_ cost: Int) -> Int { min(cost, budget) }

  /// The maximum cost of the next job.
  ///
  /// A job that exceeds the budget runs only while no other job runs.
  var left: Int { running == 0 ? .max : max(0, budget - running - playing) }
}

/// A thumbnail that waits to be written to disk.
struct PendingThumbnail: Sendable {
  var entry: ThumbnailCache.Entry
  var picture: PixelBuffer

  /// Writes the thumbnail.
  /// - Returns: whether it is on disk now.
  func write() -> Bool { entry.write(picture) }
}

/// Counts of an image manager's work since it was created, for tests and measurements.
package struct ImageCounters: Hashable, Codable, Sendable {
  /// Requests for images and data.
  package var requests = 0
  /// Final images found in memory.
  var hits = 0
  /// Final images not found in memory.
  package var misses = 0
  /// Requests that joined pending work of other requests.
  var coalesced = 0
  /// Cancelled requests.
  package var cancelled = 0
  /// Searches for degraded images in files.
  package var thumbnails = 0
  /// Images made from thumbnails on disk.
  var storedThumbnails = 0
  /// Thumbnails written to disk.
  var keptThumbnails = 0
  /// Thumbnails that could not be written.
  var lostThumbnails = 0
  /// Decoded images.
  package var decodes = 0
  /// The pixels that decoders returned, before resizing.
  var decodedPixels = 0
  /// Downloaded originals.
  var downloads = 0
  /// Files read as data.
  var dataReads = 0

  package init() {}
}
