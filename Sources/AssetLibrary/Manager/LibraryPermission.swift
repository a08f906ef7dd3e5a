import Synchronization

/// What the client of a library may see, decided once and changed by the user alone.
///
/// Calls may come from any thread.
final class LibraryPermission: Sendable {
  /// What a call reaches.
  enum Reach: Hashable, Sendable {
    case nothing
    case everything
    case only(Set<LocalIdentifier>)
  }

  private struct State {
    var status: AuthorizationStatus
    var allowed: Set<LocalIdentifier>
    /// The question that the user has not answered yet.
    var pending: Task<AuthorizationStatus, Never>?
  }

  private let state: Mutex<State>
  private let request: ConsentRequest
  private let consent: any ConsentPresenter
  /// Called after each change.
  private let changed = Mutex<[@Sendable () -> Void]>([])

  init(
    _ status: AuthorizationStatus, allowed: Set<LocalIdentifier>, request: ConsentRequest,
    consent: any ConsentPresenter
  ) {
    state = Mutex(State(status: status, allowed: allowed))
    self.request = request
    self.consent = consent
  }

  var status: AuthorizationStatus { state.withLock { $0.status } }

  var allowed: Set<LocalIdentifier> { state.withLock { $0.allowed } }

  /// Who asks.
  var client: String { request.client }

  /// What the client reaches.
  var reach: Reach {
    state.withLock { state in
      switch state.status {
      case .authorized: .everything
      case .limited: .only(state.allowed)
      case .notDetermined, .restricted, .denied: .nothing
      }
    }
  }

  func onChange(_ handler: @escaping @Sendable () -> Void) { changed.withLock { $0.append(handler) } }

  /// Asks the user where nothing is decided yet; all who ask meanwhile get the one answer.
  func requestAuthorization() async -> AuthorizationStatus {
    let pending = state.withLock { state -> Task<AuthorizationStatus, Never>? in
      guard state.status == .notDetermined else { return nil }
      if let pending = state.pending { return pending }
      let task = Task { decide(await consent.decision(for: request)) }
      state.pending = task
      return task
    }
    return await pending?.value ?? status
  }

  private func decide(_ decision: ConsentDecision) -> AuthorizationStatus {
    state.withLock { state in
      state.status = decision.status
      state.pending = nil
    }
    notify()
    return decision.status
  }

  /// Replaces what is allowed under limited access.
  /// - Returns: what was not allowed before.
  func allow(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    let before = state.withLock { state in
      defer { state.allowed = selection }
      return state.allowed
    }
    if before != selection { notify() }
    return selection.subtracting(before)
  }

  private func notify() {
    for handler in changed.withLock({ $0 }) { handler() }
  }
}
