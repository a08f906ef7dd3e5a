package import AssetLibrary
import Synchronization

/// Carries a consent request to the screen and the user's answer back.
package final class ConsentScreen: ConsentPresenter {
  private struct State {
    var present: (@Sendable (ConsentRequest) -> Void)?
    var waiting: CheckedContinuation<ConsentDecision?, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  package func decision(for request: ConsentRequest) async -> ConsentDecision? {
    await withCheckedContinuation { continuation in
      let present = state.withLock { state in
        // Without a screen, or with a prompt up already, there is nobody to ask.
        guard state.present != nil, state.waiting == nil else {
          return nil as (@Sendable (ConsentRequest) -> Void)?
        }
        state.waiting = continuation
        return state.present
      }
      if let present { present(request) } else { continuation.resume(returning: nil) }
    }
  }

  /// Says how a request reaches the screen.
  func onRequest(_ present: @escaping @Sendable (ConsentRequest) -> Void) {
    state.withLock { $0.present = present }
  }

  /// Answers the request that is up; dropped when there is none any more.
  func answer(_ decision: ConsentDecision?) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: decision)
  }

  /// The screen is gone: nothing is decided, and whoever waits gets nothing.
  func close() {
    state.withLock { $0.present = nil }
    answer(nil)
  }
}
