package import AssetLibrary
import Synchronization

/// Shows consent requests on the screen and returns the user's decision.
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
        // Nil without a screen, or if another request is already shown.
        guard state.present != nil, state.waiting == nil else {
          return nil as (@Sendable (ConsentRequest) -> Void)?
        }
        state.waiting = continuation
        return state.present
      }
      if let present { present(request) } else { continuation.resume(returning: nil) }
    }
  }

  /// Sets how a request is shown on the screen.
  func onRequest(_ present: @escaping @Sendable (ConsentRequest) -> Void) {
    state.withLock { $0.present = present }
  }

  /// Answers the request that is shown; ignored if there is none.
  func answer(_ decision: ConsentDecision?) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: decision)
  }

  /// Ends the waiting request without a decision, because the screen is gone.
  func close() {
    state.withLock { $0.present = nil }
    answer(nil)
  }
}
