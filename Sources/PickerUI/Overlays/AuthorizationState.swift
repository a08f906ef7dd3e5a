import AssetLibrary

/// What the client may see, and the state of the user's choice.
struct AuthorizationState: Sendable {
  var status = AuthorizationStatus.notDetermined
  /// What selecting photos means.
  var mode = AccessMode.picking
  /// The photos that the client may see under limited access.
  var allowed: Set<LocalIdentifier> = []
  /// The client's selection while the mode is `managing`.
  var savedSelection: Selection?
  /// In the mode `managing`: the allowed photos that no fetch has returned yet; nil before the first one.
  var pendingAllowed: Set<LocalIdentifier>?
  /// Whether the user wants to select the photos: the library opens with that.
  var choosesAccess = false
}
