/// Controls a library's access on behalf of the user: decides what the client can see.
///
/// The holder of a controller can see everything, so pass the client only `manager` and never the controller.
/// It also manages the limited selection (PhotoKit's limited library picker): the user chooses among the
/// assets of `wholeLibrary`, and `setLimitedSelection` stores the choice.
///
///     let access = LibraryAccessController(
///       store: store, images: images, status: .limited, consentRequest: request, consent: NoConsentPresenter())
///     access.setLimitedSelection([chosen.id])
///     run(client, with: access.manager)
public final class LibraryAccessController: Sendable {
  /// The library as visible to the client.
  public let manager: any AssetManager
  /// The library as visible to the user; empty if the user gave the client no access at all.
  public let wholeLibrary: any AssetManager
  private let permission: LibraryPermission
  private let store: any AssetStore

  /// Composes a library.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - images: makes the images.
  ///   - status: the previous decision; `notDetermined` = ask the user.
  ///   - allowed: the assets allowed under limited access.
  ///   - consentRequest: the client and its purpose.
  ///   - consent: presents the consent prompt.
  ///   - kinds: the kinds of changes by the client about which the user is asked; by default all of them.
  public convenience init(
    store: any AssetStore, images: any ImageManager, status: AuthorizationStatus,
    allowed: Set<LocalIdentifier> = [], consentRequest: ConsentRequest, consent: any ConsentPresenter,
    asksBefore kinds: Set<ChangeKind> = Set(ChangeKind.allCases)
  ) {
    self.init(
      store: store, images: images,
      decision: AccessDecision(
        readWrite: status,
        allowed: AllowedAssets(allowed, successorFiles: store.successorFiles(of: allowed))),
      consentRequest: consentRequest, consent: consent, asksBefore: kinds)
  }

  /// Composes a library with a previous decision, and reports later decisions.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - images: makes the images.
  ///   - decision: the previous decision.
  ///   - consentRequest: the client and its purpose.
  ///   - consent: presents the consent prompt.
  ///   - kinds: the kinds of changes by the client about which the user is asked; by default all of them.
  ///   - record: stores each new decision; called on any thread.
  public init(
    store: any AssetStore, images: any ImageManager, decision: AccessDecision, consentRequest: ConsentRequest,
    consent: any ConsentPresenter, asksBefore kinds: Set<ChangeKind> = Set(ChangeKind.allCases),
    record: (@Sendable (AccessDecision) -> Void)? = nil
  ) {
    self.store = store
    permission = LibraryPermission(
      decision, request: consentRequest, consent: consent, asksBefore: kinds, record: record)
    manager = LibraryAssetManager(store, images, permission, for: .client)
    wholeLibrary = LibraryAssetManager(store, images, permission, for: .user)
  }

  /// The client, and why it wants access.
  public var client: ConsentRequest { permission.consentRequest }

  /// The current decision.
  public var decision: AccessDecision { permission.decision }

  /// The assets that are allowed under limited access.
  ///
  /// Assets whose files were replaced by other files since are excluded.
  public var limitedSelection: Set<LocalIdentifier> {
    let allowed = permission.allowed
    // With no identifiers, don't query the library: it may not respond.
    if allowed.identifiers.isEmpty { return [] }
    let files = store.successorFiles(of: allowed.identifiers)
    let known = known(allowed.identifiers)
    return allowed.identifiers.filter {
      !known.contains($0) || allowed.contains($0, successorFile: files[$0])
    }
  }

  /// Replaces the assets that are allowed under limited access, and notifies observers.
  /// - Parameter selection: the identifiers of the allowed assets.
  /// - Returns: the identifiers that were not allowed before.
  @discardableResult
  public func setLimitedSelection(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    let (before, known) = (permission.allowed, known(selection))
    var files = store.successorFiles(of: selection)
    // Entries for assets of other libraries don't change.
    for identifier in selection.subtracting(known) {
      files[identifier] = before.successorFile(of: identifier)
    }
    return permission.allow(AllowedAssets(selection, successorFiles: files))
  }

  /// Returns the identifiers that belong to assets of this library.
  private func known(_ identifiers: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return Set(store.assets(withLocalIdentifiers: Array(identifiers), options: options).identifiers)
  }

  /// Applies a decision that the user made elsewhere, as in another process, and notifies observers.
  public func apply(_ decision: AccessDecision) { permission.apply(decision) }
}
