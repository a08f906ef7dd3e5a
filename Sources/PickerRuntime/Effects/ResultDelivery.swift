package import AssetLibrary
import Dispatch
import PickerUI
import Synchronization
import System

/// Hands results over, on a thread of its own.
package struct ResultDelivery: Sendable {
  /// Hands assets over in the shape that is asked for.
  ///
  /// Comes back once that has come to its end: done, cancelled or failed. Progress may be told as often as there is any.
  package typealias Work =
    @Sendable (
      [Asset], RepresentationOptions, Cancellation, @Sendable (DeliveryProgress) -> Void
    ) -> Void

  private let work: Work

  package init(_ work: @escaping Work) {
    self.work = work
  }

  /// Begins to hand a result over.
  func start(
    _ assets: [Asset], _ options: RepresentationOptions, clock: any RuntimeClock,
    deliver: @escaping @Sendable (PickerMessage) -> Void
  ) -> DeliveryRun {
    let run = DeliveryRun(clock: clock, deliver: deliver)
    // A thread of its own: it may wait for disks and for a helper, and takes no one of a pool that others share.
    WorkerThread.run { [work] in
      work(assets, options, run.cancellation) { run.report($0) }
      run.end()
    }
    return run
  }
}

/// The handing over of one result: tells the picker how far it has come, often enough to look steady.
///
/// Safe from several threads.
final class DeliveryRun: Sendable {
  private struct State {
    /// What was told last, and when.
    var told: (progress: DeliveryProgress, time: Duration)?
    var isEnded = false
  }

  let cancellation = Cancellation()
  private let clock: any RuntimeClock
  private let began: Duration
  private let deliver: @Sendable (PickerMessage) -> Void
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  /// More often nobody reads it.
  static let interval: Duration = .milliseconds(50)

  init(clock: any RuntimeClock, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    self.clock = clock
    self.deliver = deliver
    began = clock.now
  }

  /// Tells the picker how far it has come, unless it was told a moment ago and only bytes were added since.
  func report(_ progress: DeliveryProgress) {
    let now = clock.now
    let isNews = state.withLock { state in
      if let told = state.told, now - told.time < Self.interval, told.progress.assets == progress.assets,
        told.progress.activity == progress.activity
      {
        return false
      }
      state.told = (progress, now)
      return true
    }
    if isNews { deliver(.delivery(progress, elapsed: (now - began) / .seconds(1))) }
  }

  /// Tells the picker that it has come to its end.
  func end() {
    state.withLock { $0.isEnded = true }
    ended.signal()
    deliver(.delivered)
  }

  /// Cancels it, unless it has ended, and waits a while for its end: until then files may be half written.
  func abandon(within patience: Duration) {
    if state.withLock({ $0.isEnded }) { return }
    cancellation.cancel()
    let deadline = clock.now + patience
    while !state.withLock({ $0.isEnded }), clock.now < deadline { clock.wait(for: ended, until: deadline) }
  }
}
