package import AssetLibrary
import PickerUI
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
