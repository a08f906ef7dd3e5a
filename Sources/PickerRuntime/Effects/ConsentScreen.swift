package import AssetLibrary
import PickerUI
import Synchronization

/// Shows consent requests on the screen of a picker and returns the user's decision.
///
/// One screen answers for access and for changes, one request at a time: `LibraryPermission` makes the requests of a
/// client wait for each other, and any other request meanwhile stays undecided.
package final class ConsentScreen: ConsentPresenter {
  private struct State {
    var present: (@Sendable (ConsentQuestion) -> Void)?
    var waiting: CheckedContinuation<ConsentDecision?, Never>?
  }

  private let state = Mutex(State())
  private let otherwise: any ConsentPresenter

  /// - Parameter otherwise: asks the user while no picker is on the screen.
  package init(otherwise: any ConsentPresenter = NoConsentPresenter()) { self.otherwise = otherwise }

  package func decision(for request: ConsentRequest) async -> ConsentDecision? {
    if state.withLock({ $0.present == nil }) { return await otherwise.decision(for: request) }
    return await ask(.access(request))
  }

  package func allows(_ request: ChangeConsentRequest) async -> Bool {
    if state.withLock({ $0.present == nil }) { return await otherwise.allows(request) }
    return await ask(.change(request)) == .allowFullAccess
  }

  private func ask(_ question: ConsentQuestion) async -> ConsentDecision? {
    await withCheckedContinuation { continuation in
      let present = state.withLock { state in
        // Nil if the screen has gone meanwhile, or if another request is already shown.
        guard state.present != nil, state.waiting == nil else {
          return nil as (@Sendable (ConsentQuestion) -> Void)?
        }
        state.waiting = continuation
        return state.present
      }
      if let present { present(question) } else { continuation.resume(returning: nil) }
    }
  }

  /// Sets how a question is shown on the screen.
  func onRequest(_ present: @escaping @Sendable (ConsentQuestion) -> Void) {
    state.withLock { $0.present = present }
  }

  /// Answers the request that is shown, or withdraws it without a decision; ignored if there is none.
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
