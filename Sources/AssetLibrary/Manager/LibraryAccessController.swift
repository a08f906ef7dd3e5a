/// The user's side of a library: decides what its client sees.
///
/// Whoever holds it sees everything, so a client gets `manager` and never the controller. Managing the limited
/// selection (PhotoKit's limited library picker) is done with it: the user chooses among `wholeLibrary`, and
/// `setLimitedSelection` keeps the choice.
///
///     let access = LibraryAccessController(
///       store: store, images: images, status: .limited, consentRequest: request, consent: NobodyToAsk())
///     access.setLimitedSelection([chosen.id])
///     run(client, with: access.manager)
public final class LibraryAccessController: Sendable {
  /// The library as the client sees it.
  public let manager: any AssetManager
  /// The library as the user sees it; nothing where the user gave the client no access at all.
  public let wholeLibrary: any AssetManager
  private let permission: LibraryPermission

  /// Composes a library.
  /// - Parameters:
  ///   - store: has the assets.
  ///   - images: makes pictures of them.
  ///   - status: what was decided before; `notDetermined` = ask.
  ///   - allowed: the assets that are allowed when the access is limited.
  ///   - consentRequest: who asks for access and why.
  ///   - consent: who puts the question to the user.
  public init(
    store: any AssetStore, images: any ImageManager, status: AuthorizationStatus,
    allowed: Set<LocalIdentifier> = [], consentRequest: ConsentRequest, consent: any ConsentPresenter
  ) {
    permission = LibraryPermission(status, allowed: allowed, request: consentRequest, consent: consent)
    manager = LibraryAssetManager(store, images, permission, for: .client)
    wholeLibrary = LibraryAssetManager(store, images, permission, for: .user)
  }

  /// The assets that are allowed under limited access.
  public var limitedSelection: Set<LocalIdentifier> { permission.allowed }

  /// Replaces the assets that are allowed under limited access, and notifies observers.
  /// - Returns: the identifiers that were not allowed before.
  @discardableResult
  public func setLimitedSelection(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    permission.allow(selection)
  }
}
