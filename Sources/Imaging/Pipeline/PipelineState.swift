import AssetLibrary
import Pixels

/// What the image pipeline's threads share, under its lock.
struct PipelineState: ~Copyable {
  /// Whom an answer goes to.
  enum Receiver: Sendable {
    case image(@Sendable (ImageResult) -> Void)
    case data(@Sendable (ImageDataResult) -> Void)
  }

  typealias ProgressHandler = @Sendable (Double) -> DownloadDecision

  var table = RequestTable()
  var receivers: [ImageRequestID: Receiver] = [:]
  var progressHandlers: [ImageRequestID: ProgressHandler] = [:]
  /// Jobs and downloads under way.
  var running: [UInt64: Cancellation] = [:]
  private var pixels: PixelBudget
  var cache: CostBoundedCache<ImageWork, PixelBuffer>
  var workers = 0
  var backgroundWorkers = 0
  var downloads = 0
  var lastID: UInt64 = 0
  var counters = ImageCounters()
  /// Thumbnails that wait to be put on disk, the oldest first.
  var keeps: [KeptThumbnail] = []

  /// - Parameter pixelBudget: how many pixels may stand in memory for final pictures being made at once.
  init(cacheLimit: Int, pixelBudget: Int = 48_000_000) {
    cache = CostBoundedCache(limit: cacheLimit)
    pixels = PixelBudget(budget: pixelBudget)
  }

  mutating func newID() -> ImageRequestID {
    lastID += 1
    return ImageRequestID(rawValue: lastID)
  }

  /// Takes the next job out of the table for which there is room.
  ///
  /// A guess waits until all that is in sight has begun: its thread gives way, but would still take a tenth of the
  /// time, and room that something large may be waiting for.
  mutating func begin(_ urgencies: RequestTable.Urgencies) -> (RequestTable.Job, Cancellation)? {
    if urgencies == .guesses, table.hasJob { return nil }
    return table.nextJob(urgencies, pixelsLeft: pixels.left).map { ($0, begin($0)) }
  }

  /// Whether there is a guess whose turn it is.
  var hasGuess: Bool { !table.hasJob && table.hasGuess(pixelsLeft: pixels.left) }

  mutating func begin(_ job: RequestTable.Job) -> Cancellation {
    let cancellation = Cancellation()
    running[job.run] = cancellation
    pixels.begin(job.cost)
    return cancellation
  }

  /// A job has come to its end.
  mutating func end(_ job: RequestTable.Job) {
    running[job.run] = nil
    pixels.end(job.cost)
  }

  /// Something plays, or does no longer, that takes so many pixels of memory.
  mutating func reserve(_ count: Int) { pixels.reserve(count) }
  mutating func release(_ count: Int) { pixels.release(count) }

  /// The receivers of answers, those of last answers forgotten.
  mutating func receivers(of answers: [RequestTable.Answer]) -> [(RequestTable.Answer, Receiver)] {
    answers.compactMap { answer in
      if answer.isLast { progressHandlers[answer.id] = nil }
      let receiver = answer.isLast ? receivers.removeValue(forKey: answer.id) : receivers[answer.id]
      return receiver.map { (answer, $0) }
    }
  }
}

/// What a job or a download has come to.
enum ImageOutcome: Sendable {
  case picture(PixelBuffer, isDegraded: Bool, note: String?)
  case data([UInt8], AssetResource)
  /// No picture: none at hand, or nobody wants it any more.
  case nothing
  case failure(AssetError)

  /// Which half of the work this is; nil where it is neither.
  var phase: RequestTable.Phase? {
    switch self {
    case .picture(_, let isDegraded, _): isDegraded ? .degraded : .final
    case .data: .final
    case .nothing, .failure: nil
    }
  }
}

extension PipelineState.Receiver {
  /// Gives an answer to whoever waits for it.
  func receive(_ answer: RequestTable.Answer, _ outcome: ImageOutcome, of name: String) {
    let refusal = AssetError(name, "its original is not on this machine, and the network may not be used")
    switch self {
    case .image(let handler):
      let content: ImageResult.Content =
        switch (answer.content, outcome) {
        case (.unreachable, _): .failed(refusal)
        case (_, .picture(let pixels, let isDegraded, let note)):
          .image(pixels, isDegraded: isDegraded, note: note)
        case (_, .failure(let error)): .failed(error)
        case (_, .data), (_, .nothing): .cancelled
        }
      handler(
        ImageResult(
          requestID: answer.id, content: content,
          isInCloud: answer.isInCloud || answer.content == .unreachable, isLast: answer.isLast))
    case .data(let handler):
      let content: ImageDataResult.Content =
        switch (answer.content, outcome) {
        case (.unreachable, _): .failed(refusal)
        case (_, .data(let bytes, let resource)):
          .data(
            bytes, uniformTypeIdentifier: resource.uniformTypeIdentifier, orientation: resource.orientation)
        case (_, .failure(let error)): .failed(error)
        case (_, .picture), (_, .nothing): .cancelled
        }
      handler(
        ImageDataResult(
          requestID: answer.id, content: content, isInCloud: answer.content == .unreachable))
    }
  }

  /// Tells whoever waits that the request was cancelled.
  func cancel(_ id: ImageRequestID) {
    receive(RequestTable.Answer(id: id, content: .outcome, isLast: true), .nothing, of: "")
  }
}
