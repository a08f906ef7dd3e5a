import AssetLibrary
import Permissions
import PhotoPicker

/// The name of a program that asks for photos, as the user reads it in prompts and lists.
enum ClientName {
  /// In bytes; of a purpose five times as many.
  private static let longest = 200

  /// - Throws: `Failure` for a name that nobody could read.
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

  /// Whether a character can be told from none, and from another one.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    case .spaceSeparator: return scalar == " "
    default: return true
    }
  }

  /// - Throws: `Failure` where none is given: the user is told why.
  static func check(purpose: String?, of name: String) throws(Failure) {
    guard let purpose, !purpose.allSatisfy(\.isWhitespace) else {
      throw .usage("--purpose: required with --client: say why '\(name)' requests access")
    }
    if purpose.utf8.count > 5 * longest { throw .usage("--purpose: longer than \(5 * longest) bytes") }
  }

  /// The command by which the user gives a program access, as a shell takes it.
  static func grantCommand(for name: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+".unicodeScalars
    if name.first != "-", name.unicodeScalars.allSatisfy(plain.contains) {
      return "tpick access grant --client \(name)"
    }
    // By scalars: with what combines with it a quote is another character.
    var quoted = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == "'" { quoted += "'\\''".unicodeScalars } else { quoted.append(scalar) }
    }
    return "tpick access grant --client='\(String(quoted))'"
  }
}

/// Who asks for the photos of a run, and what was decided on it before.
struct ClientAccess {
  /// The program's name; nil where the user is at the keyboard with photos of their own.
  let client: String?
  let purpose: String?
  /// What holds when the run begins.
  let decision: AccessDecision
  /// What the user decides is kept; nil where the state is simulated, or nobody else asks.
  let keeper: AccessKeeper?

  /// The store of what was decided.
  static var store: PermissionStore { PermissionStore(in: UserDirectories.state) }

  /// - Parameters:
  ///   - simulated: overrules what is stored, for this run.
  /// - Throws: `Failure` for a name without a purpose, and where what is stored can't be read.
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

  /// The request that the user is asked with.
  var consentRequest: ConsentRequest { ConsentRequest(client: client ?? "tpick", purpose: purpose) }

  /// Why nothing is shown, and what the user can do.
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
