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
