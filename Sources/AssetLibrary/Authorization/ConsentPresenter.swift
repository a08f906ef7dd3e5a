/// What the user answers to a consent prompt.
public enum ConsentDecision: CaseIterable, Hashable, Sendable {
  case selectPhotos, allowFullAccess, deny

  /// The status that follows from the answer.
  public var status: AuthorizationStatus {
    switch self {
    case .selectPhotos: .limited
    case .allowFullAccess: .authorized
    case .deny: .denied
    }
  }

  /// What can be answered to a question.
  public static func answers(to level: AccessLevel) -> [ConsentDecision] {
    switch level {
    case .readWrite: allCases
    case .addOnly: [.allowFullAccess, .deny]
    }
  }
}

/// Whoever can put a consent request before the user.
public protocol ConsentPresenter: Sendable {
  /// Asks the user and waits for the answer.
  /// - Returns: nil where there was none: nobody to ask, or a prompt that was closed. Nothing is decided then.
  func decision(for request: ConsentRequest) async -> ConsentDecision?
}

/// For programs without a screen: nobody can be asked, so nothing is granted.
public struct NobodyToAsk: ConsentPresenter {
  public init() {}

  public func decision(for request: ConsentRequest) async -> ConsentDecision? { nil }
}

/// Who asks for access, and why; what the consent prompt says.
public struct ConsentRequest: Hashable, Sendable {
  public var client: String
  public var purpose: String?
  public var level: AccessLevel

  public init(client: String, purpose: String? = nil, level: AccessLevel = .readWrite) {
    self.client = client
    self.purpose = purpose
    self.level = level
  }
}
