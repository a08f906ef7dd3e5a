import Synchronization
import System

/// The access of a library's client, which only the user changes.
///
/// Methods may be called from any thread.
final class LibraryPermission: Sendable {
  /// The assets that a call can access.
  enum Reach: Hashable, Sendable {
    case nothing
    case everything
    case only(AllowedAssets)
  }

  private struct State {
    var decision: AccessDecision
    /// The prompts that the user has not answered yet.
    var pending: [AccessLevel: Task<AuthorizationStatus, Never>] = [:]
    /// The most recent prompt.
    ///
    /// Prompts wait for each other: only one is on the screen at a time.
    var last: Task<Void, Never>?
    /// The user's answers about kinds of changes, which count for this run.
    var answers: [ChangeKind: Bool] = [:]
  }

  private let state: Mutex<State>
  private let request: ConsentRequest
  private let consent: any ConsentPresenter
  /// The kinds of changes by the client about which the user is asked.
  private let askedKinds: Set<ChangeKind>
  /// Called with each decision that the user makes in this process.
  private let record: (@Sendable (AccessDecision) -> Void)?
  /// Called after each change.
  private let changed = Mutex<[@Sendable () -> Void]>([])

  /// - Parameters:
  ///   - decision: the previous decision.
  ///   - request: the client and its purpose.
  ///   - consent: presents the prompts.
  ///   - kinds: the kinds of changes by the client about which the user is asked.
  ///   - record: stores the user's decisions; called on the thread that receives the answer.
  init(
    _ decision: AccessDecision, request: ConsentRequest, consent: any ConsentPresenter,
    asksBefore kinds: Set<ChangeKind>, record: (@Sendable (AccessDecision) -> Void)? = nil
  ) {
    askedKinds = kinds
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

  /// The name of the client.
  var client: String { request.client }

  /// The client and its purpose.
  var consentRequest: ConsentRequest { request }

  /// The assets that the client can access.
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

  /// Asks the user if there is no decision yet.
  ///
  /// Concurrent requests for one level share one prompt; a prompt for the other level waits for the first to
  /// close.
  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    let pending = state.withLock { state -> Task<AuthorizationStatus, Never>? in
      guard state.decision.status(for: level) == .notDetermined else { return nil }
      if let pending = state.pending[level] { return pending }
      let task = Task(executorPreference: SerialTaskExecutor.shared) { [before = state.last] in
        _ = await before?.value
        return await self.ask(for: level)
      }
      state.pending[level] = task
      state.last = Task(executorPreference: SerialTaskExecutor.shared) { _ = await task.value }
      return task
    }
    return await pending?.value ?? status(for: level)
  }

  private func ask(for level: AccessLevel) async -> AuthorizationStatus {
    // The answer to the previous prompt may have decided this level too.
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

  // MARK: Changes

  /// The questions about changes that the user has not answered with yes for this run.
  func openRequests(about changes: [AssetChange]) -> [ChangeConsentRequest] {
    if askedKinds.isEmpty { return [] }
    let answers = state.withLock { $0.answers }
    return ChangeConsentRequest.requests(about: changes, of: askedKinds, request).filter {
      answers[$0.kind] != true
    }
  }

  /// Asks the user about changes, unless the answer for this run is known.
  ///
  /// The prompt waits for those before it.
  func allows(_ request: ChangeConsentRequest) async -> Bool {
    let task = state.withLock { state in
      let task = Task(executorPreference: SerialTaskExecutor.shared) { [before = state.last] in
        _ = await before?.value
        return await self.ask(request)
      }
      state.last = Task(executorPreference: SerialTaskExecutor.shared) { _ = await task.value }
      return task
    }
    return await task.value
  }

  private func ask(_ request: ChangeConsentRequest) async -> Bool {
    // The answer to the previous prompt may have been about this kind.
    if let known = state.withLock({ $0.answers[request.kind] }) { return known }
    let isAllowed = await consent.allows(request)
    if !request.kind.isAskedEachTime { state.withLock { $0.answers[request.kind] = isAllowed } }
    return isAllowed
  }

  // MARK: Decisions elsewhere

  /// Replaces the assets that are allowed under limited access.
  /// - Returns: the identifiers that were not allowed before.
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

  /// Applies a decision that the user made elsewhere.
  func apply(_ decision: AccessDecision) {
    let isNew = state.withLock { state in
      defer { state.decision = decision }
      // The user changed their mind: ask again.
      if state.decision != decision { state.answers = [:] }
      return state.decision != decision
    }
    if isNew { notify() }
  }

  private func notify() {
    for handler in changed.withLock({ $0 }) { handler() }
  }
}

/// The access that a client has to the library.
public enum AuthorizationStatus: Int, CaseIterable, Hashable, Sendable {
  /// The user has not decided yet.
  case notDetermined = 0
  /// A policy denies access, and the user can't grant it.
  case restricted
  /// The user denied access.
  case denied
  /// The user granted access to the whole library.
  case authorized
  /// The user granted access to selected assets.
  case limited

  /// Creates a status from the command line's spelling, in camel case or kebab case, regardless of capitals;
  /// nil for an unknown word.
  public init?(word: String) {
    let plain = word.lowercased().filter { $0 != "-" }
    guard let match = Self.allCases.first(where: { $0.word.lowercased() == plain }) else { return nil }
    self = match
  }

  /// The name of the status in camel case.
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

/// The kind of access that a client requests.
public enum AccessLevel: Int, Hashable, Sendable {
  /// Saving new assets, without seeing any.
  case addOnly = 1
  /// Seeing assets and changing them.
  case readWrite = 2
}

/// The user's decision about a client: a status for each level, and the assets allowed under limited access.
public struct AccessDecision: Hashable, Sendable {
  /// The decision about seeing and changing assets.
  public var readWrite: AuthorizationStatus
  /// The decision about saving alone; it counts only if `readWrite` does not include saving.
  public var addOnly: AuthorizationStatus
  /// The assets that the client can see under limited access.
  public var allowed: AllowedAssets

  /// Creates a decision.
  public init(
    readWrite: AuthorizationStatus, addOnly: AuthorizationStatus = .notDetermined,
    allowed: AllowedAssets = AllowedAssets()
  ) {
    self.readWrite = readWrite
    self.addOnly = addOnly
    self.allowed = allowed
  }

  /// Returns the effective status for a level.
  ///
  /// As in PhotoKit, a client that may see photos may also save them, and a policy restricts both levels.
  public func status(for level: AccessLevel) -> AuthorizationStatus {
    switch (level, readWrite) {
    case (.readWrite, let status): status
    case (.addOnly, .authorized), (.addOnly, .limited): .authorized
    case (.addOnly, .restricted): .restricted
    case (.addOnly, .notDetermined), (.addOnly, .denied): addOnly
    }
  }

  /// Applies the answer to a consent prompt.
  mutating func apply(_ answer: ConsentDecision, to level: AccessLevel) {
    switch level {
    case .readWrite: readWrite = answer.status
    // `selectPhotos` does not apply: saving offers no assets to select.
    case .addOnly: addOnly = answer == .allowFullAccess ? .authorized : .denied
    }
  }
}

/// The assets that a client may see under limited access.
///
/// The identifier alone is not sufficient. When a program saves by replacing a file with another one of the
/// same name, the asset keeps its identifier, but the user's permission was for the previous file.
public struct AllowedAssets: Hashable, Sendable {
  /// The identifiers of the allowed assets, including those whose files were replaced since.
  public private(set) var identifiers: Set<LocalIdentifier>
  /// The files that had already replaced others when the user gave permission.
  private var successorFiles: [LocalIdentifier: UInt64]

  /// Creates a set of allowed assets.
  /// - Parameters:
  ///   - identifiers: the assets.
  ///   - successorFiles: `AssetAttributes.successorFile` of the assets that have one.
  public init(_ identifiers: Set<LocalIdentifier> = [], successorFiles: [LocalIdentifier: UInt64] = [:]) {
    self.identifiers = identifiers
    self.successorFiles = successorFiles
  }

  /// Whether an asset may be seen, given the `successorFile` of its current file.
  @inlinable
  public func contains(_ identifier: LocalIdentifier, successorFile: @autoclosure () -> UInt64?) -> Bool {
    identifiers.contains(identifier) && self.successorFile(of: identifier) == successorFile()
  }

  /// Returns the `successorFile` that an asset had when it was allowed; nil if its file had not been
  /// replaced.
  public func successorFile(of identifier: LocalIdentifier) -> UInt64? { successorFiles[identifier] }
}
