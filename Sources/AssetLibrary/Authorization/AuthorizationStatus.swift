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
