import Synchronization

/// The asset manager, composed of a store, a permission and an image manager.
///
/// Confinement to what was granted happens here and nowhere else: every fetch goes through `confined`.
public final class LibraryAssetManager: AssetManager {
  private struct Permission {
    var status: AuthorizationStatus
    var allowed: Set<LocalIdentifier>
  }

  private let store: any AssetStore
  private let images: any ImageManager
  private let consent: any ConsentPresenter
  private let consentRequest: ConsentRequest
  private let permission: Mutex<Permission>
  private let observers = ChangeObservers()
  private let storeObserver: ObserverID

  /// Composes a manager.
  /// - Parameters:
  ///   - status: what was decided before; `notDetermined` = ask.
  ///   - allowed: the assets that are allowed when the access is limited.
  ///   - consentRequest: who asks for access and why.
  ///   - consent: who puts the question to the user.
  public init(
    store: any AssetStore, images: any ImageManager, status: AuthorizationStatus,
    allowed: Set<LocalIdentifier> = [], consentRequest: ConsentRequest, consent: any ConsentPresenter
  ) {
    self.store = store
    self.images = images
    self.consent = consent
    self.consentRequest = consentRequest
    permission = Mutex(Permission(status: status, allowed: allowed))
    let observers = observers
    storeObserver = store.observeChanges { change in observers.notify(change) }
  }

  deinit {
    store.stopObserving(storeObserver)
  }

  // MARK: Permission

  public func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus {
    permission.withLock { $0.status }
  }

  public func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    let known = authorizationStatus(for: level)
    guard known == .notDetermined else { return known }
    let decision = await consent.decision(for: consentRequest)
    permission.withLock { $0.status = decision.status }
    observers.notify(.access)
    return decision.status
  }

  public var limitedSelection: Set<LocalIdentifier> { permission.withLock { $0.allowed } }

  public func setLimitedSelection(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier> {
    let before = permission.withLock { permission in
      defer { permission.allowed = selection }
      return permission.allowed
    }
    if before != selection { observers.notify(.access) }
    return selection.subtracting(before)
  }

  /// The options as the permission allows them; nil where nothing may be seen.
  private func confined(_ options: FetchOptions) -> FetchOptions? {
    let permission = permission.withLock { $0 }
    var options = options
    switch (permission.status, options.access) {
    case (.authorized, _), (.limited, .managingAccess): options.allowed = nil
    case (.limited, .granted):
      options.allowed = permission.allowed
      // Nor may a search tell in which of the user's albums a photo lies.
      options.search?.forget(.album)
    case (.notDetermined, _), (.restricted, _), (.denied, _): return nil
    }
    return options
  }

  // MARK: Fetching

  public func fetchAssets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.assets(in: collection, options: options)
  }

  public func fetchAssets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.assets(withLocalIdentifiers: identifiers, options: options)
  }

  public func fetchAssets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.assets(ofBurst: identifier, options: options)
  }

  public func fetchCollections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    guard let options = confined(options) else { return FetchResult() }
    // Under limited access the user's own albums are nobody's business (Apple).
    let types = options.allowed == nil ? types : types.intersection(.smartAlbum)
    return store.collections(of: types, options: options)
  }

  public func fetchCollectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    guard let options = confined(options), options.allowed == nil else { return FetchResult() }
    return store.collectionLists(options: options)
  }

  public func fetchKeyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.keyAssets(in: collection, options: options)
  }

  public func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    fetchAssets(in: collection, options: options).count
  }

  public func performChanges(_ changes: [AssetChange]) throws(AssetError) {
    guard let options = confined(FetchOptions()) else {
      throw AssetError("photos", "no access to them")
    }
    if let allowed = options.allowed,
      let foreign = changes.first(where: { !allowed.contains($0.identifier) })
    {
      throw AssetError(
        foreign.identifier.rawValue, "not among the photos that '\(consentRequest.client)' may see")
    }
    try store.perform(changes)
  }

  public var libraryStatus: LibraryStatus { store.status }

  public func stopReading() { store.stopReading() }

  public func resumeReading() { store.resumeReading() }

  public func allowBackgroundWork() { store.allowBackgroundWork() }

  @discardableResult
  public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  public func stopObserving(_ observer: ObserverID) { observers.remove(observer) }

  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    try store.details(of: asset)
  }

  // MARK: Pictures

  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    images.requestImage(
      request, priority: priority, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  public func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    images.requestImageData(request, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  public func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    try images.frames(of: request, cancellation: cancellation)
  }

  public func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    images.setPriority(priority, of: request)
  }

  public func cancelImageRequest(_ request: ImageRequestID) { images.cancelImageRequest(request) }
}
