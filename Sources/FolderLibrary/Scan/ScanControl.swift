import Synchronization

/// Whether a scan may go on, and whether it looks at its library for the first time.
///
/// Set and asked from any thread.
final class ScanControl: Sendable {
  private let cancelled = Atomic(false)
  private let firstPass = Atomic(true)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Lets the next pass go on where one was cancelled.
  func resume() { cancelled.store(false, ordering: .relaxed) }

  /// Whether everything is looked at for the first time in this run.
  var isFirstPass: Bool { firstPass.load(ordering: .relaxed) }

  /// Has the next pass told as the first one is: the user asked for it and waits.
  func beginFirstPass() { firstPass.store(true, ordering: .relaxed) }

  func endFirstPass() { firstPass.store(false, ordering: .relaxed) }
}
