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
