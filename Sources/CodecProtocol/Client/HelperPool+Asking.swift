import System

extension HelperPool {
  /// What a helper says of its own confinement, whether it may be given files or not.
  /// - Returns: nil where there is no helper.
  func askConfinement() -> HelperConfinement? {
    _ = acquireSlot()
    defer { releaseSlot() }
    if case .process(let process, _) = acquire() { release(process) }
    return confinement
  }

  /// Has a helper answer a request about an open file.
  /// - Parameters:
  ///   - maxPixels: what the pictures of the answer may have.
  ///   - isCancelled: asked every few milliseconds on the calling thread, also while it waits for its turn. A helper that
  ///     then does not answer at once is killed.
  ///   - take: what an answer means; nil for one that no honest helper gives, whose helper is killed.
  /// - Returns: nil when `isCancelled` answered true before the answer was there.
  /// - Throws: `CodecError` when there is none, or the file kills the helper or keeps it for too long.
  func ask<Value>(
    _ request: CodecRequest, _ descriptor: Int32, maxPixels: Int, deadline: Duration,
    isCancelled: () -> Bool, take: (CodecAnswer, [DecodedPicture]) -> Value?
  ) throws(CodecError) -> Value? {
    // The closure does not outlive the call; the waits it is handed to take it as an optional.
    let ending = withoutActuallyEscaping(isCancelled) {
      asking(request, descriptor, maxPixels, deadline, $0, take)
    }
    return try ending.get()
  }

  private func asking<Value>(
    _ request: CodecRequest, _ descriptor: Int32, _ maxPixels: Int, _ deadline: Duration,
    _ isCancelled: @escaping () -> Bool, _ take: (CodecAnswer, [DecodedPicture]) -> Value?
  ) -> Result<Value?, CodecError> {
    guard acquireSlot(isCancelled: isCancelled) else { return .success(nil) }
    defer { releaseSlot() }
    let end = ContinuousClock.now + Self.patience
    while true {
      let (process, isNew): (HelperProcess, Bool)
      switch acquire(isCancelled: isCancelled) {
      case .process(let taken, let isFresh): (process, isNew) = (taken, isFresh)
      case .missing: return .failure(.missing(kind))
      case .unconfined: return .failure(.unconfined)
      case .exhausted: return .failure(.noMemory)
      case .cancelled: return .success(nil)
      }
      let exchange = process.exchange(
        request, descriptor, maxPixels: maxPixels, deadline: deadline, isCancelled: isCancelled)
      switch exchange {
      case .answer(.failure(.cancelled, _), _):
        release(process)
        return .success(nil)
      case .answer(.failure(let error, _), _):
        release(process)
        return .failure(error)
      case .answer(let answer, let pictures):
        if let value = take(answer, pictures) {
          release(process)
          return .success(value)
        }
        if isNew { return .failure(.died) }
      case .failed(.noDescriptors) where ContinuousClock.now < end:
        release(process)
        // Files are open for a moment only, here as in the scan.
        if isCancelled() { return .success(nil) }
        Waiting.pause(.milliseconds(5))
      case .failed(let error):
        release(process)
        return .failure(error)
      case .refused(let reason):
        release(process)
        return .failure(.unreadable(reason))
      case .cancelled(let isFree):
        if isFree { release(process) }
        return .success(nil)
      case .hung: return .failure(.hung)
      case .died where isNew: return .failure(.died)
      // The fault may be an earlier file's: a new helper, or one of the few others, is asked again.
      case .died: continue
      }
    }
  }
}
