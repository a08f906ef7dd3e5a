import Synchronization
import System

/// The asset manager, composed of a store, a permission and an image manager.
///
/// It enforces access: every result (assets, counts, details, images, frames, notifications, status) is
/// checked against `reach` first. Assets are compared by identifier.
final class LibraryAssetManager: AssetManager {
  /// The party that a manager answers.
  enum Side: Sendable {
    /// The client, which can access what was granted to it.
    case client
    /// The user, who sets what the client can access, and therefore sees everything; nothing while the
    /// client has no access at all.
    case user
  }

  private let store: any AssetStore
  private let images: any ImageManager
  private let permission: LibraryPermission
  private let side: Side
  /// What `prepareAsset` returned: a client may create nothing else, not even by an identifier that it guessed.
  private let prepared = Mutex<Set<LocalIdentifier>>([])
  /// The downloaded files, which stay local until this manager ends; each is held once.
  private let held = Mutex<Set<AssetResource>>([])
  private let observers = ChangeObservers()
  private let storeObserver: ObserverID

  init(
    _ store: any AssetStore, _ images: any ImageManager, _ permission: LibraryPermission, for side: Side
  ) {
    self.store = store
    self.images = images
    self.permission = permission
    self.side = side
    let observers = observers
    let gate = ChangeGate(observers) {
      switch Self.reach(of: side, permission) {
      case .everything: nil
      case .only(let allowed):
        (Self.assets(allowed, in: store), Self.status(of: store, within: .only(allowed)))
      case .nothing: ([], Self.status(of: store, within: .nothing))
      }
    }
    storeObserver = store.observeChanges { gate.pass($0) }
    permission.onChange {
      gate.reset()
      observers.notify(.access)
    }
  }

  deinit {
    store.stopObserving(storeObserver)
    for resource in held.withLock({ $0 }) { store.release(resource) }
  }

  // MARK: The gate

  private static func reach(of side: Side, _ permission: LibraryPermission) -> LibraryPermission.Reach {
    let reach = permission.reach
    return side == .user && reach != .nothing ? .everything : reach
  }

  private var reach: LibraryPermission.Reach { Self.reach(of: side, permission) }

  /// Returns the options limited to the allowed assets; nil if there is no access.
  private func confined(_ options: FetchOptions) -> FetchOptions? {
    var options = options
    switch reach {
    case .nothing: return nil
    case .everything: options.allowed = nil
    case .only(let allowed):
      options.allowed = allowed
      // A search must not reveal which of the user's albums contain a photo either.
      options.search?.forget(.album)
    }
    return options
  }

  /// Returns the options for a fetch in a collection: the user's albums are private under limited access, as
  /// in PhotoKit, and so is what the user has deleted.
  private func confined(_ options: FetchOptions, in collection: LocalIdentifier?) -> FetchOptions? {
    guard let options = confined(options) else { return nil }
    if options.allowed != nil, let collection {
      guard let album = SmartAlbum(collection), album != .recentlyDeleted else { return nil }
    }
    return options
  }

  /// Returns why the asset can't be accessed; nil if it can.
  private func refusal(of identifier: LocalIdentifier) -> AssetError? {
    switch reach {
    case .everything: nil
    case .only(let allowed)
    where allowed.contains(identifier, successorFile: store.successorFiles(of: [identifier])[identifier]): nil
    case .only:
      AssetError(
        identifier.rawValue, "not among the photos that '\(permission.client)' may see", code: .accessDenied)
    case .nothing: AssetError("photos", "no access to them", code: .accessDenied)
    }
  }

  /// Returns why the asset and its files can't be accessed; nil if they can.
  ///
  /// An asset is a value that anyone can make: under limited access its files must be those that the library has under
  /// its identifier. A path alone does not name a remote file, whose bytes stores also find by its address.
  private func refusal(of asset: Asset) -> AssetError? {
    if let refusal = refusal(of: asset.id) { return refusal }
    guard case .only = reach else { return nil }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let known = store.assets(withLocalIdentifiers: [asset.id], options: options).first
    // The same answer for files that moved, that never existed, and that belong to others.
    return asset.resources.allSatisfy { resource in
      known?.resources.contains { $0.path == resource.path && $0.remoteAddress == resource.remoteAddress }
        ?? false
    }
      ? nil
      : AssetError(asset.id.rawValue, "its files are not those of this photo in the library", code: .notFound)
  }

  /// Returns the allowed assets that exist in the library, sorted by identifier.
  private static func assets(_ allowed: AllowedAssets, in store: any AssetStore) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.allowed = allowed
    return Array(store.assets(withLocalIdentifiers: allowed.identifiers.sorted(), options: options))
  }

  /// Returns the status of the library, limited to what the client may know.
  private static func status(
    of store: any AssetStore, within reach: LibraryPermission.Reach
  ) -> LibraryStatus {
    var status = store.status
    switch reach {
    case .everything: return status
    case .only(let allowed): status.assetCount = assets(allowed, in: store).count
    case .nothing: return LibraryStatus(isComplete: true, assetCount: 0)
    }
    // Issues contain file names.
    status.issues = []
    return status
  }

  // MARK: Permission

  func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus { permission.status(for: level) }

  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    await permission.requestAuthorization(for: level)
  }

  // MARK: Fetching

  func fetchAssets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options, in: collection) else { return FetchResult() }
    return store.assets(in: collection, options: options)
  }

  func fetchAssets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.assets(withLocalIdentifiers: identifiers, options: options)
  }

  func fetchAssets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options) else { return FetchResult() }
    return store.assets(ofBurst: identifier, options: options)
  }

  func fetchCollections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    guard let options = confined(options) else { return FetchResult() }
    // The user's albums and deleted assets are private under limited access.
    let types = options.allowed == nil ? types : types.intersection(.smartAlbum)
    return store.collections(of: types, options: options)
  }

  func fetchCollections(
    containing asset: LocalIdentifier, of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    let files = store.successorFiles(of: [asset])
    guard let all = confined(options),
      all.allowed?.contains(asset, successorFile: files[asset]) ?? true
    else { return FetchResult() }
    // If only this asset is allowed, the collections that are not empty are those that contain it.
    var one = all
    one.includeHiddenAssets = true
    one.includeAllBurstAssets = true
    one.allowed = AllowedAssets([asset], successorFiles: files)
    let holding = Set(store.collections(of: types, options: one).identifiers)
    return FetchResult(fetchCollections(of: types, options: options).filter { holding.contains($0.id) })
  }

  func fetchCollectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    guard let options = confined(options), options.allowed == nil else { return FetchResult() }
    return store.collectionLists(options: options)
  }

  func fetchKeyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset> {
    guard let options = confined(options, in: collection) else { return FetchResult() }
    return store.keyAssets(in: collection, options: options)
  }

  func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    fetchAssets(in: collection, options: options).count
  }

  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    guard let options = confined(options, in: collection) else { return [] }
    let fields = options.allowed == nil ? fields : fields.subtracting(.album)
    return store.searchTexts(
      in: fields, beginningWith: prefix, collection: collection, options: options)
  }

  var userAlbums: UserAlbums { reach == .everything ? store.userAlbums : UserAlbums() }

  @discardableResult
  func performChanges(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    try perform(changes, agreed: [])
  }

  @discardableResult
  func performChanges(_ changes: [AssetChange]) async throws(AssetError) -> [AssetChange] {
    if Task.isCancelled { throw .cancelled("photos") }
    // The user is not asked about what isn't possible anyway.
    _ = try allowedCreations(in: changes)
    var agreed: Set<ChangeKind> = []
    for request in openRequests(about: changes) {
      guard await permission.allows(request) else {
        throw AssetError(
          permission.client, "the user did not allow this: \(request.text)", code: .accessDenied)
      }
      agreed.insert(request.kind)
    }
    // Checked again: the user may have decided otherwise meanwhile.
    let result = await WorkerThread.value { [agreed] in
      Result { () throws(AssetError) in try self.perform(changes, agreed: agreed) }
    }
    return try result.get()
  }

  /// The questions that the user has not answered; the user is not asked about own changes.
  private func openRequests(about changes: [AssetChange]) -> [ChangeConsentRequest] {
    side == .user ? [] : permission.openRequests(about: changes)
  }

  /// - Parameters:
  ///   - changes: the changes.
  ///   - agreed: the kinds of changes that the user allowed for this call.
  private func perform(
    _ changes: [AssetChange], agreed: Set<ChangeKind>
  ) throws(AssetError) -> [AssetChange] {
    let created = try allowedCreations(in: changes)
    if let open = openRequests(about: changes).first(where: { !agreed.contains($0.kind) }) {
      throw AssetError(permission.client, "the user must be asked first: \(open.text)", code: .accessDenied)
    }
    let inverse = try store.perform(changes)
    prepared.withLock { $0.subtract(created) }
    return inverse
  }

  /// Checks that the client's level allows the changes.
  /// - Returns: the assets that they create.
  private func allowedCreations(in changes: [AssetChange]) throws(AssetError) -> Set<LocalIdentifier> {
    var created: Set<LocalIdentifier> = []
    for case .createAsset(let asset) in changes {
      guard prepared.withLock({ $0.contains(asset) }) else {
        throw AssetError(asset.rawValue, "was not prepared by this client", code: .accessDenied)
      }
      if let refusal = savingRefusal { throw refusal }
      created.insert(asset)
    }
    let reach = self.reach
    for change in changes {
      if case .createAsset = change { continue }
      // With `addOnly` alone, not even a new asset can be changed.
      let required =
        reach == .nothing ? change.requiredAssets : change.requiredAssets.filter { !created.contains($0) }
      if let refusal = required.lazy.compactMap({ self.refusal(of: $0) }).first { throw refusal }
      // Albums and the trash contain assets of others: under limited access, the client may not know about
      // them.
      if change.concernsOthers, reach != .everything {
        if reach == .nothing { throw AssetError("photos", "no access to them", code: .accessDenied) }
        let subject = change.album == nil ? "trash" : "albums"
        let others = change.album == nil ? "no deleted ones" : "no albums"
        throw AssetError(
          subject, "'\(permission.client)' may see some photos only, and \(others)", code: .accessDenied)
      }
    }
    return created
  }

  /// Why the client can't save; nil if it can.
  private var savingRefusal: AssetError? {
    let isAllowed = side == .user ? reach == .everything : permission.status(for: .addOnly) == .authorized
    return isAllowed
      ? nil : AssetError("photos", "'\(permission.client)' may not save any", code: .accessDenied)
  }

  func prepareAsset(_ creation: AssetCreation) throws(AssetError) -> LocalIdentifier {
    if let refusal = savingRefusal { throw refusal }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    // Compared only with what the client may see, so that it does not learn of other assets.
    let asset = try store.prepareAsset(creation, comparedWith: confined(options))
    prepared.withLock { _ = $0.insert(asset) }
    return asset
  }

  func discardPreparedAsset(_ asset: LocalIdentifier) {
    if prepared.withLock({ $0.remove(asset) }) != nil { store.discardPreparedAsset(asset) }
  }

  func fetchPersistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges {
    if reach == .nothing { throw .accessDenied }
    let found: Result<PersistentChanges, PersistentChangeError>
    do throws(PersistentChangeError) {
      found = .success(try store.persistentChanges(since: token))
    } catch {
      found = .failure(error)
    }
    // Asked only now: the store may have taken long, and the user may have decided otherwise meanwhile.
    switch reach {
    case .nothing: throw .accessDenied
    case .everything: return try found.get()
    case .only(let allowed):
      do throws(PersistentChangeError) {
        return confined(try found.get(), to: allowed, isFirst: token == nil)
      } catch {
        // The errors name files and folders that the client may not know.
        let subject = "library"
        switch error {
        case .incomplete: throw .incomplete(AssetError(subject, "a source can't be read"))
        case .storage: throw .storage(AssetError(subject, "its history can't be read or written"))
        default: throw error
        }
      }
    }
  }

  /// The changes of the assets that a client with limited access may see.
  private func confined(
    _ answer: PersistentChanges, to allowed: AllowedAssets, isFirst: Bool
  ) -> PersistentChanges {
    let changed = Set(answer.changes.map(\.identifier)).intersection(allowed.identifiers)
    let files = store.successorFiles(of: changed)
    var gone: Set<LocalIdentifier> = []
    var answer = answer
    answer.changes = answer.changes.compactMap { change in
      let identifier = change.identifier
      guard changed.contains(identifier) else { return nil }
      if change.kind == .deleted || allowed.contains(identifier, successorFile: files[identifier]) {
        return change
      }
      // Another file took the place of the one that was allowed: for this client the asset is gone.
      return !isFirst && gone.insert(identifier).inserted ? PersistentChange(.deleted, identifier) : nil
    }
    return answer
  }

  var libraryStatus: LibraryStatus { Self.status(of: store, within: reach) }

  func stopReading() { store.stopReading() }

  func resumeReading() { store.resumeReading() }

  func allowBackgroundWork() {
    store.start()
    store.allowBackgroundWork()
  }

  @discardableResult
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  func stopObserving(_ observer: ObserverID) { observers.remove(observer) }

  func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    if let refusal = refusal(of: asset) { throw refusal }
    return try store.details(of: asset)
  }

  func download(
    _ resource: AssetResource, of asset: Asset, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    if let refusal = refusal(of: asset) { throw refusal }
    guard asset.resources.contains(resource) else { return }
    // Before the look, so that the file can't be removed in between.
    store.hold(resource)
    do throws(AssetError) {
      if !store.isLocal(resource) { try store.download(resource, progress: progress) }
    } catch {
      store.release(resource)
      throw error
    }
    if !held.withLock({ $0.insert(resource).inserted }) { store.release(resource) }
  }

  // MARK: Pictures

  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    if let refusal = refusal(of: request.asset) {
      resultHandler(ImageResult(requestID: .refused, content: .failed(refusal), isLast: true))
      return .refused
    }
    return images.requestImage(
      request, priority: priority, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID {
    if let refusal = refusal(of: request.asset) {
      resultHandler(ImageDataResult(requestID: .refused, content: .failed(refusal)))
      return .refused
    }
    return images.requestImageData(request, progressHandler: progressHandler, resultHandler: resultHandler)
  }

  func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    if let refusal = refusal(of: request.asset) { throw refusal }
    return try images.frames(of: request, cancellation: cancellation)
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    images.setPriority(priority, of: request)
  }

  func cancelImageRequest(_ request: ImageRequestID) { images.cancelImageRequest(request) }
}

extension AssetChange {
  /// Whether the change affects more than the assets that it names.
  fileprivate var concernsOthers: Bool {
    switch self {
    case .restore, .deletePermanently: true
    default: album != nil
    }
  }
}

extension ImageRequestID {
  /// The identifier of requests that were refused at once; image managers count from 1.
  static let refused = ImageRequestID(rawValue: 0)
}

/// Forwards a store's notifications to observers, limited to what they may know.
///
/// Under limited access, a notification about other assets would reveal that they exist.
private final class ChangeGate: Sendable {
  /// The state of the library that is visible under limited access.
  private struct VisibleState: Equatable {
    var assets: [Asset]
    var status: LibraryStatus
  }

  private let observers: ChangeObservers
  private let look: Look
  private let last: Mutex<VisibleState?>

  /// Returns the visible state of the library; nil if everything is visible.
  typealias Look = @Sendable () -> (assets: [Asset], status: LibraryStatus)?

  /// - Parameter look: returns the visible state under limited access; nil if everything is visible.
  init(_ observers: ChangeObservers, look: @escaping Look) {
    self.observers = observers
    self.look = look
    last = Mutex(nil)
    reset()
  }

  /// Called after a change of permission: later changes are compared with the state that is visible now.
  func reset() {
    let visibleState = visibleState
    last.withLock { $0 = visibleState }
  }

  func pass(_ change: LibraryChange) {
    guard let visibleState else { return observers.notify(change) }
    let before = last.withLock { last in
      defer { last = visibleState }
      return last
    }
    var change = change
    if before?.assets == visibleState.assets { change.remove(.contents) }
    if before?.status == visibleState.status { change.remove(.status) }
    if !change.isEmpty { observers.notify(change) }
  }

  private var visibleState: VisibleState? {
    look().map { VisibleState(assets: $0.assets, status: $0.status) }
  }
}
