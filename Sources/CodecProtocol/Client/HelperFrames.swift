/// The frames of an open file, decoded by a helper of their own, one after the other.
///
/// Used by one thread at a time. A helper is acquired with the first frame and released with the last reference,
/// unless it was in the middle of something.
package final class HelperFrames {
  /// A frame that arrived: microseconds from the beginning.
  package struct Frame {
    package let picture: DecodedPicture
    package let start: Int64
    package let duration: Int64
  }

  private let pool: HelperPool
  private let descriptor: Int32
  private let request: FramesRequest
  private let deadline: Duration
  /// The helper that has answered everything so far.
  private var process: HelperProcess?
  /// Whether it was started for this file.
  private var isNew = false
  private var hasSlot = false
  private var isOpen = false
  private var number: UInt32 = 0
  /// How often all is shown; nil = again and again.
  ///
  /// Known with the first frame, so that it holds where the file ends in damage too.
  package private(set) var playCount: Int? = 1

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

  /// The next frame that is not to be left out; nil at the end and when it was cancelled.
  /// - Parameter isCancelled: asked every few milliseconds on the calling thread.
  /// - Throws: `CodecError` when there is none, or the file kills the helper or keeps it for too long.
  package func next(
    _ skip: FrameTimes, isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> Frame? {
    let result = withoutActuallyEscaping(isCancelled) { nextFrame(skip, $0) }
    return try result.get()
  }

  /// Begins anew with the first frame.
  package func rewind() { isOpen = false }

  private func nextFrame(
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
    case .answer(.frame(_, let start, let duration, let count, _), let pictures) where pictures.count == 1:
      playCount = count == 0 ? nil : Int(count)
      return .success(Frame(picture: pictures[0], start: start, duration: duration))
    case .answer(.endOfFrames, _): return .success(nil)
    case .answer(.failure(let error, _), _), .failed(let error):
      // Where it did not begin it can't go on.
      if isFirst { isOpen = false }
      return .failure(error)
    case .cancelled(let isFree):
      // It may be in the middle of something that nobody waits for.
      if !isFree { self.process = nil }
      isOpen = false
      return .success(nil)
    case .hung:
      self.process = nil
      isOpen = false
      return .failure(.hung)
    // An answer to another request is none.
    case .answer, .died:
      self.process = nil
      isOpen = false
      // The fault may be an earlier file's: another helper is asked.
      return isFirst && !isNew ? nextFrame(skip, isCancelled) : .failure(.died)
    }
  }
}

extension HelperProcess {
  /// Has the helper close what it plays.
  /// - Returns: whether it can be used for something else.
  func stop() -> Bool { send(WireWriter.frame { CodecRequest.stop.write(to: &$0) }, with: []) == 0 }
}
