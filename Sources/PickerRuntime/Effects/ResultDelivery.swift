package import AssetLibrary
import Dispatch
import PickerUI
import Synchronization
import System

/// Delivers results on a separate thread.
package struct ResultDelivery: Sendable {
  /// Delivers assets in the requested representation.
  ///
  /// Returns when it is done, cancelled or failed. It may report progress as often as there is any.
  package typealias Work =
    @Sendable (
      [Asset], RepresentationOptions, Cancellation, @Sendable (DeliveryProgress) -> Void
    ) -> Void

  private let work: Work

  package init(_ work: @escaping Work) {
    self.work = work
  }

  /// Starts delivering a result.
  func start(
    _ assets: [Asset], _ options: RepresentationOptions, clock: any RuntimeClock,
    deliver: @escaping @Sendable (PickerMessage) -> Void
  ) -> DeliveryRun {
    let run = DeliveryRun(clock: clock, deliver: deliver)
    // A dedicated thread: it may wait for disks and for a helper, and must not occupy a thread of a shared pool.
    WorkerThread.run { [work] in
      work(assets, options, run.cancellation) { run.report($0) }
      run.end()
    }
    return run
  }
}

/// A delivery in progress: posts its progress often enough to look steady.
///
/// Safe to use from several threads.
final class DeliveryRun: Sendable {
  private struct State {
    /// The last posted progress, and when it was posted.
    var lastPosted: (progress: DeliveryProgress, time: Duration)?
    var isEnded = false
  }

  let cancellation = Cancellation()
  private let clock: any RuntimeClock
  private let began: Duration
  private let deliver: @Sendable (PickerMessage) -> Void
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  /// Minimum interval between progress messages; more frequent ones could not be read.
  static let interval: Duration = .milliseconds(50)

  init(clock: any RuntimeClock, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    self.clock = clock
    self.deliver = deliver
    began = clock.now
  }

  /// Posts progress, unless the last message is recent and only bytes were added since.
  func report(_ progress: DeliveryProgress) {
    let now = clock.now
    let isNews = state.withLock { state in
      if let lastPosted = state.lastPosted, now - lastPosted.time < Self.interval,
        lastPosted.progress.assets == progress.assets,
        lastPosted.progress.activity == progress.activity
      {
        return false
      }
      state.lastPosted = (progress, now)
      return true
    }
    if isNews { deliver(.delivery(progress, elapsed: (now - began) / .seconds(1))) }
  }

  /// Posts that the delivery has ended.
  func end() {
    state.withLock { $0.isEnded = true }
    ended.signal()
    deliver(.delivered)
  }

  /// Cancels the delivery unless it has ended, and waits for its end up to `patience`, because files may be half
  /// written until then.
  func abandon(within patience: Duration) {
    if state.withLock({ $0.isEnded }) { return }
    cancellation.cancel()
    let deadline = clock.now + patience
    while !state.withLock({ $0.isEnded }), clock.now < deadline { clock.wait(for: ended, until: deadline) }
  }
}
