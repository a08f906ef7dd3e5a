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
  private let store: any AssetStore

  /// Composes a library.
  /// - Parameters:
  ///   - store: has the assets.
  ///   - images: makes pictures of them.
  ///   - status: what was decided before; `notDetermined` = ask.
  ///   - allowed: the assets that are allowed when the access is limited.
  ///   - consentRequest: who asks for access and why.
  ///   - consent: who puts the question to the user.
  public convenience init(
    store: any AssetStore, images: any ImageManager, status: AuthorizationStatus,
    allowed: Set<LocalIdentifier> = [], consentRequest: ConsentRequest, consent: any ConsentPresenter
  ) {
    self.init(
      store: store, images: images,
      decision: AccessDecision(
        readWrite: status,
        allowed: AllowedAssets(allowed, successorFiles: store.successorFiles(of: allowed))),
      consentRequest: consentRequest, consent: consent)
  }

  /// Composes a library whose client was decided on before, and will be again.
  /// - Parameters:
  ///   - store: has the assets.
  ///   - images: makes pictures of them.
  ///   - decision: what was decided.
  ///   - consentRequest: who asks for access and why.
  ///   - consent: who puts the question to the user.
  ///   - record: keeps what the user decides from here on; called on any thread.
  public init(
    store: any AssetStore, images: any ImageManager, decision: AccessDecision, consentRequest: ConsentRequest,
    consent: any ConsentPresenter, record: (@Sendable (AccessDecision) -> Void)? = nil
  ) {
    self.store = store
    permission = LibraryPermission(decision, request: consentRequest, consent: consent, record: record)
    manager = LibraryAssetManager(store, images, permission, for: .client)
    wholeLibrary = LibraryAssetManager(store, images, permission, for: .user)
  }

  /// What holds now.
  public var decision: AccessDecision { permission.decision }

  /// The assets that are allowed under limited access.
  ///
  /// Those whose files were replaced by others since are not among them.
  public var limitedSelection: Set<LocalIdentifier> {
    let allowed = permission.allowed
    // A library that does not answer is not asked for nothing.
    if allowed.identifiers.isEmpty { return [] }
    let files = store.successorFiles(of: allowed.identifiers)
    let known = known(allowed.identifiers)
    return allowed.identifiers.filter {
      !known.contains($0) || allowed.contains($0, successorFile: files[$0])
    }
  }

  /// Replaces the assets that are allowed under limited access, and notifies observers.
  /// - Returns: the identifiers that were not allowed before.
  @discardableResult
  public func setLimitedSelection(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    let (before, known) = (permission.allowed, known(selection))
    var files = store.successorFiles(of: selection)
    // Another library's stay as they are.
    for identifier in selection.subtracting(known) {
      files[identifier] = before.successorFile(of: identifier)
    }
    return permission.allow(AllowedAssets(selection, successorFiles: files))
  }

  /// Those of the identifiers that belong to assets of this library.
  private func known(_ identifiers: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return Set(store.assets(withLocalIdentifiers: Array(identifiers), options: options).identifiers)
  }

  /// Takes over what the user decided elsewhere, as in another process, and notifies observers.
  public func adopt(_ decision: AccessDecision) { permission.adopt(decision) }
}
