/// The frames of an open file, decoded one after the other by a dedicated helper.
///
/// Use from one thread at a time. The first frame acquires a helper; the last reference releases it, unless the
/// helper is in the middle of a request.
package final class HelperFrames {
  /// A decoded frame with its start and duration, in microseconds from the first frame.
  package struct Frame {
    package let picture: DecodedPicture
    package let start: Int64
    package let duration: Int64
  }

  private let pool: HelperPool
  private let descriptor: Int32
  private var request: FramesRequest
  private let deadline: Duration
  /// The helper of this sequence, as long as it has answered every request.
  private var process: HelperProcess?
  /// Whether `process` was started for this file.
  private var isNew = false
  private var hasSlot = false
  private var isOpen = false
  private var number: UInt32 = 0
  /// How often the sequence is played; nil means endlessly.
  ///
  /// Set with the first frame, so that it is known even if the file is damaged later on.
  package private(set) var playCount: Int? = 1
  /// The length of a pass in microseconds, as the file states it; nil if it does not, and before the first frame.
  package private(set) var length: Int64?

  init(pool: HelperPool, descriptor: Int32, request: FramesRequest, deadline: Duration) {
    self.pool = pool
    self.descriptor = descriptor
    self.request = request
    self.deadline = deadline
  }

  deinit {
    if let process, process.stop() { pool.release(process) }
    if hasSlot { pool.releaseSlot() }
  }

  /// Returns the next frame that `skip` does not leave out; nil at the end or after cancellation.
  /// - Parameter isCancelled: called every few milliseconds on the calling thread.
  /// - Throws: `CodecError` if no frame can be decoded, or if the file kills or stalls the helper.
  package func next(
    _ skip: FrameTimes, isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> Frame? {
    let sought = isOpen ? 0 : request.start
    guard sought > 0 else { return try nextFrame(skip, isCancelled).get() }
    // Each request has the deadline of one frame, and there may be many before the one that is sought.
    let skip = FrameTimes(until: sought, most: Self.seekStep)
    var frame = try nextFrame(skip, isCancelled).get()
    while let found = frame, found.start + found.duration <= sought, !isCancelled() {
      guard let later = try nextFrame(skip, isCancelled).get() else { break }
      frame = later
    }
    return frame
  }

  /// The frames that a request skips on the way to a time.
  private static let seekStep: UInt32 = 30

  /// Continues with the frame that is shown at a time, or with the last one.
  /// - Parameter time: microseconds from the first frame.
  package func seek(to time: Int64) {
    isOpen = false
    request.start = max(0, min(time, FrameFacts.times.upperBound - 1))
  }

  private func nextFrame(_ skip: FrameTimes, _ isCancelled: () -> Bool) -> Result<Frame?, CodecError> {
    withoutActuallyEscaping(isCancelled) { requestFrame(skip, $0) }
  }

  private func requestFrame(
    _ skip: FrameTimes, _ isCancelled: @escaping () -> Bool
  ) -> Result<Frame?, CodecError> {
    if !hasSlot {
      guard pool.acquireSlot(isCancelled: isCancelled) else { return .success(nil) }
      hasSlot = true
    }
    if process == nil {
      switch pool.acquire(isCancelled: isCancelled) {
      case .process(let taken, let isNew): (process, self.isNew) = (taken, isNew)
      case .missing: return .failure(.missing(pool.kind))
      case .unconfined: return .failure(.unconfined)
      case .exhausted: return .failure(.noMemory)
      case .cancelled: return .success(nil)
      }
    }
    guard let process else { return .failure(.missing(pool.kind)) }
    number &+= 1
    let isFirst = !isOpen
    let seconds = HelperProcess.seconds(of: deadline)
    let ending = process.exchange(
      isOpen
        ? .nextFrame(skip, seconds: seconds, number: number)
        : .frames(request, skip, seconds: seconds, number: number),
      isOpen ? nil : descriptor, maxPixels: request.maxPixels, deadline: deadline, isCancelled: isCancelled)
    isOpen = true
    switch ending {
    case .answer(.frame(_, let facts, _), let pictures) where pictures.count == 1:
      playCount = facts.playCount == 0 ? nil : Int(facts.playCount)
      length = facts.length > 0 ? facts.length : nil
      return .success(Frame(picture: pictures[0], start: facts.start, duration: facts.duration))
    case .answer(.endOfFrames, _): return .success(nil)
    case .answer(.failure(let error, _), _), .failed(let error):
      // A sequence that failed to open has no next frame.
      if isFirst { isOpen = false }
      return .failure(error)
    case .cancelled(let isFree):
      // The helper may still be working on the cancelled request.
      if !isFree { self.process = nil }
      isOpen = false
      return .success(nil)
    case .hung:
      self.process = nil
      isOpen = false
      return .failure(.hung)
    // An answer of another kind breaks the protocol.
    case .answer, .died:
      self.process = nil
      isOpen = false
      // An earlier file may have damaged a reused helper: try once more with another one.
      return isFirst && !isNew ? requestFrame(skip, isCancelled) : .failure(.died)
    }
  }
}

extension HelperProcess {
  /// Tells the helper to close the sequence that it plays.
  /// - Returns: whether the helper can be reused.
  func stop() -> Bool { send(WireWriter.frame { CodecRequest.stop.write(to: &$0) }, with: []) == 0 }
}
