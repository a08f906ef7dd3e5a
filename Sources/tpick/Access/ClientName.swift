import AssetLibrary
import Permissions
import PhotoPicker

/// The name of a program that requests photos, as shown in prompts and lists.
enum ClientName {
  /// In bytes; purposes may be five times as long.
  private static let longest = 200

  /// - Throws: `Failure` for a name that is not readable.
  static func check(_ name: String) throws(Failure) {
    if name.allSatisfy(\.isWhitespace) { throw .usage("--client: expected the name of a program") }
    if name.first?.isWhitespace ?? false || name.last?.isWhitespace ?? false {
      throw .usage("--client: the name can't begin or end with a blank")
    }
    guard name.unicodeScalars.allSatisfy(isVisible) else {
      throw .usage("--client: the name has invisible characters")
    }
    if name.utf8.count > longest { throw .usage("--client: the name is longer than \(longest) bytes") }
  }

  /// Whether a character is visible and distinguishable.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    case .spaceSeparator: return scalar == " "
    default: return true
    }
  }

  /// - Throws: `Failure` if it is missing: the prompt shows it.
  static func check(purpose: String?, of name: String) throws(Failure) {
    guard let purpose, !purpose.allSatisfy(\.isWhitespace) else {
      throw .usage("--purpose: required with --client: say why '\(name)' requests access")
    }
    if purpose.utf8.count > 5 * longest { throw .usage("--purpose: longer than \(5 * longest) bytes") }
  }

  /// The shell command that grants access to a program.
  static func grantCommand(for name: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+".unicodeScalars
    if name.first != "-", name.unicodeScalars.allSatisfy(plain.contains) {
      return "tpick access grant --client \(name)"
    }
    // Compares scalars, because a quote with a combining mark is a different `Character`.
    var quoted = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == "'" { quoted += "'\\''".unicodeScalars } else { quoted.append(scalar) }
    }
    return "tpick access grant --client='\(String(quoted))'"
  }
}

/// The client of a run, and its stored permission.
struct ClientAccess {
  /// The program's name; nil if the user runs tpick directly.
  let client: String?
  let purpose: String?
  /// The decision at the start of the run.
  let decision: AccessDecision
  /// Stores the user's decisions; nil if the state is simulated or there is no client.
  let keeper: AccessKeeper?

  /// The store of permissions.
  static var store: PermissionStore { PermissionStore(in: UserDirectories.state) }

  /// - Parameters:
  ///   - simulated: overrides the stored permission for this run.
  /// - Throws: `Failure` for a name without a purpose, or if the stored permission can't be read.
  init(_ arguments: ClientArguments?, simulated: AuthorizationStatus?) throws(Failure) {
    client = arguments?.client
    purpose = arguments?.purpose
    guard let client else {
      if purpose != nil { throw .usage("--purpose: requires --client") }
      decision = AccessDecision(readWrite: simulated ?? .authorized)
      keeper = nil
      return
    }
    try ClientName.check(client)
    try ClientName.check(purpose: purpose, of: client)
    if let simulated {
      decision = AccessDecision(readWrite: simulated)
      keeper = nil
      return
    }
    let keeper = AccessKeeper(Self.store, client: client, purpose: purpose)
    do throws(PermissionError) {
      decision = try keeper.decision()
    } catch {
      throw .error("permissions: \(error)")
    }
    self.keeper = keeper
  }

  /// The consent request for the user.
  var consentRequest: ConsentRequest { ConsentRequest(client: client ?? "tpick", purpose: purpose) }

  /// The error for missing access, with the command that helps.
  func refusal(_ status: AuthorizationStatus) -> Failure {
    let hint =
      keeper == nil || status == .restricted
      ? "" : "; to allow it: \(ClientName.grantCommand(for: client ?? ""))"
    let state =
      status == .notDetermined
      ? "access not determined, and there is no screen to ask on" : "access \(status.word)"
    return Failure(status: .noPermission, message: "photos: \(state)\(hint)")
  }
}
