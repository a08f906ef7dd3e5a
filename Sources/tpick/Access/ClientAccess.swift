import AssetLibrary
import Permissions
import PhotoPicker

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
      if purpose != nil { throw .usage("--purpose: only together with --client") }
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
