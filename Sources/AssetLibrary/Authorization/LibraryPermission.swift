import Synchronization
import System

/// What the client of a library may see, changed by the user alone.
///
/// Calls may come from any thread.
final class LibraryPermission: Sendable {
  /// What a call reaches.
  enum Reach: Hashable, Sendable {
    case nothing
    case everything
    case only(AllowedAssets)
  }

  private struct State {
    var decision: AccessDecision
    /// The questions that the user has not answered yet.
    var pending: [AccessLevel: Task<AuthorizationStatus, Never>] = [:]
    /// The question that was put last: one is on the screen at a time.
    var last: Task<AuthorizationStatus, Never>?
  }

  private let state: Mutex<State>
  private let request: ConsentRequest
  private let consent: any ConsentPresenter
  /// Called with what the user decided, whenever that was here.
  private let record: (@Sendable (AccessDecision) -> Void)?
  /// Called after each change.
  private let changed = Mutex<[@Sendable () -> Void]>([])

  /// - Parameter record: keeps what the user decides, on the thread on which that is heard of.
  init(
    _ decision: AccessDecision, request: ConsentRequest, consent: any ConsentPresenter,
    record: (@Sendable (AccessDecision) -> Void)? = nil
  ) {
    state = Mutex(State(decision: decision))
    self.request = request
    self.consent = consent
    self.record = record
  }

  func status(for level: AccessLevel) -> AuthorizationStatus {
    state.withLock { $0.decision.status(for: level) }
  }

  var decision: AccessDecision { state.withLock { $0.decision } }

  var allowed: AllowedAssets { state.withLock { $0.decision.allowed } }

  /// Who asks.
  var client: String { request.client }

  /// What the client reaches.
  var reach: Reach {
    state.withLock { state in
      switch state.decision.readWrite {
      case .authorized: .everything
      case .limited: .only(state.decision.allowed)
      case .notDetermined, .restricted, .denied: .nothing
      }
    }
  }

  func onChange(_ handler: @escaping @Sendable () -> Void) { changed.withLock { $0.append(handler) } }

  /// Asks the user where nothing is decided yet; all who ask meanwhile get the one answer, and a question about the other
  /// level waits for its turn.
  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    let pending = state.withLock { state -> Task<AuthorizationStatus, Never>? in
      guard state.decision.status(for: level) == .notDetermined else { return nil }
      if let pending = state.pending[level] { return pending }
      let task = Task(executorPreference: SerialTaskExecutor.shared) { [before = state.last] in
        _ = await before?.value
        return await self.ask(for: level)
      }
      state.pending[level] = task
      state.last = task
      return task
    }
    return await pending?.value ?? status(for: level)
  }

  private func ask(for level: AccessLevel) async -> AuthorizationStatus {
    // The answer to the question before may have been one to this as well.
    var answer: ConsentDecision?
    if status(for: level) == .notDetermined {
      var request = request
      request.level = level
      answer = await consent.decision(for: request)
    }
    let decided = state.withLock { state -> AccessDecision? in
      state.pending[level] = nil
      guard let answer else { return nil }
      state.decision.apply(answer, to: level)
      return state.decision
    }
    if let decided {
      record?(decided)
      notify()
    }
    return status(for: level)
  }

  /// Replaces what is allowed under limited access.
  /// - Returns: what was not allowed before.
  func allow(_ selection: AllowedAssets) -> Set<LocalIdentifier> {
    let (before, decision) = state.withLock { state in
      defer { state.decision.allowed = selection }
      var decision = state.decision
      decision.allowed = selection
      return (state.decision.allowed, decision)
    }
    if before != selection {
      record?(decision)
      notify()
    }
    return selection.identifiers.subtracting(before.identifiers)
  }

  /// Takes over what the user decided elsewhere.
  func adopt(_ decision: AccessDecision) {
    let isNew = state.withLock { state in
      defer { state.decision = decision }
      return state.decision != decision
    }
    if isNew { notify() }
  }

  private func notify() {
    for handler in changed.withLock({ $0 }) { handler() }
  }
}

/// What a client may see of the library.
public enum AuthorizationStatus: Int, CaseIterable, Hashable, Sendable {
  case notDetermined = 0
  case restricted
  case denied
  case authorized
  case limited

  /// The status as the command line spells it, camel case or kebab case, any capitals.
  public init?(word: String) {
    let plain = word.lowercased().filter { $0 != "-" }
    guard let match = Self.allCases.first(where: { $0.word.lowercased() == plain }) else { return nil }
    self = match
  }

  /// The name of the status.
  public var word: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }
}

/// What a client asks for.
public enum AccessLevel: Int, Hashable, Sendable {
  case addOnly = 1
  case readWrite = 2
}

/// What the user decided on a client: a status for each level, and the assets under limited access.
public struct AccessDecision: Hashable, Sendable {
  public var readWrite: AuthorizationStatus
  /// What was decided on saving alone; it counts where `readWrite` does not include it.
  public var addOnly: AuthorizationStatus
  /// What is seen under limited access.
  public var allowed: AllowedAssets

  public init(
    readWrite: AuthorizationStatus, addOnly: AuthorizationStatus = .notDetermined,
    allowed: AllowedAssets = AllowedAssets()
  ) {
    self.readWrite = readWrite
    self.addOnly = addOnly
    self.allowed = allowed
  }

  /// What holds for a level: who may see photos may save them, and a policy is one for both (PhotoKit).
  public func status(for level: AccessLevel) -> AuthorizationStatus {
    switch (level, readWrite) {
    case (.readWrite, let status): status
    case (.addOnly, .authorized), (.addOnly, .limited): .authorized
    case (.addOnly, .restricted): .restricted
    case (.addOnly, .notDetermined), (.addOnly, .denied): addOnly
    }
  }

  /// Takes over the answer to a question.
  mutating func apply(_ answer: ConsentDecision, to level: AccessLevel) {
    switch level {
    case .readWrite: readWrite = answer.status
    // There is nothing to select from.
    case .addOnly: addOnly = answer == .allowFullAccess ? .authorized : .denied
    }
  }
}

/// The assets that a client may see under limited access.
///
/// An identifier alone does not do: where a file is replaced by another one of its name, as programs save, the asset goes on
/// under its identifier. What the user allowed was the file that was there.
public struct AllowedAssets: Hashable, Sendable {
  /// The assets, whatever became of their files since.
  public private(set) var identifiers: Set<LocalIdentifier>
  /// The files that had taken the place of others already when the user chose.
  private var successorFiles: [LocalIdentifier: UInt64]

  /// - Parameters:
  ///   - identifiers: the assets.
  ///   - successorFiles: `AssetAttributes.successorFile` of those that have one.
  public init(_ identifiers: Set<LocalIdentifier> = [], successorFiles: [LocalIdentifier: UInt64] = [:]) {
    self.identifiers = identifiers
    self.successorFiles = successorFiles
  }

  /// Whether an asset may be seen whose file is `successorFile` now.
  @inlinable
  public func contains(_ identifier: LocalIdentifier, successorFile: @autoclosure () -> UInt64?) -> Bool {
    identifiers.contains(identifier) && self.successorFile(of: identifier) == successorFile()
  }

  /// The file that an asset's had been replaced by when it was allowed; nil = none.
  public func successorFile(of identifier: LocalIdentifier) -> UInt64? { successorFiles[identifier] }
}
