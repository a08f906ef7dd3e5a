package import PickerUI
import Synchronization

/// Carries the news of long work to the screen, and the user's wish to stop it back.
package final class WorkReporter: Sendable {
  private struct State {
    /// What is under way, in the order in which it was begun.
    var works: [(work: Work, stop: @Sendable () -> Void)] = []
    var present: (@Sendable (PickerMessage) -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Shows that work has begun.
  /// - Parameter stop: called on the thread of the run loop when the user wants no more of it; the work goes on
  ///   until `end`.
  package func begin(_ work: Work, stop: @escaping @Sendable () -> Void = {}) {
    state.withLock { state in
      state.works.append((work, stop))
      return state.present
    }?(.work(work))
  }

  /// Shows how far work has come; some ten times a second is enough.
  package func show(_ work: Work) {
    state.withLock { state in
      guard let index = state.works.firstIndex(where: { $0.work.id == work.id }) else {
        return nil as (@Sendable (PickerMessage) -> Void)?
      }
      state.works[index].work = work
      return state.present
    }?(.work(work))
  }

  /// Shows that work has ended; with words for the user, if there is something to say.
  /// - Parameter hasFailed: whether the words say what went wrong.
  package func end(_ work: Work.ID, message: String? = nil, hasFailed: Bool = false) {
    state.withLock { state in
      state.works.removeAll { $0.work.id == work }
      return state.present
    }?(.workEnded(work, message: message, hasFailed: hasFailed))
  }

  /// Says how news reach the screen, from now on; what is under way is told at once.
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
