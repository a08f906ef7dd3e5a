/// The user's answer to a consent prompt.
public enum ConsentDecision: CaseIterable, Hashable, Sendable {
  /// Grants limited access: to photos that the user selects.
  case selectPhotos
  /// Grants access to the whole library.
  case allowFullAccess
  /// Denies access.
  case deny

  /// The authorization status that results from the answer.
  public var status: AuthorizationStatus {
    switch self {
    case .selectPhotos: .limited
    case .allowFullAccess: .authorized
    case .deny: .denied
    }
  }

  /// Returns the answers that a consent prompt for an access level offers.
  public static func answers(to level: AccessLevel) -> [ConsentDecision] {
    switch level {
    case .readWrite: allCases
    case .addOnly: [.allowFullAccess, .deny]
    }
  }
}

/// Presents consent prompts to the user.
public protocol ConsentPresenter: Sendable {
  /// Asks the user and waits for the answer.
  /// - Parameter request: the client, its purpose and the access level.
  /// - Returns: nil if there is no answer, because there is no user interface or the prompt was closed. The
  ///   status then stays undecided.
  func decision(for request: ConsentRequest) async -> ConsentDecision?

  /// Asks the user whether a client may make changes, and waits for the answer.
  /// - Parameter request: the client, and what it wants to do.
  /// - Returns: false also if there is no answer.
  func allows(_ request: ChangeConsentRequest) async -> Bool
}

extension ConsentPresenter {
  /// Returns false: a presenter that can't ask about changes allows none.
  public func allows(_ request: ChangeConsentRequest) async -> Bool { false }
}

/// A presenter for programs without a user interface: it grants no access, because it can't ask.
public struct NoConsentPresenter: ConsentPresenter {
  /// Creates the presenter.
  public init() {}

  /// Returns nil.
  public func decision(for request: ConsentRequest) async -> ConsentDecision? { nil }
}

/// The content of a consent prompt: the client, its purpose, and the access level.
public struct ConsentRequest: Hashable, Sendable {
  /// The name of the client as the user knows it.
  public var client: String
  /// The reason for the request, in the client's words; nil if none was given.
  public var purpose: String?
  /// The requested access level.
  public var level: AccessLevel

  /// Creates a request from the client's name, its reason and the access level.
  public init(client: String, purpose: String? = nil, level: AccessLevel = .readWrite) {
    self.client = client
    self.purpose = purpose
    self.level = level
  }
}
