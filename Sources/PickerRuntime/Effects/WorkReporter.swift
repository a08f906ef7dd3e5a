package import PickerUI
import Synchronization

/// Shows the progress of long work on the screen and forwards the user's request to stop it.
package final class WorkReporter: Sendable {
  private struct State {
    /// Work in progress, in the order of its start.
    var works: [(work: Work, stop: @Sendable () -> Void)] = []
    var present: (@Sendable (PickerMessage) -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Shows that work has started.
  /// - Parameter stop: called on the thread of the run loop when the user stops the work, which counts as running
  ///   until `end`.
  package func begin(_ work: Work, stop: @escaping @Sendable () -> Void = {}) {
    state.withLock { state in
      state.works.append((work, stop))
      return state.present
    }?(.work(work))
  }

  /// Shows the progress of work; some ten updates per second are enough.
  package func show(_ work: Work) {
    state.withLock { state in
      guard let index = state.works.firstIndex(where: { $0.work.id == work.id }) else {
        return nil as (@Sendable (PickerMessage) -> Void)?
      }
      state.works[index].work = work
      return state.present
    }?(.work(work))
  }

  /// Shows that work has ended, with an optional message for the user.
  /// - Parameter hasFailed: whether the message is an error.
  package func end(_ work: Work.ID, message: String? = nil, hasFailed: Bool = false) {
    state.withLock { state in
      state.works.removeAll { $0.work.id == work }
      return state.present
    }?(.workEnded(work, message: message, hasFailed: hasFailed))
  }

  /// Sets how updates are shown on the screen; work in progress is shown at once.
  func onNews(_ present: @escaping @Sendable (PickerMessage) -> Void) {
    let works = state.withLock { state in
      state.present = present
      return state.works
    }
    for work in works { present(.work(work.work)) }
  }

  func stop(_ work: Work.ID) {
    state.withLock { $0.works.first { $0.work.id == work }?.stop }?()
  }
}
