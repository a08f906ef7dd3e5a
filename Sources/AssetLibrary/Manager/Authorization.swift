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
}

/// Whoever can put a consent request before the user.
public protocol ConsentPresenter: Sendable {
  /// Asks the user and waits for the answer; a prompt that can't be shown any more answers `deny`.
  func decision(for request: ConsentRequest) async -> ConsentDecision
}

/// For programs without a screen: nobody can be asked, so nothing is granted.
public struct NobodyToAsk: ConsentPresenter {
  public init() {}

  public func decision(for request: ConsentRequest) async -> ConsentDecision { .deny }
}
