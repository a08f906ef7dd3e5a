import AssetLibrary

/// What the client may see, and the user's choice of it.
struct AuthorizationState: Sendable {
  /// What choosing means.
  enum Mode: Hashable, Sendable {
    case picking
    /// Choosing what the client may see.
    case managing
  }

  var status = AuthorizationStatus.notDetermined
  var mode = Mode.picking
  /// What the client may see under limited access.
  var allowed: Set<LocalIdentifier> = []
  /// The picks while the access is being chosen.
  var setAside: Selection?
  /// While the access is being chosen: what is allowed and has not turned up in an answer yet; nil before
  /// the first answer.
  var unmarked: Set<LocalIdentifier>?
}
