import AssetLibrary
import Dispatch
import Synchronization

/// Calls the observers of a store on a queue of its own, where no lock of the library is held.
///
/// So an observer may change the library at once. What happens while observers are being called, or while `hold` runs,
/// is one notification after that. `hold` does not delay what happened before it: a thread that waits in `flush` is not
/// held up by other threads' changes. Any thread may call.
final class ChangeDelivery: Sendable {
  private struct State {
    /// Changes since the last notification.
    var news: LibraryChange = []
    /// Changes since the start of the running `hold`.
    var held: LibraryChange = []
    var isHeld = false
    var isScheduled = false
  }

  let observers = ChangeObservers()
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tpick.observers")
  /// Recognizes the queue from inside.
  private let mark = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: mark, value: true) }

  /// Notifies observers in the background.
  func add(_ change: LibraryChange) {
    state.withLock { state in
      if state.isHeld {
        state.held.formUnion(change)
      } else {
        state.news.formUnion(change)
        schedule(&state)
      }
    }
  }

  /// Keeps notifications back while `body` runs: all that it changes is one notification.
  ///
  /// Not reentrant.
  func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    state.withLock { $0.isHeld = true }
    defer {
      state.withLock { state in
        state.isHeld = false
        state.news.formUnion(state.held)
        state.held = []
        schedule(&state)
      }
    }
    return try body()
  }

  /// Waits until observers have been notified of all changes so far, without those of a `hold` that is still running;
  /// does nothing if an observer calls.
  func flush() {
    if DispatchQueue.getSpecific(key: mark) == nil { queue.sync {} }
  }

  private func schedule(_ state: inout State) {
    guard !state.news.isEmpty, !state.isScheduled else { return }
    state.isScheduled = true
    queue.async { [self] in
      let news = self.state.withLock { state -> LibraryChange in
        state.isScheduled = false
        defer { state.news = [] }
        return state.news
      }
      if !news.isEmpty { observers.notify(news) }
    }
  }
}
